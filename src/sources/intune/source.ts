/** Microsoft Intune as a source: which Windows devices there are, and what its detection says of the app on each. */
import { compareCodePoints } from '../../core/order.ts';
import { emptyDeploymentSettings } from '../../deployment/deployment-settings.ts';
import { checkWindows, emptyWindowsReading, type WindowsReading } from '../../deployment/windows-checks.ts';
import { MusterError } from '../../errors.ts';
import type { ReadContext, Source, SourceReading } from '../source.ts';
import { readAppReport } from './app-report.ts';
import { type AppDefinition, buildAppInstrument, readApps, toAppsFailure, toAppsReading } from './apps.ts';
import { readAssignmentGroups, readRoles } from './deployment.ts';
import { readDevices, readOverviewCount } from './devices.ts';
import { connectGraph, type Graph, type Tenant } from './graph.ts';
import { foldDeviceId, groupRowsByDevice, parseDevice } from './parse.ts';
import type { ReportRow } from './report.ts';
import type { IntuneSettings } from './settings.ts';

interface IntuneReadOptions {
  /** Longest silence in milliseconds. */
  readonly idle?: number;
}

export function createIntuneSource(settings: IntuneSettings, tools: IntuneReadOptions = {}): Source {
  return {
    name: settings.name,
    kind: 'intune',
    population: settings.population,
    read: (ask, sheet) => readIntune(settings, tools, ask, sheet),
  };
}

async function readIntune(
  settings: IntuneSettings,
  tools: IntuneReadOptions,
  ask: ReadContext,
  sheet: SourceReading,
): Promise<void> {
  // When one half has failed, the other need not go on.
  const stop = new AbortController();
  const graph = connectGraph(settings, {
    ...tools,
    clock: ask.clock,
    signal: AbortSignal.any([ask.signal, stop.signal]),
    ...(ask.deadline === undefined ? {} : { deadline: ask.deadline }),
    onRetry: () => {
      sheet.receipt.retries += 1;
    },
  });
  const tell = (doing: string) => {
    const { pages, received, retries } = sheet.receipt;
    ask.progress({ pages, rows: received, retries, doing });
  };

  const note = createWindowsRecorder(settings, ask, sheet);
  tell('looking for the app');
  // Made also where the app cannot be found, or the devices cannot be listed.
  const others = readGroupsAndRoles(graph, settings, note);
  const apps = await findApps(graph, settings, sheet, note).catch(async (error: unknown) => {
    await others;
    throw error;
  });
  // The export takes the service a while: it is asked for before the walk and needed only after it.
  const reports = readAppReports(graph, apps, ask, sheet);
  const overview = readOverviewCount(graph).then((count) => {
    if (count !== undefined) {
      sheet.receipt.overview = count;
    }
  });
  const walk = readDevices(graph, sheet.receipt, () => tell('listing devices'));
  const settled = Promise.allSettled([reports, overview, walk]);
  try {
    const devices = await walk;
    tell('waiting for the app report');
    const rows = groupRowsByDevice(await reports);
    await overview;
    sheet.devices = devices
      .map((device) => parseDevice(device, rows.get(foldDeviceId(device.id)) ?? []))
      .sort((one, other) => compareCodePoints(one.id, other.id));
    note({ devices: sheet.devices.length });
    await others;
  } catch (error) {
    await others;
    stop.abort(error);
    await settled;
    throw error;
  }
}

type WindowsRecorder = (part: Partial<WindowsReading>) => void;

/** Everything read so far, and the findings it makes, on the sheet at every moment. */
function createWindowsRecorder(
  { deployment }: IntuneSettings,
  ask: ReadContext,
  sheet: SourceReading,
): WindowsRecorder {
  const { slot, moment } = ask;
  let read = emptyWindowsReading;
  const note: WindowsRecorder = (part) => {
    read = { ...read, ...part };
    sheet.findings = checkWindows(deployment ?? emptyDeploymentSettings, read, { slot, moment });
  };
  note({});
  return note;
}

async function readGroupsAndRoles(graph: Tenant, { deployment }: IntuneSettings, note: WindowsRecorder): Promise<void> {
  note({ groups: await readAssignmentGroups(graph, deployment?.windows.groups ?? []) });
  note({ roles: await readRoles(graph) });
}

async function findApps(
  graph: Graph,
  settings: IntuneSettings,
  sheet: SourceReading,
  note: WindowsRecorder,
): Promise<readonly AppDefinition[]> {
  try {
    const apps = await readApps(graph, settings.apps);
    sheet.instrument = buildAppInstrument(apps, graph.who);
    note({ apps: toAppsReading(apps) });
    return apps;
  } catch (error) {
    if (error instanceof MusterError && !graph.signal.aborted) {
      note({ apps: toAppsFailure(error) });
    }
    throw error;
  }
}

/** The rows of all apps, pooled; each app's report is proved complete on its own. */
async function readAppReports(
  graph: Graph,
  apps: readonly AppDefinition[],
  ask: ReadContext,
  sheet: SourceReading,
): Promise<ReportRow[]> {
  const { instrument, answers } = ask.remembered;
  // What another choice of apps had says nothing about these.
  const remembered = instrument?.id === undefined || instrument.id === sheet.instrument.id ? (answers ?? 0) : 0;
  const counts = new Map<string, { readonly rows: number; readonly total: number }>();
  const reports = await Promise.all(
    apps.map(({ id: appId }) =>
      readAppReport(graph, {
        appId,
        baseline: apps.length === 1 ? remembered : undefined,
        onCounted: (count) => {
          counts.set(appId, count);
          sheet.receipt.answersReceived = sum([...counts.values()].map(({ rows }) => rows));
          sheet.receipt.answersClaimed = sum([...counts.values()].map(({ total }) => total));
        },
      }),
    ),
  );
  const rows = reports.flat();
  if (rows.length > 0 || remembered === 0) {
    return rows;
  }
  throw new MusterError(
    'rows-missing',
    `${graph.who} has no row in any app's report, where the last good night had ${remembered}. ` +
      'Check in the admin centre that the apps are still assigned.',
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
