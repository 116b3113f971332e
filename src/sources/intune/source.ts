/** Microsoft Intune as a source: which Windows devices there are, and what its detection says of the app on each. */
import { byCodePoint } from '../../core/order.ts';
import { nothingAsked } from '../../deployment/deployment-settings.ts';
import { nothingOfWindows, type WindowsRead, windowsFindings } from '../../deployment/windows-checks.ts';
import { MusterError } from '../../errors.ts';
import type { Ask, Sheet, Source } from '../source.ts';
import { readReport } from './app-report.ts';
import { type AppDefinition, absenceOf, instrumentOf, readApps, readAppsOf } from './apps.ts';
import { readGroups, readRoles } from './deployment.ts';
import { readDevices, readOverview } from './devices.ts';
import { connect, type Graph, type Tenant } from './graph.ts';
import { deviceKey, parseDevice, rowsByDevice } from './parse.ts';
import type { ReportRow } from './report.ts';
import type { IntuneSettings } from './settings.ts';

interface IntuneTools {
  /** Longest silence in milliseconds. */
  readonly idle?: number;
}

export function intuneSource(settings: IntuneSettings, tools: IntuneTools = {}): Source {
  return {
    name: settings.name,
    kind: 'intune',
    population: settings.population,
    read: (ask, sheet) => read(settings, tools, ask, sheet),
  };
}

async function read(settings: IntuneSettings, tools: IntuneTools, ask: Ask, sheet: Sheet): Promise<void> {
  // When one half has failed, the other need not go on.
  const stop = new AbortController();
  const graph = connect(settings, {
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

  const note = notesOf(settings, ask, sheet);
  tell('looking for the app');
  // Made also where the app cannot be found, or the devices cannot be listed.
  const others = readOthers(graph, settings, note);
  const apps = await findApps(graph, settings, sheet, note).catch(async (error: unknown) => {
    await others;
    throw error;
  });
  // The export takes the service a while: it is asked for before the walk and needed only after it.
  const reports = readReports(graph, apps, ask, sheet);
  const overview = readOverview(graph).then((count) => {
    if (count !== undefined) sheet.receipt.overview = count;
  });
  const walk = readDevices(graph, sheet.receipt, () => tell('listing devices'));
  const settled = Promise.allSettled([reports, overview, walk]);
  try {
    const devices = await walk;
    tell('waiting for the app report');
    const rows = rowsByDevice(await reports);
    await overview;
    sheet.devices = devices
      .map((device) => parseDevice(device, rows.get(deviceKey(device.id)) ?? []))
      .sort((one, other) => byCodePoint(one.id, other.id));
    note({ devices: sheet.devices.length });
    await others;
  } catch (error) {
    await others;
    stop.abort(error);
    await settled;
    throw error;
  }
}

type Note = (part: Partial<WindowsRead>) => void;

/** Everything read so far, and the findings it makes, on the sheet at every moment. */
function notesOf({ deployment }: IntuneSettings, ask: Ask, sheet: Sheet): Note {
  const { slot, moment } = ask;
  let read = nothingOfWindows;
  const note: Note = (part) => {
    read = { ...read, ...part };
    sheet.findings = windowsFindings(deployment ?? nothingAsked, read, { slot, moment });
  };
  note({});
  return note;
}

async function readOthers(graph: Tenant, { deployment }: IntuneSettings, note: Note): Promise<void> {
  note({ groups: await readGroups(graph, deployment?.windows.groups ?? []) });
  note({ roles: await readRoles(graph) });
}

async function findApps(
  graph: Graph,
  settings: IntuneSettings,
  sheet: Sheet,
  note: Note,
): Promise<readonly AppDefinition[]> {
  try {
    const apps = await readApps(graph, settings.apps);
    sheet.instrument = instrumentOf(apps, graph.who);
    note({ apps: readAppsOf(apps) });
    return apps;
  } catch (error) {
    if (error instanceof MusterError && !graph.signal.aborted) note({ apps: absenceOf(error) });
    throw error;
  }
}

/** The rows of all apps, pooled; each app's report is proved complete on its own. */
async function readReports(graph: Graph, apps: readonly AppDefinition[], ask: Ask, sheet: Sheet): Promise<ReportRow[]> {
  const { instrument, answers } = ask.remembered;
  // What another choice of apps had says nothing about these.
  const remembered = instrument?.id === undefined || instrument.id === sheet.instrument.id ? (answers ?? 0) : 0;
  const counts = new Map<string, { readonly rows: number; readonly total: number }>();
  const reports = await Promise.all(
    apps.map(({ id: appId }) =>
      readReport(graph, {
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
  if (rows.length > 0 || remembered === 0) return rows;
  throw new MusterError(
    'rows-missing',
    `${graph.who} has no row in any app's report, where the last good night had ${remembered}. ` +
      'Check in the admin centre that the apps are still assigned.',
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
