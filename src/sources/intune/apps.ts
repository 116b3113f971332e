/**
 * Finds the apps whose detection results are read, and reads what the checks need to know about them.
 * https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobapp
 */
import { MusterError } from '../../base/errors.ts';
import { findNearest } from '../../core/text/nearest-name.ts';
import { win32AppTypes } from '../../deployment/checks/intune/app.ts';
import type { AppFacts, AssignmentFacts } from '../../deployment/checks/intune/reading.ts';
import { quoteText, toReadFailure } from '../../deployment/checks/verdicts.ts';
import { guidPattern } from '../../microsoft/tenant.ts';
import { attempt } from '../reading/attempt.ts';
import { readRecord, readRecords, readString, readTime } from '../reading/fields.ts';
import { type Graph, parseObject, readAllRows, toOptionalGraph } from './client.ts';

/** An app of the settings; `facts` is undefined where the permission to read it is missing. */
export interface AppDefinition {
  readonly id: string;
  readonly facts: AppFacts | undefined;
}

const appsPath = '/v1.0/deviceAppManagement/mobileApps';

/**
 * Reads the apps of the settings, each once, ordered by id. An id means one app; a name means all Win32 apps that have
 * it, since an updated app is a new object. Where some apps of a name have the right detection rule, the others are
 * left out (`leftOut` has their ids); otherwise the checks judge all of them.
 */
export async function readApps(
  graph: Graph,
  named: readonly string[],
  isRight: (app: AppFacts) => boolean,
): Promise<{ readonly apps: readonly AppDefinition[]; readonly leftOut: readonly string[] }> {
  const families = await Promise.all(
    named.map((name) => (guidPattern.test(name) ? [name.toLowerCase()] : findAppIds(graph, name))),
  );
  const all = await Promise.all([...new Set(families.flat())].sort().map((id) => readApp(graph, id)));
  const measuresRight = new Map(all.map(({ id, facts }) => [id, facts === undefined || isRight(facts)]));
  const meant = new Set(
    families.flatMap((ids) => {
      const right = ids.filter((id) => measuresRight.get(id));
      return right.length === 0 ? ids : right;
    }),
  );
  return {
    apps: all.filter(({ id }) => meant.has(id)),
    leftOut: all.flatMap(({ id }) => (meant.has(id) ? [] : id)),
  };
}

/** Lists every Win32 app of the tenant, with its name and without its assignments. */
export async function listWin32Apps(graph: Graph): Promise<readonly (AppFacts & { readonly name: string })[]> {
  const listed = await readAllRows(graph, appsPath, '');
  return listed
    .filter((app) => win32AppTypes.includes(readType(app)))
    .map((app) => ({ ...toAppFacts(String(app.id), app, []), name: readString(app.displayName) }));
}

async function readApp(graph: Graph, id: string): Promise<AppDefinition> {
  // One request is enough where the service can expand; otherwise the assignments need a second one.
  const expanded = await attempt(graph.signal, () => readAppBody(toOptionalGraph(graph), id, '?$expand=assignments'));
  const body = typeof expanded.value === 'object' ? expanded.value : await readAppBody(graph, id, '');
  if (body === 'missing') {
    throw createAppMissingError(graph.who, id);
  }
  if (body === 'forbidden') {
    return { id, facts: undefined };
  }
  return { id, facts: toAppFacts(id, body, await readAssignments(graph, id, body)) };
}

function readAppBody(
  graph: Graph,
  id: string,
  query: string,
): Promise<Record<string, unknown> | 'missing' | 'forbidden'> {
  return graph.client.send({ url: `${appsPath}/${id}${query}`, alsoUnderstood: [403, 404] }, (answer) => {
    if (answer.status === 404) {
      return 'missing';
    }
    return answer.status === 403 ? 'forbidden' : parseObject(answer, graph.who);
  });
}

/** Picks the fields that checks need, in memory only: the install command line may contain a secret. */
function toAppFacts(id: string, body: Record<string, unknown>, assignments: AppFacts['assignments']): AppFacts {
  return {
    id,
    type: readType(body),
    publishingState: String(body.publishingState),
    createdAt: readTime(body.createdDateTime, 'Z'),
    detectionRules: readRecords(body.rules).filter(({ ruleType }) => ruleType !== 'requirement'),
    installCommand: readString(body.installCommandLine),
    uninstallCommand: readString(body.uninstallCommandLine),
    setupFile: readString(body.setupFilePath),
    assignments,
  };
}

/** Reads the further pages of a long list of assignments. A failure does not fail the run. */
async function readAssignments(
  graph: Graph,
  id: string,
  body: Record<string, unknown>,
): Promise<AppFacts['assignments']> {
  if (Array.isArray(body.assignments) && typeof body['assignments@odata.nextLink'] !== 'string') {
    return readRecords(body.assignments).map(toAssignmentFacts);
  }
  const path = `${appsPath}/${id}/assignments`;
  const { value, failure } = await attempt(graph.signal, () => readAllRows(toOptionalGraph(graph), path, ''));
  return (
    value?.map(toAssignmentFacts) ?? {
      ...toReadFailure(failure),
      why: `its assignments could not be read [${failure?.code}]`,
    }
  );
}

function toAssignmentFacts({ intent, target }: Record<string, unknown>): AssignmentFacts {
  const { '@odata.type': type, groupId } = readRecord(target) ?? {};
  return {
    intent: readString(intent),
    target: readString(type).replace('#microsoft.graph.', ''),
    groupId: typeof groupId === 'string' ? groupId : undefined,
  };
}

/** The type without the vendor's prefix. */
function readType(body: Record<string, unknown>): string {
  return String(body['@odata.type']).replace('#microsoft.graph.', '');
}

/** Finds ids by exact name, whatever the filter returns. Omits `$top`, which this list is known to answer with 500. */
async function findAppIds(graph: Graph, name: string): Promise<string[]> {
  const filter = `$filter=${encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`)}`;
  const listed = await readAllRows(graph, appsPath, filter);
  const found = listed.filter((app) => app.displayName === name && guidPattern.test(String(app.id)));
  // A macOS package of the same name is ignored where there is a Win32 app.
  const ofWindows = found.filter((app) => win32AppTypes.includes(readType(app)));
  const candidates = ofWindows.length > 0 ? ofWindows : found;
  const ids = [...new Set(candidates.map((app) => String(app.id).toLowerCase()))].sort();
  if (ids.length === 0) {
    throw createAppMissingError(graph.who, name, await findNearestApp(graph, name));
  }
  if (ids.length === 1 || ofWindows.length > 0) {
    return ids;
  }
  throw new MusterError(
    'app-ambiguous',
    `${graph.who} has ${ids.length} apps called "${name}", and none is a Windows app (Win32): ${ids.join(', ')}. Put the id of the right one in the settings.`,
  );
}

/** A name to suggest to a person who mistyped; undefined where the names cannot be listed. */
async function findNearestApp(graph: Graph, name: string): Promise<string | undefined> {
  const query = '$select=id,displayName';
  const { value: apps = [] } = await attempt(graph.signal, () => readAllRows(toOptionalGraph(graph), appsPath, query));
  const names = apps.flatMap(({ displayName }) => (typeof displayName === 'string' ? [displayName] : []));
  return findNearest(name, names);
}

function createAppMissingError(who: string, named: string, near?: string): MusterError {
  const question = near === undefined ? '' : ` Did you mean ${quoteText(near)}?`;
  return new MusterError(
    'app-missing',
    `${who} has no app "${named}".${question} Check its id or exact display name in the settings; an upgraded app has a new id.`,
  );
}
