/** Microsoft Intune as a source: its Windows devices, and the detection result of the app on each. */
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { sortDevicesById } from '../../core/text/order.ts';
import type { CheckContext } from '../../deployment/checks/check.ts';
import { hasRightRule } from '../../deployment/checks/intune/app.ts';
import { listAssignmentGroups } from '../../deployment/checks/intune/assignments.ts';
import { intuneChecks } from '../../deployment/checks/intune/checks.ts';
import type { IntuneReading } from '../../deployment/checks/intune/reading.ts';
import { createRecorder, ReadingProgress, type Recorder } from '../reading/progress.ts';
import type { ReadContext, Source, SourceReading } from '../source.ts';
import { addAnswers, findFilters, readAppReports } from './answers.ts';
import { type AppDefinition, readApps } from './apps.ts';
import { connectGraph, type Graph, toOptionalGraph } from './client.ts';
import { readAssignmentGroups, readRoles } from './deployment.ts';
import { buildAppInstrument, toAppsFailure, toAppsReading } from './instrument.ts';
import { readDevices } from './list/devices.ts';
import { readOverviewCount } from './list/inventory.ts';
import { foldDeviceId, groupRowsByDevice, listUnlistedDevices, type RowsByDevice } from './parse.ts';
import type { IntuneSettings } from './settings.ts';

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

/** Shared by the steps of one reading. */
interface IntuneRun {
  readonly graph: Graph;
  readonly settings: IntuneSettings;
  readonly context: ReadContext;
  readonly reading: SourceReading;
  readonly check: CheckContext;
  readonly record: Recorder<IntuneReading>;
}

async function readIntune(
  settings: IntuneSettings,
  options: IntuneReadOptions,
  context: ReadContext,
  reading: SourceReading,
): Promise<void> {
  const progress = new ReadingProgress(context, reading);
  // Aborts the other requests when the devices or the reports fail.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const graph = connectGraph(settings, { ...context, signal }, options, progress.onRetry);
  const check = { settings: settings.deployment, slot: context.slot, moment: context.moment };
  const record = createRecorder<IntuneReading>(reading, intuneChecks, check, {});
  const run: IntuneRun = { graph, settings, context, reading, check, record };
  progress.begin('looking for the app');
  // Runs at the same time: nothing is published before a fault of an app is known.
  const found = findApps(run);
  const reports = found.then((apps) => readAnswers(run, apps));
  const overview = readOverviewCount(graph);
  const { receipt } = reading;
  const onPage = () => progress.begin('listing devices');
  const walk = readDevices({ graph, remembered: context.remembered, receipt, onPage, reports, overview });
  // These checks are made even if the app is missing or the devices cannot be listed.
  const others = readGroupsAndRoles(run);
  const settled = Promise.allSettled([walk, reports, overview]);
  try {
    await found;
    const { devices: listed, repeated } = await walk;
    progress.begin('waiting for the app report');
    const rows = await reports;
    Object.assign(receipt, omitUndefined({ overview: await overview }));
    reading.unlisted = listUnlistedDevices(rows, listed);
    reading.receipt.unlisted = reading.unlisted.length;
    reading.devices = addAnswers(sortDevicesById(listed), rows);
    reading.repeated = reading.devices.map(({ id }) => id).filter((id) => repeated.has(foldDeviceId(id)));
    record({ devices: reading.devices.length });
    await others;
  } catch (error) {
    await others;
    stop.abort(error);
    await settled;
    throw error;
  }
}

async function readAnswers(run: IntuneRun, apps: readonly AppDefinition[]): Promise<RowsByDevice> {
  const rows = await readAppReports(run.graph, apps, run.context, run.reading);
  const hasFilters = findFilters(rows);
  recordInstrument(run, apps, hasFilters);
  run.record({ hasFilters });
  return groupRowsByDevice(rows);
}

async function readGroupsAndRoles({ graph, settings, record }: IntuneRun): Promise<void> {
  const optional = toOptionalGraph(graph);
  const named = listAssignmentGroups(settings.deployment.windows);
  record({ groups: await readAssignmentGroups(optional, named) });
  record({ roles: await readRoles(optional) });
}

async function findApps(run: IntuneRun): Promise<readonly AppDefinition[]> {
  const { graph, settings, check, record } = run;
  try {
    const { apps, leftOut } = await readApps(graph, settings.apps, (app) => hasRightRule(app, check));
    recordInstrument(run, apps, undefined);
    record({ apps: toAppsReading(apps), appsLeftOut: leftOut });
    return apps;
  } catch (error) {
    if (error instanceof MusterError && !graph.signal.aborted) {
      record({ apps: toAppsFailure(error) });
    }
    throw error;
  }
}

function recordInstrument(run: IntuneRun, apps: readonly AppDefinition[], hasFilters: boolean | undefined): void {
  const { graph, context, reading } = run;
  reading.instrument = buildAppInstrument(apps, {
    who: graph.who,
    hasFilters,
    remembered: context.remembered.instrument,
  });
}
