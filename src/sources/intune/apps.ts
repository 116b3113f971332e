/**
 * Finds the apps whose detection results are read, and reads what the checks need to know about them.
 * https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobapp
 */
import type { Instrument } from '../../core/facts.ts';
import { findNearest } from '../../core/nearest-name.ts';
import { canonicalJson } from '../../deployment/canonical-json.ts';
import type { AppFacts, AppsReading, AssignmentFacts } from '../../deployment/checks/app.ts';
import { quoteText, toReadFailure } from '../../deployment/finding.ts';
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { computeSha256 } from '../../sha256.ts';
import { readRecord, readRecords, readString } from '../read.ts';
import { attempt } from './attempt.ts';
import { type Graph, parseObject, readPages, toOptionalGraph } from './graph.ts';
import { guidPattern } from './settings.ts';

/** `facts` is undefined where the permission to read the app is missing. */
export interface AppDefinition {
  readonly id: string;
  readonly facts: AppFacts | undefined;
}

const appsPath = '/v1.0/deviceAppManagement/mobileApps';
const appPermission = 'DeviceManagementApps.Read.All';
const win32AppODataType = '#microsoft.graph.win32LobApp';

/** Each app once, ordered by id, even where the settings name it twice. */
export async function readApps(graph: Graph, named: readonly string[]): Promise<AppDefinition[]> {
  const ids = await Promise.all(
    named.map((name) => (guidPattern.test(name) ? name.toLowerCase() : findAppId(graph, name))),
  );
  return Promise.all([...new Set(ids)].sort().map((id) => readApp(graph, id)));
}

async function readApp(graph: Graph, id: string): Promise<AppDefinition> {
  // One request is enough where the service can expand; elsewhere the assignments have a request of their own.
  const expanded = await attempt(graph, () => readAppBody(toOptionalGraph(graph), id, '?$expand=assignments'));
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
  const url = `${appsPath}/${id}${query}`;
  const isOptional = query !== '';
  return graph.client.send({ url, alsoUnderstood: [403, 404], isOptional }, (answer) => {
    if (answer.status === 404) {
      return 'missing';
    }
    return answer.status === 403 ? 'forbidden' : parseObject(answer, graph.who);
  });
}

/** Only the fields that checks need, and in memory only: the install command line may contain a secret. */
function toAppFacts(id: string, body: Record<string, unknown>, assignments: AppFacts['assignments']): AppFacts {
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

/** A long list of assignments has its own collection with further pages. Without them, the night goes on. */
async function readAssignments(
  graph: Graph,
  id: string,
  body: Record<string, unknown>,
): Promise<AppFacts['assignments']> {
  if (Array.isArray(body.assignments) && typeof body['assignments@odata.nextLink'] !== 'string') {
    return readRecords(body.assignments).map(toAssignmentFacts);
  }
  const { value, failure } = await attempt(graph, () => readAssignmentPages(graph, id));
  return value ?? { ...toReadFailure(failure), why: `its assignments could not be read [${failure.code}]` };
}

async function readAssignmentPages(graph: Graph, id: string): Promise<AssignmentFacts[]> {
  const all: AssignmentFacts[] = [];
  for await (const page of readPages(graph, `${appsPath}/${id}/assignments`, '', { isOptional: true })) {
    all.push(...page.rows.map(toAssignmentFacts));
  }
  return all;
}

function toAssignmentFacts({ intent, target }: Record<string, unknown>): AssignmentFacts {
  const { '@odata.type': type, groupId } = readRecord(target) ?? {};
  return {
    intent: readString(intent),
    target: readString(type).replace('#microsoft.graph.', ''),
    groupId: typeof groupId === 'string' ? groupId : undefined,
  };
}

/** If one app is forbidden, all count as unread: the permission is the tenant's. */
export function toAppsReading(apps: readonly AppDefinition[]): AppsReading {
  const facts = apps.flatMap((app) => app.facts ?? []);
  if (facts.length === apps.length) {
    return facts;
  }
  const why = `cannot be read: the application permission ${appPermission} is missing`;
  return { is: 'unread', why, advice: `Grant the application permission ${appPermission}.` };
}

/** Why no app could be read, as a finding besides the error. */
export function toAppsFailure(error: MusterError): AppsReading {
  if (error.code === 'app-missing' || error.code === 'app-ambiguous') {
    const why = error.code === 'app-missing' ? 'an app in the settings does not exist' : 'several apps have that name';
    return { is: 'absent', why, advice: 'Put the id of the app in the settings.' };
  }
  if (error.code === 'licence-missing') {
    return {
      is: 'unread',
      why: 'the tenant has no active Microsoft Intune licence',
      advice: 'Assign one in the Microsoft 365 admin centre, or correct tenantId in the settings.',
    };
  }
  return {
    ...toReadFailure(error),
    advice: `Check that ${appPermission} is granted. README, "When something goes wrong", explains the code.`,
  };
}

/** Without `$top`, which this list is known to answer with 500. The name must match exactly, whatever the filter returns. */
async function findAppId(graph: Graph, name: string): Promise<string> {
  const filter = `$filter=${encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`)}`;
  const found: Record<string, unknown>[] = [];
  for await (const page of readPages(graph, appsPath, filter)) {
    found.push(...page.rows.filter((app) => app.displayName === name && guidPattern.test(String(app.id))));
  }
  // A macOS package of the same name does not make the name ambiguous.
  const ofWindows = found.filter((app) => app['@odata.type'] === win32AppODataType);
  const candidates = (ofWindows.length > 0 ? ofWindows : found).map((app) => String(app.id).toLowerCase());
  const [id, ...others] = new Set(candidates);
  if (id === undefined) {
    throw createAppMissingError(graph.who, name, await findNearestApp(graph, name));
  }
  if (others.length === 0) {
    return id;
  }
  const all = [id, ...others].sort().join(', ');
  throw new MusterError(
    'app-ambiguous',
    `${graph.who} has ${others.length + 1} apps called "${name}": ${all}. Put the ids of the right ones in the settings.`,
  );
}

/** What the instrument of tonight is compared with, and what the report says about it. */
interface InstrumentContext {
  readonly who: string;
  /** Whether assignments have filters; undefined where the report was not read or does not say. */
  readonly hasFilters: boolean | undefined;
  readonly remembered: Instrument | undefined;
}

/**
 * The ids of the apps, and a fingerprint of what decides the states: detection rules, assignments, and whether these
 * have filters. Where the last is not known, it is taken to be as it was.
 */
export function buildAppInstrument(
  apps: readonly AppDefinition[],
  { who, hasFilters, remembered }: InstrumentContext,
): Instrument {
  const id = apps.map((app) => app.id).join(',');
  const decisive = listDecisiveParts(apps);
  if (decisive === undefined) {
    return { id };
  }
  const withoutFilters = hashDecisiveParts(decisive, who);
  const withFilters = hashDecisiveParts([...decisive, 'assignment filters'], who);
  const filtered = hasFilters ?? remembered?.fingerprint === withFilters;
  return { id, fingerprint: filtered ? withFilters : withoutFilters };
}

/** Undefined where anything of an app could not be read. */
function listDecisiveParts(apps: readonly AppDefinition[]): unknown[] | undefined {
  const parts = apps.flatMap(({ facts }) => {
    if (facts === undefined || 'is' in facts.assignments) {
      return [];
    }
    const assignments = facts.assignments.map(({ intent, target, groupId }) =>
      canonicalJson([intent, target, groupId]),
    );
    return [[facts.detectionRules, assignments.sort()]];
  });
  return parts.length === apps.length ? parts : undefined;
}

function hashDecisiveParts(decisive: readonly unknown[], who: string): string {
  try {
    return computeSha256(canonicalJson(decisive));
  } catch (error) {
    // Writing JSON is recursive and can overflow the stack; reading it is not.
    if (error instanceof RangeError) {
      throw createUnreadableAnswerError(who, 'a detection rule that is nested too deeply');
    }
    throw error;
  }
}

/** For a person who mistyped; where the names cannot be listed, nothing is suggested. */
async function findNearestApp(graph: Graph, name: string): Promise<string | undefined> {
  const { value: names = [] } = await attempt(graph, async () => {
    const found: string[] = [];
    for await (const page of readPages(toOptionalGraph(graph), appsPath, '$select=id,displayName')) {
      found.push(...page.rows.flatMap(({ displayName }) => (typeof displayName === 'string' ? [displayName] : [])));
    }
    return found;
  });
  return findNearest(name, names);
}

function createAppMissingError(who: string, named: string, near?: string): MusterError {
  const question = near === undefined ? '' : ` Did you mean ${quoteText(near)}?`;
  return new MusterError(
    'app-missing',
    `${who} has no app "${named}".${question} Check its id or exact display name in the settings; an upgraded app has a new id.`,
  );
}
