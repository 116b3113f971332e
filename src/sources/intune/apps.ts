/**
 * The apps whose detection results are read: found, and read for what the checks want to know.
 * https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobapp
 */
import { createHash } from 'node:crypto';
import type { Instrument } from '../../core/facts.ts';
import { canonicalJson } from '../../deployment/canonical-json.ts';
import type { AppFacts, AppsReading, AssignmentFacts } from '../../deployment/checks/app.ts';
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { type Graph, isRecord, parseObject, readPages } from './graph.ts';

/** Undefined facts: the app may not be read. */
export interface AppDefinition {
  readonly id: string;
  readonly facts: AppFacts | undefined;
}

const appsPath = '/v1.0/deviceAppManagement/mobileApps';
const appPermission = 'DeviceManagementApps.Read.All';
const win32AppODataType = '#microsoft.graph.win32LobApp';
const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In the order of their ids, each once, however often and in whichever way it was named. */
export async function readApps(graph: Graph, named: readonly string[]): Promise<AppDefinition[]> {
  const ids = await Promise.all(
    named.map((name) => (guidPattern.test(name) ? name.toLowerCase() : findAppId(graph, name))),
  );
  return Promise.all([...new Set(ids)].sort().map((id) => readApp(graph, id)));
}

async function readApp(graph: Graph, id: string): Promise<AppDefinition> {
  const url = `${appsPath}/${id}?$expand=assignments`;
  const body = await graph.client.send({ url, alsoUnderstood: [403, 404] }, (answer) => {
    if (answer.status === 404) {
      return 'missing';
    }
    return answer.status === 403 ? 'forbidden' : parseObject(answer, graph.who);
  });
  if (body === 'missing') {
    throw createAppMissingError(graph.who, id);
  }
  if (body === 'forbidden') {
    return { id, facts: undefined };
  }
  return { id, facts: toAppFacts(id, body, await readAssignments(graph, id, body)) };
}

/** Never the whole object, and in memory only: its install command line may hold a secret. */
function toAppFacts(id: string, body: Record<string, unknown>, assignments: readonly AssignmentFacts[]): AppFacts {
  return {
    id,
    type: String(body['@odata.type']).replace('#microsoft.graph.', ''),
    publishingState: String(body.publishingState),
    detectionRules: readRecords(body.rules).filter(({ ruleType }) => ruleType !== 'requirement'),
    installCommand: readString(body.installCommandLine),
    uninstallCommand: readString(body.uninstallCommandLine),
    setupFile: readString(body.setupFilePath),
    assignments,
  };
}

/** A long list goes on under a link of its own. */
async function readAssignments(graph: Graph, id: string, body: Record<string, unknown>): Promise<AssignmentFacts[]> {
  if (typeof body['assignments@odata.nextLink'] !== 'string') {
    return readRecords(body.assignments).map(toAssignmentFacts);
  }
  const all: AssignmentFacts[] = [];
  for await (const page of readPages(graph, `${appsPath}/${id}/assignments`, '')) {
    all.push(...page.rows.map(toAssignmentFacts));
  }
  return all;
}

function toAssignmentFacts({ intent, target }: Record<string, unknown>): AssignmentFacts {
  const { '@odata.type': type, groupId } = isRecord(target) ? target : {};
  return {
    intent: readString(intent),
    target: readString(type).replace('#microsoft.graph.', ''),
    groupId: typeof groupId === 'string' ? groupId : undefined,
  };
}

function readRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** One that may not be read stands for all: the permission is the tenant's. */
export function toAppsReading(apps: readonly AppDefinition[]): AppsReading {
  const facts = apps.flatMap((app) => app.facts ?? []);
  if (facts.length === apps.length) {
    return facts;
  }
  const why = `may not be read: the application permission ${appPermission} is missing`;
  return { is: 'unread', why, advice: `Grant the application permission ${appPermission}.` };
}

/** Why no app could be read, beside the error. */
export function toAppsFailure(error: MusterError): AppsReading {
  if (error.code === 'app-missing' || error.code === 'app-ambiguous') {
    const why = error.code === 'app-missing' ? 'an app of the settings is not there' : 'several apps have that name';
    return { is: 'absent', why, advice: 'Name the app by its id in the settings.' };
  }
  const why = `could not be read [${error.code}]`;
  return { is: 'unread', why, advice: `Is ${appPermission} granted? The README says what the code means.` };
}

/** No `$top`: this list is known to answer 500 to it. Exactly that name, whatever the filter let through. */
async function findAppId(graph: Graph, name: string): Promise<string> {
  const filter = `$filter=${encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`)}`;
  const found: Record<string, unknown>[] = [];
  for await (const page of readPages(graph, appsPath, filter)) {
    found.push(...page.rows.filter((app) => app.displayName === name && guidPattern.test(String(app.id))));
  }
  // A macOS package of the same name is not a rival of the Windows app.
  const ofWindows = found.filter((app) => app['@odata.type'] === win32AppODataType);
  const candidates = (ofWindows.length > 0 ? ofWindows : found).map((app) => String(app.id).toLowerCase());
  const [id, ...others] = new Set(candidates);
  if (id === undefined) {
    throw createAppMissingError(graph.who, name);
  }
  if (others.length === 0) {
    return id;
  }
  const all = [id, ...others].sort().join(', ');
  throw new MusterError(
    'app-ambiguous',
    `${graph.who} has ${others.length + 1} apps called "${name}": ${all}. Name the ids that are meant in the settings.`,
  );
}

/** Which apps, and a fingerprint of what decides who has which state: their rules, and to whom they are assigned. */
export function buildAppInstrument(apps: readonly AppDefinition[], who: string): Instrument {
  const id = apps.map((app) => app.id).join(',');
  const facts = apps.flatMap((app) => app.facts ?? []);
  if (facts.length < apps.length) {
    return { id };
  }
  const decisive = facts.map(({ detectionRules, assignments }) => [
    detectionRules,
    assignments.map(({ intent, target, groupId }) => canonicalJson([intent, target, groupId])).sort(),
  ]);
  try {
    return { id, fingerprint: createHash('sha256').update(canonicalJson(decisive)).digest('hex') };
  } catch (error) {
    // Writing JSON recurses, and reading it does not.
    if (error instanceof RangeError) {
      throw createUnreadableAnswerError(who, 'a detection rule that is nested too deeply');
    }
    throw error;
  }
}

function createAppMissingError(who: string, named: string): MusterError {
  return new MusterError(
    'app-missing',
    `${who} has no app "${named}". Check its id or exact display name in the settings; an upgraded app is a new one.`,
  );
}
