/**
 * The apps whose detection results are read: found, and judged as instruments.
 * https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobapp
 */
import { createHash } from 'node:crypto';
import type { Finding, Instrument } from '../../core/facts.ts';
import { MusterError } from '../../errors.ts';
import { type Graph, isRecord, objectOf, pagesOf } from './graph.ts';

/** Never the whole object: its install command line may hold a secret. */
export type AppDefinition =
  | {
      readonly readable: true;
      readonly id: string;
      readonly type: string;
      readonly publishingState: string;
      readonly detectionRules: readonly unknown[];
    }
  | { readonly readable: false; readonly id: string };

const path = '/v1.0/deviceAppManagement/mobileApps';
const permission = 'DeviceManagementApps.Read.All';
const windowsApp = '#microsoft.graph.win32LobApp';
const identifier = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In the order of their ids, each once, however often and in whichever way it was named. */
export async function readApps(graph: Graph, named: readonly string[]): Promise<AppDefinition[]> {
  const ids = await Promise.all(
    named.map((name) => (identifier.test(name) ? name.toLowerCase() : findId(graph, name))),
  );
  return Promise.all([...new Set(ids)].sort().map((id) => readApp(graph, id)));
}

async function readApp(graph: Graph, id: string): Promise<AppDefinition> {
  const body = await graph.client.ask({ url: `${path}/${id}`, alsoUnderstood: [403, 404] }, (answer) => {
    if (answer.status === 404) return 'missing';
    return answer.status === 403 ? 'forbidden' : objectOf(answer, graph.who);
  });
  if (body === 'missing') throw missing(graph.who, id);
  if (body === 'forbidden') return { readable: false, id };
  const rules: readonly unknown[] = Array.isArray(body.rules) ? body.rules : [];
  return {
    readable: true,
    id,
    type: String(body['@odata.type']),
    publishingState: String(body.publishingState),
    detectionRules: rules.filter((rule) => isRecord(rule) && rule.ruleType === 'detection'),
  };
}

/** No `$top`: this list is known to answer 500 to it. Exactly that name, whatever the filter let through. */
async function findId(graph: Graph, name: string): Promise<string> {
  const filter = `$filter=${encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`)}`;
  const found: Record<string, unknown>[] = [];
  for await (const page of pagesOf(graph, path, filter)) {
    found.push(...page.rows.filter((app) => app.displayName === name && identifier.test(String(app.id))));
  }
  // A macOS package of the same name is not a rival of the Windows app.
  const ofWindows = found.filter((app) => app['@odata.type'] === windowsApp);
  const candidates = (ofWindows.length > 0 ? ofWindows : found).map((app) => String(app.id).toLowerCase());
  const [id, ...others] = new Set(candidates);
  if (id === undefined) throw missing(graph.who, name);
  if (others.length === 0) return id;
  const all = [id, ...others].sort().join(', ');
  throw new MusterError(
    'app-ambiguous',
    `${graph.who} has ${others.length + 1} apps called "${name}": ${all}. Name the ids that are meant in the settings.`,
  );
}

/** Pure: what can be said of the apps as instruments. */
export function judgeApps(apps: readonly AppDefinition[]): Finding {
  const problems = apps.map(problemOf);
  const unreadable = apps.some((app) => !app.readable);
  const failed = apps.some((app, index) => app.readable && problems[index] !== undefined);
  return {
    check: 'windows.app',
    result: failed ? 'fail' : unreadable ? 'unknown' : 'pass',
    expected: 'a published Windows app (Win32)',
    found: apps.map((app, index) => `${app.id}: ${problems[index] ?? 'a published Windows app (Win32)'}`).join('; '),
    advice: failed
      ? 'Name the Win32 app in the settings, and publish it.'
      : unreadable
        ? `Grant the application permission ${permission}.`
        : '',
    instrument: true,
  };
}

function problemOf(app: AppDefinition): string | undefined {
  if (!app.readable) return `could not be read, ${permission} is missing`;
  if (app.type !== windowsApp) return `is of type ${shown(app.type)}`;
  if (app.publishingState !== 'published') return `its publishing state is ${shown(app.publishingState)}`;
  return undefined;
}

/** Why no app could be read, as a finding beside the error. */
export function judgeAbsence(error: MusterError): Finding {
  const isAppsFault = error.code === 'app-missing' || error.code === 'app-ambiguous';
  return {
    check: 'windows.app',
    result: isAppsFault ? 'fail' : 'unknown',
    expected: 'a published Windows app (Win32)',
    found: error.message,
    advice: isAppsFault ? 'Name the app by its id in the settings.' : `Is ${permission} granted?`,
    instrument: true,
  };
}

/** Which apps, and a fingerprint of the rules that decide their states. */
export function instrumentOf(apps: readonly AppDefinition[]): Instrument {
  const id = apps.map((app) => app.id).join(',');
  const rules = apps.flatMap((app) => (app.readable ? [app.detectionRules] : []));
  if (rules.length < apps.length) return { id };
  return { id, fingerprint: createHash('sha256').update(canonical(rules)).digest('hex') };
}

/** JSON with its keys in order, so that the same rules always have the same fingerprint. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

function shown(word: string): string {
  return /^[#\w.]{1,80}$/.test(word) ? word : 'not one that is known';
}

function missing(who: string, named: string): MusterError {
  return new MusterError(
    'app-missing',
    `${who} has no app "${named}". Check its id or exact display name in the settings; an upgraded app is a new one.`,
  );
}
