/** What happened to runs, judged apart from machines: which are kept, and alerts about channels, the store and clocks. */
import { describe, expect, test } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { areRemindersDue, reconcile } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { HeldBack, KeptRun, OperationsFacts, OwedWork, RunsLeft } from '../../src/core/facts/operations.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { decideKeptRuns } from '../../src/run/operations/kept-runs.ts';
import { decideOperationsAlerts } from '../../src/run/operations/operations-alerts.ts';
import { endRetractedAlerts } from '../../src/run/operations/retracted-alerts.ts';
import { facts, nights, openAlert, slot } from '../core/world.ts';

const slots = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => slot(from + index));
const kept = (night: number, number = night): KeptRun => ({ slot: slot(night), number, sha256: `hash of ${number}` });
const owe = (work: OwedWork['work'], ...of: Parameters<typeof kept>): OwedWork => ({ work, run: kept(...of) });

/** The runs that a run leaves which begins where another one, of these figures, is the head. */
function leave(night: number, changes: Partial<OperationsFacts>, before: RunsLeft = { kept: [] }, head?: KeptRun) {
  const runsBefore = head && { ...before, kept: [...before.kept, head] };
  return decideKeptRuns({ slot: slot(night) }, { keptNights: 400, ...omitUndefined({ runsBefore }), ...changes });
}

/** Runs of night 1, 2, 3 … with these limits. */
function keeping(...limits: readonly number[]): RunsLeft[] {
  const all: RunsLeft[] = [];
  for (const [index, keptNights] of limits.entries()) {
    all.push(leave(index + 1, { keptNights }, all.at(-1), index === 0 ? undefined : kept(index)));
  }
  return all;
}
const slotsOf = (runs: RunsLeft | undefined) => runs?.kept.map((run) => run.slot);

describe('of the runs before it, a run', () => {
  test('keeps as many as the limit allows beside itself, and lets the oldest go where it adds a slot', () => {
    const all = keeping(3, 3, 3, 3, 3);
    expect(all.map(slotsOf)).toEqual([[], [slot(1)], slots(1, 2), slots(2, 3), slots(3, 4)]);
    expect(all.map(({ owed }) => owed)).toEqual([
      ...[undefined, undefined, undefined],
      [owe('remove', 1)],
      [owe('remove', 1), owe('remove', 2)],
    ]);
  });

  test('lets none go where it adds no slot: it heals, accepts, or takes another one back', () => {
    const [, , before] = keeping(3, 3, 3);
    expect(leave(3, { keptNights: 2 }, before, kept(3))).toEqual({ kept: [kept(1), kept(2)] });
    const back = leave(2, { keptNights: 1, retracts: retraction(3) }, before, kept(3));
    expect(slotsOf(back)).toEqual([slot(1)]);
    expect(back.owed).toEqual([owe('retract', 3)]);
  });

  test('holds several beyond the limit back, until a person lets them go', () => {
    const all = keeping(400, 400, 400, 400, ...Array<number>(20).fill(1));
    expect(all[4]?.heldBack).toEqual({ since: slot(5), nights: 4, limit: 1 });
    expect(all[23]?.heldBack).toEqual({ since: slot(5), nights: 23, limit: 1 });
    expect(slotsOf(all[23])).toEqual(slots(1, 23));
    const pruned = leave(24, { keptNights: 1, pruned: { by: 'ada', at: '2026-06-24T08:00:00Z' } }, all[23], kept(24));
    expect(pruned).toEqual({ kept: [], owed: Array.from({ length: 23 }, (_, index) => owe('remove', index + 1)) });
  });

  test('loses nothing by a limit that is raised again', () => {
    const last = keeping(400, 400, 400, 1, 400).at(-1);
    expect(last).toEqual({ kept: [1, 2, 3, 4].map((night) => kept(night)) });
  });

  test('holds them back anew where the limit is lowered again, and not where it is raised a little', () => {
    expect(keeping(400, 400, 400, 400, 2, 1).at(-1)?.heldBack?.since).toBe(slot(6));
    expect(keeping(400, 400, 400, 400, 1, 2).at(-1)?.heldBack?.since).toBe(slot(5));
  });

  test('remembers slots that were taken back, until they are run again or are older than all that is kept', () => {
    const all = keeping(3, 3, 3, 3);
    const once = leave(3, { retracts: retraction(4) }, all[3], kept(4));
    const twice = leave(2, { retracts: retraction(3) }, once, kept(3, 5));
    expect([once.retracted, twice.retracted]).toEqual([[slot(4)], slots(3, 4)]);
    expect(twice.owed).toEqual([owe('remove', 1), owe('retract', 4), owe('retract', 3, 5)]);
    expect(leave(3, {}, twice, kept(2, 6)).retracted).toEqual([slot(4)]);
    expect(leave(5, { keptNights: 2 }, twice, kept(2, 6)).retracted).toEqual(slots(3, 4));
    expect(leave(5, { keptNights: 1 }, twice, kept(2, 6))).not.toHaveProperty('retracted');
  });

  test('carries on the work that is owed, but for copies whose place this run or a newer one takes', () => {
    const owed = [owe('copy', 1), owe('copy', 2), owe('retract', 3), owe('retract', 4), owe('remove', 0)];
    const before = { kept: [kept(1)], owed };
    expect(leave(5, {}, before, kept(2)).owed).toEqual(owed);
    expect(leave(2, {}, before, kept(2)).owed).toEqual(owed.toSpliced(1, 1));
    expect(leave(3, {}, before, kept(2)).owed).toEqual(owed.toSpliced(2, 1));
  });
});

test('what is held back is said once, and how it is let go', () => {
  const all = nights({}, {}, {}, { keptNights: 1 }, { keptNights: 1 });
  const said = all.flatMap(({ events }) => events.filter(({ key }) => key === 'retention'));
  expect(said.map(({ phase, text }) => `${phase}: ${text}`)).toEqual([
    'first: 3 runs are older than retention.nights (1) allows. They are kept until a person lets them go with `muster prune --confirm`. If the limit is a mistake, raise it.',
  ]);
  expect(all.map(({ state }) => slotsOf(state.runs))).toEqual([0, 1, 2, 3, 4].map((night) => slots(1, night)));
  expect(all[4]?.state.runs.heldBack).toEqual({ since: slot(4), nights: 4, limit: 1 });
});

function retraction(night: number, open: readonly AlertState[] = [], opened: readonly AlertEvent[] = []) {
  return { slot: slot(night), by: 'ada', why: 'wrong clock', open, opened };
}

describe('the run that takes another one back', () => {
  const opening = (key: string): AlertEvent => ({
    ...{ kind: 'device.lost', key, phase: 'first', slot: slot(2), since: slot(2), text: 'It lost it.' },
    source: 'macs',
  });
  const text = `Only the run of ${slot(2)} opened this, and it was retracted.`;
  /** The run of night 1 once more, which ends with these alerts by itself. */
  const end = (decided: Parameters<typeof endRetractedAlerts>[0], ...of: Parameters<typeof retraction>) =>
    endRetractedAlerts(decided, slot(1), retraction(...of));

  test('says so, and ends an alert that only that one opened, with what it had said of it', () => {
    const { events, told } = end({ events: [], told: [] }, 2, [openAlert('device:a', 2)], [opening('device:a')]);
    expect(events).toEqual([
      {
        ...{ kind: 'run.retracted', key: `retraction:${slot(2)}`, phase: 'over', slot: slot(1), since: slot(2) },
        text: `The run of ${slot(2)} was retracted by ada: wrong clock.`,
      },
      { ...opening('device:a'), phase: 'over', slot: slot(1), text, sentAs: [{ kind: 'device.lost' }] },
    ]);
    expect(told).toEqual([]);
  });

  test('ends it without details where nobody can read what that one had said', () => {
    expect(end({ events: [], told: [] }, 2, [openAlert('device:a', 2)]).events[1]).toEqual({
      ...{ kind: 'device.lost', key: 'device:a', phase: 'over', slot: slot(1), since: slot(2), text },
      sentAs: [{ kind: 'device.lost' }],
    });
  });

  test('leaves one open that it opens too, as it was, without another event', () => {
    const open = openAlert('device:a', 2);
    const own = [opening('device:a'), opening('device:b')];
    const alerts = [openAlert('device:a', 1), openAlert('device:b', 1)];
    const { events, told } = end({ events: own, told: alerts }, 2, [open], own);
    expect(events.map(({ key, phase }) => [key, phase])).toEqual([
      [`retraction:${slot(2)}`, 'over'],
      ['device:b', 'first'],
    ]);
    expect(told).toEqual([open, alerts[1]]);
  });

  test('leaves one that was open before, and ends by its own answers what they end', () => {
    const before = openAlert('device:a', 0);
    const ended: AlertEvent = { ...opening('device:c'), phase: 'over' };
    const { events, told } = end({ events: [ended], told: [before] }, 2);
    expect(events.slice(1)).toEqual([ended]);
    expect(told).toEqual([before]);
  });

  test('tells nobody of the end of one that nobody was sent', () => {
    const silent = openAlert('device:a', 2, 2, { kind: 'baseline' });
    expect(end({ events: [], told: [] }, 2, [silent]).events).toHaveLength(1);
  });

  test('does all of this to alerts about machines and about runs', () => {
    const open = [openAlert('device:macs/C02FX1', 2), openAlert('coverage', 2, 2, { kind: 'coverage.below' })];
    const policy = { ...facts(1).policy, minimumCoverage: 60 };
    const [night] = nights({ policy, clockDifferences: [], retracts: retraction(2, open) });
    expect(night?.events.map(({ key, phase }) => [key, phase])).toEqual([
      [`retraction:${slot(2)}`, 'over'],
      ['device:macs/C02FX1', 'over'],
      // The first run's own, which it tells again.
      ['baseline:macs', 'first'],
      ['baseline:windows', 'first'],
    ]);
    expect(night?.state.openAlerts?.find(({ key }) => key === 'coverage')).toEqual(open[1]);
  });
});

const say = ({ phase, kind, text }: AlertEvent) => `${phase} ${kind}: ${text}`;

/** What is said of one night's operations, besides the alerts that are open. */
function decide(
  operations: Partial<OperationsFacts>,
  states: readonly AlertState[] = [],
  heldBack?: HeldBack,
  night = 20,
) {
  const open = new Map(states.map((state) => [state.key, state]));
  const run = { slot: slot(night), isReminderRun: areRemindersDue(states, slot(night), undefined) };
  const conditions = decideOperationsAlerts({ keptNights: 400, ...operations }, heldBack, slot(night));
  return conditions.flatMap((family) => reconcile(family, open, run));
}

describe('an alert', () => {
  test('about a clock says how far it is ahead of or behind each server, until they agree; nobody knows where none was compared', () => {
    const clockDifferences = [
      { server: 'Jamf Pro "macs"', seconds: -7200 },
      { server: 'Graph', seconds: 7200 },
    ];
    const open = [openAlert('clock', 1, 20, { kind: 'clock.differs' })];
    expect(decide({ clockDifferences }).map(say)[0]).toMatch(
      /^first clock\.differs: This machine's clock is (2 h\w*) ahead of the clock of Jamf Pro "macs", and \1 behind the clock of Graph\.$/,
    );
    expect(decide({ clockDifferences }, open)).toEqual([]);
    expect(decide({}, open)).toEqual([]);
    expect(decide({ clockDifferences: [] }, open).map(say)).toEqual([
      "over clock.differs: This machine's clock agrees with those of the servers again.",
    ]);
  });

  test('about housekeeping ends when it is done again; nobody knows where none was tried', () => {
    const open = [openAlert('housekeeping:audit', 1, 20, { kind: 'housekeeping.unfinished' })];
    const unfinished = [{ step: 'copies' as const, message: 'The disk is full.', code: 'unexpected' }];
    const said = decide({ unfinished }, open).map(say);
    expect(said).toHaveLength(2);
    expect(said).toContainEqual(
      expect.stringMatching(/^first housekeeping\.unfinished: \w.* could not be finished: The disk is full\.$/),
    );
    expect(said).toContainEqual(expect.stringMatching(/^over housekeeping\.unfinished: \w.* works again; \w.*\.$/));
    expect(decide({}, open)).toEqual([]);
  });

  test('about a channel ends when none of its messages waits, unless messages could not be read', () => {
    const open = [openAlert('channel:slack', 1, 20, { kind: 'channel.undelivered' })];
    const undelivered = [{ channel: 'slack', since: slot(3) }];
    const messages = [{ step: 'messages' as const, message: 'x', code: 'unexpected' }];
    const ofChannels = (...decided: Parameters<typeof decide>) =>
      decide(...decided)
        .filter(({ key }) => key.startsWith('channel:'))
        .map(say);
    expect(ofChannels({ undelivered })).toEqual([
      `first channel.undelivered: The channel slack has accepted no message since ${slot(3)}.`,
    ]);
    expect(ofChannels({ undelivered }, open)).toEqual([]);
    expect(ofChannels({ unfinished: messages }, open)).toEqual([]);
    expect(ofChannels({}, open)).toEqual([
      'over channel.undelivered: No message of the channel slack waits to be delivered.',
    ]);
  });

  test('about runs that are held back is said once for each time they are, until they are no more', () => {
    const heldBack = { since: slot(3), nights: 9, limit: 400 };
    expect(decide({}, [], heldBack)).toMatchObject([
      { kind: 'retention.held-back', phase: 'first', figures: { nights: 9, limit: 400 } },
    ]);
    const open = [openAlert('retention', 3, 3, { kind: 'retention.held-back', about: slot(3) })];
    expect(decide({}, open, heldBack, 5)).toEqual([]);
    expect(decide({}, open, { ...heldBack, since: slot(4) }, 5)).toHaveLength(1);
    expect(decide({}, open, undefined, 5).map(say)).toEqual([
      'over retention.held-back: No run is older than retention.nights allows.',
    ]);
  });

  test('about runs that failed ends when one succeeds', () => {
    const [night] = nights({ failedRuns: [slot(-1), slot(0)] });
    const said = night?.events.filter(({ kind }) => kind === 'run.failed');
    expect(said?.map(({ key, phase, since }) => [key, phase, since])).toEqual([
      [`run:${slot(-1)}`, 'over', slot(-1)],
      [`run:${slot(0)}`, 'over', slot(0)],
    ]);
    expect(said?.[0]?.text).toBe(`The run of ${slot(-1)} failed; the run of ${slot(1)} succeeded.`);
    expect(night?.state.openAlerts?.map(({ key }) => key)).not.toContain(`run:${slot(0)}`);
  });
});

test('the week of the last reminders is remembered, whoever said them', () => {
  const policy = { ...facts(1).policy, minimumCoverage: 60 };
  const all = nights(...Array.from({ length: 23 }, () => ({ policy })));
  const reminders = all.filter(({ events }) =>
    events.some(({ key, phase }) => key === 'coverage' && phase === 'again'),
  );
  expect(reminders.map((night) => night.slot)).toEqual([slot(8), slot(15), slot(22)]);
  expect([7, 8, 14, 15, 22].map((night) => all[night - 1]?.state.reminded)).toEqual([
    ...[undefined, slot(8), slot(8), slot(15), slot(22)],
  ]);
});

test('what happened to runs changes nothing about machines, and its events follow theirs', () => {
  const clockDifferences = [{ server: 'Graph', seconds: 7200 }];
  const [plain] = nights({});
  const [night] = nights({ clockDifferences, keptNights: 3 });
  expect(night?.events.map(({ key }) => key)).toEqual([...(plain?.events ?? []).map(({ key }) => key), 'clock']);
  expect([night?.devices, night?.coverage, night?.state.ledger]).toEqual([
    plain?.devices,
    plain?.coverage,
    plain?.state.ledger,
  ]);
  expect(night?.muster).toBe(facts(1).muster);
});
