/** Microsoft Intune as a source: its Windows devices, and the detection result of the app on each. */
import type { DeviceFacts } from '../../core/facts.ts';
import { sortDevicesById } from '../../core/order.ts';
import { packDevices } from '../../core/packed-devices.ts';
import { unpack } from '../../core/views.ts';
import { type AnswersProof, answersProofs } from '../../core/vocabulary.ts';
import { listAssignmentGroups } from '../../deployment/checks/assignment.ts';
import { emptyDeploymentSettings } from '../../deployment/deployment-settings.ts';
import { checkWindows, emptyWindowsReading, type WindowsReading } from '../../deployment/windows-checks.ts';
import { MusterError } from '../../errors.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { ReadContext, Source, SourceReading } from '../source.ts';
import { readAppReport } from './app-report.ts';
import { type AppDefinition, buildAppInstrument, readApps, toAppsFailure, toAppsReading } from './apps.ts';
import { readAssignmentGroups, readRoles } from './deployment.ts';
import { readDevices, readOverviewCount } from './devices.ts';
import { connectGraph, type Graph, type Tenant, toOptionalGraph } from './graph.ts';
import {
  countUnlistedDevices,
  foldDeviceId,
  groupRowsByDevice,
  type ListedDevice,
  parseReportAnswers,
  type RowsByDevice,
} from './parse.ts';
import type { ReportRow } from './report.ts';
import type { IntuneSettings } from './settings.ts';
import type { OnCounted } from './synchronous-report.ts';

interface IntuneReadOptions {
  /** Idle timeout in milliseconds. */
  readonly idle?: number;
}

export function createIntuneSource(settings: IntuneSettings, options: IntuneReadOptions = {}): Source {
  return {
    name: settings.name,
    kind: 'intune',
    ...omitUndefined({ address: settings.adminCenter }),
    population: settings.population,
    read: (context, reading) => readIntune(settings, options, context, reading),
  };
}

async function readIntune(
  settings: IntuneSettings,
  options: IntuneReadOptions,
  context: ReadContext,
  reading: SourceReading,
): Promise<void> {
  // When the devices or the reports fail, the other requests stop.
  const stop = new AbortController();
  const graph = connectGraph(settings, {
    ...options,
    clock: context.clock,
    signal: AbortSignal.any([context.signal, stop.signal]),
    ...omitUndefined({ deadline: context.deadline, patience: context.patience }),
    onRetry: () => {
      reading.receipt.retries += 1;
    },
  });
  const reportProgress = (doing: string) => {
    const { pages, received, retries } = reading.receipt;
    context.progress({ pages, rows: received, retries, doing });
  };

  const record = createWindowsRecorder(settings, context, reading);
  reportProgress('looking for the app');
  // These checks are made even if the app is not found or the devices cannot be listed.
  const others = readGroupsAndRoles(toOptionalGraph(graph), settings, record);
  const apps = await findApps(graph, settings, context, reading, record).catch(async (error: unknown) => {
    await others;
    throw error;
  });
  // The service needs time for the export, so it starts before the devices are listed and is awaited after.
  const reports = readAppReports(graph, apps, context, reading).then((rows) => {
    const hasFilters = findFilters(rows);
    reading.instrument = buildAppInstrument(apps, toInstrumentContext(graph, context, hasFilters));
    record({ hasFilters });
    return groupRowsByDevice(rows);
  });
  const overview = readOverviewCount(graph).then((count) => {
    if (count !== undefined) {
      reading.receipt.overview = count;
    }
  });
  const walk = readDevices(graph, reading.receipt, () => reportProgress('listing devices'));
  const settled = Promise.allSettled([reports, overview, walk]);
  try {
    const listed = await walk;
    reportProgress('waiting for the app report');
    const rows = await reports;
    await overview;
    reading.receipt.unlisted = countUnlistedDevices(rows, listed);
    reading.devices = packDevices(addAnswers(sortDevicesById(listed), rows));
    record({ devices: reading.devices.length });
    await others;
  } catch (error) {
    await others;
    stop.abort(error);
    await settled;
    throw error;
  }
}

/** The Windows devices, each with its rows. */
function* addAnswers(listed: readonly ListedDevice[], rows: RowsByDevice): Generator<DeviceFacts> {
  for (const { id, facts } of listed) {
    if (facts !== undefined) {
      yield { ...unpack(facts), answers: parseReportAnswers(rows.take(foldDeviceId(id))) };
    }
  }
}

type WindowsRecorder = (part: Partial<WindowsReading>) => void;

/** Collects what is read, and keeps the findings in the reading up to date after each part. */
function createWindowsRecorder(
  { deployment }: IntuneSettings,
  context: ReadContext,
  reading: SourceReading,
): WindowsRecorder {
  const { slot, moment } = context;
  let read = emptyWindowsReading;
  const record: WindowsRecorder = (part) => {
    read = { ...read, ...part };
    reading.findings = checkWindows(deployment ?? emptyDeploymentSettings, read, { slot, moment });
  };
  record({});
  return record;
}

async function readGroupsAndRoles(
  graph: Tenant,
  { deployment }: IntuneSettings,
  record: WindowsRecorder,
): Promise<void> {
  const named = listAssignmentGroups(deployment?.windows ?? {});
  record({ groups: await readAssignmentGroups(graph, named) });
  record({ roles: await readRoles(graph) });
}

async function findApps(
  graph: Graph,
  settings: IntuneSettings,
  context: ReadContext,
  reading: SourceReading,
  record: WindowsRecorder,
): Promise<readonly AppDefinition[]> {
  try {
    const apps = await readApps(graph, settings.apps);
    reading.instrument = buildAppInstrument(apps, toInstrumentContext(graph, context, undefined));
    record({ apps: toAppsReading(apps) });
    return apps;
  } catch (error) {
    if (error instanceof MusterError && !graph.signal.aborted) {
      record({ apps: toAppsFailure(error) });
    }
    throw error;
  }
}

function toInstrumentContext({ who }: Graph, { remembered }: ReadContext, hasFilters: boolean | undefined) {
  return { who, hasFilters, remembered: remembered.instrument };
}

/** Whether the assignments have filters; undefined where no row says so. */
function findFilters(rows: readonly ReportRow[]): boolean | undefined {
  const known = rows.flatMap(({ hasFilter }) => hasFilter ?? []);
  return known.length === 0 ? undefined : known.includes(true);
}

/** The rows of all apps together; each app's report is proved complete on its own. */
async function readAppReports(
  graph: Graph,
  apps: readonly AppDefinition[],
  context: ReadContext,
  reading: SourceReading,
): Promise<ReportRow[]> {
  const { instrument, answers } = context.remembered;
  // A previous reading of other apps cannot be compared with these.
  const remembered = instrument?.id === undefined || instrument.id === reading.instrument.id ? (answers ?? 0) : 0;
  const counts = new Map<string, Parameters<OnCounted>[0]>();
  const reports = await Promise.all(
    apps.map(({ id: appId }) =>
      readAppReport(graph, {
        appId,
        baseline: apps.length === 1 ? remembered : undefined,
        onCounted: (count) => {
          counts.set(appId, count);
          recordCounts(reading.receipt, [...counts.values()]);
        },
      }),
    ),
  );
  const rows = reports.flatMap((report) => report.rows);
  const proofs = reports.map(({ proof }) => proof);
  Object.assign(
    reading.receipt,
    omitUndefined({ answersProof: proofsWeakestFirst.find((proof) => proofs.includes(proof)) }),
  );
  if (rows.length > 0 || remembered === 0) {
    return rows;
  }
  throw new MusterError(
    'rows-missing',
    `${graph.who} returned no row in any app's report, where the last good run had ${remembered}. ` +
      'Check in the admin centre that the apps are still assigned.',
  );
}

const proofsWeakestFirst = Object.keys(answersProofs) as readonly AnswersProof[];

function recordCounts(receipt: SourceReading['receipt'], counts: readonly Parameters<OnCounted>[0][]): void {
  receipt.answersReceived = sum(counts.map(({ rows }) => rows));
  const totals = counts.flatMap(({ total }) => total ?? []);
  if (totals.length === counts.length) {
    receipt.answersClaimed = sum(totals);
  } else {
    delete receipt.answersClaimed;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
