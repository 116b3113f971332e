/** Microsoft Intune as a source: which Windows devices there are, and what its detection says of the app on each. */
import { byCodePoint } from '../../core/order.ts';
import { MusterError } from '../../errors.ts';
import type { Ask, Sheet, Source } from '../source.ts';
import { readReport } from './app-report.ts';
import { type AppDefinition, instrumentOf, judgeAbsence, judgeApps, readApps } from './apps.ts';
import { readDevices, readOverview } from './devices.ts';
import { connect, type Graph } from './graph.ts';
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
    platform: 'windows',
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

  tell('looking for the app');
  const apps = await findApps(graph, settings, sheet);
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
  } catch (error) {
    stop.abort(error);
    await settled;
    throw error;
  }
}

async function findApps(graph: Graph, settings: IntuneSettings, sheet: Sheet): Promise<AppDefinition[]> {
  try {
    const apps = await readApps(graph, settings.apps);
    sheet.instrument = instrumentOf(apps);
    sheet.findings.push(judgeApps(apps));
    return apps;
  } catch (error) {
    if (error instanceof MusterError && !graph.signal.aborted) sheet.findings.push(judgeAbsence(error));
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
