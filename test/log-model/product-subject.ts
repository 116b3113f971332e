/** The product as a subject of the schedules: each kind of run by the functions that the command line and the function call. */
import { MusterError } from '../../src/base/errors.ts';
import { toExitCode } from '../../src/cli/console/failure.ts';
import { readSettings, type Settings } from '../../src/compose/read-settings.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { runPreparedNight } from '../../src/compose/start.ts';
import type { Clock } from '../../src/http/clock.ts';
import { correctRuns } from '../../src/lambda/corrections.ts';
import type { RequestedCorrection } from '../../src/lambda/run-request.ts';
import type { Report } from '../../src/reports/report.ts';
import type { Parts } from '../../src/run/parts.ts';
import { findMoment, resolveScheduledSlot, resolveSlot, type Slot } from '../../src/settings/schedule/schedule.ts';
import type { Store } from '../../src/storage/store.ts';
import { makeSigning } from '../storage/make-signing.ts';
import { reports as reportNames } from './commit.ts';
import { createMemoryStore } from './memory-store.ts';
import { describeProduct } from './product-description.ts';
import { createFleet } from './product-fleet.ts';
import { formatDay, type RunPlan } from './schedule.ts';
import type { LogSubject, SubjectRun } from './subject.ts';

export function createProductSubject(): LogSubject {
  const { store, files } = createMemoryStore('store');
  const { store: audit, files: auditFiles } = createMemoryStore('audit');
  const labels = new Map<string, string>();
  let suspectAnswers = 0;
  const countSuspect = () => {
    suspectAnswers += 1;
    return suspectAnswers;
  };
  return {
    store,
    audit,
    play: (run) => playProductRun({ ...run, store: labelAttempts(run, labels) }, countSuspect),
    describe: async ({ isSigned, hasAudit }) => {
      const keys = isSigned ? await signing.readKeys() : undefined;
      return describeProduct({ store, files, audit: hasAudit ? audit : undefined, auditFiles, labels, keys });
    },
    makeFailure: ({ kind, key }) => new MusterError('store-unreachable', `No answer came to: ${kind} ${key}.`),
  };
}

/** Notes which attempts a run makes, in their order, under the label of the run. */
function labelAttempts({ label, store }: SubjectRun, labels: Map<string, string>): Store {
  let attempts = 0;
  return {
    ...store,
    create(key, body) {
      const [, attempt] = /^runs\/[^/]+\/([^/]+)\//.exec(key) ?? [];
      if (attempt !== undefined && !labels.has(attempt)) {
        attempts += 1;
        labels.set(attempt, `${label}-${attempts}`);
      }
      return store.create(key, body);
    },
  };
}

async function playProductRun(run: SubjectRun, countSuspect: () => number): Promise<number> {
  const { plan } = run;
  const settings = { ...baseSettings, retention: { nights: plan.retention } };
  const parts = createParts(run, countSuspect);
  try {
    const correction = findCorrection(plan);
    if (correction !== undefined) {
      const context = { parts, keptNights: plan.retention, by: 'somebody' };
      return (await correctRuns(correction, context)).outcome.exit;
    }
    const slot = findSlot(plan, parts.clock.now());
    return (await runPreparedNight({ settings, folder: '/', parts }, slot, { dryRun: false })).exit;
  } catch (error) {
    if (!(error instanceof MusterError)) {
      throw error;
    }
    return toExitCode(error);
  }
}

function findCorrection({ kind, slot }: RunPlan): RequestedCorrection | undefined {
  switch (kind) {
    case 'accept':
      return { action: 'accept', slot: formatDay(slot) };
    case 'retract':
      return { action: 'retract', slot: formatDay(slot), why: 'a schedule' };
    case 'prune':
      return { action: 'prune' };
    default:
      return undefined;
  }
}

function findSlot({ kind, slot }: RunPlan, now: Date): Slot {
  const { schedule } = baseSettings;
  const day = formatDay(slot);
  const moment = findMoment(schedule, day) ?? now;
  switch (kind) {
    case 'run':
      return resolveSlot(schedule, day, now);
    case 'scheduled':
      return resolveScheduledSlot(schedule, moment, now);
    default:
      return { slot: day, moment, heals: true };
  }
}

function createParts({ plan, label, store, audit, isSigned }: SubjectRun, countSuspect: () => number): Parts {
  return {
    store,
    ...(audit && { audit }),
    ...(isSigned && { signing }),
    sources: [createFleet(plan, countSuspect)],
    privacy: { users: 'show' },
    clock: createClock(plan, label),
    patience: 0,
    signal: new AbortController().signal,
    tables: [],
    reports,
    rules: sourceRules,
  };
}

/** A clock of the plan's day that goes on at every look, later in later runs, so that attempts are listed as the model's. */
function createClock({ clockDay }: RunPlan, label: string): Clock {
  const [, group = '', run = ''] = /^g(\d+)r(\d+)$/.exec(label) ?? [];
  let now = Date.parse(`${formatDay(clockDay)}T12:00:00Z`) + Number(group) * 60_000 + Number(run) * 1_000;
  return {
    now: () => {
      now += 1;
      return new Date(now);
    },
    elapsed: () => 0,
    sleep: async () => undefined,
  };
}

/** Reports as the model has them: no two attempts have the same bytes, so that it shows whose copy one is. */
const reports = reportNames.map((file): Report => ({ file, render: renderUnlikeAny }));

let rendered = 0;

async function* renderUnlikeAny(): AsyncGenerator<Buffer> {
  rendered += 1;
  yield Buffer.from(`report ${rendered}\n`);
}

const baseSettings = readBaseSettings();

function readBaseSettings(): Settings {
  const { settings, problems } = readSettings(`
sources: [{ name: macs, platform: jamf, url: "https://jamf.example.com", auth: { clientId: id, clientSecret: "env:SECRET" }, extensionAttribute: Agent }]
store: ./store
policy: { breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 100, minimumDevices: 1 } }
`);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  return settings;
}

const signing = makeSigning();
