/** What happened to runs, judged apart from machines: which are kept, and alerts about channels, the store and clocks. */
import { describe, expect, test } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { reconcileAlerts } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { KeptRun, OperationsFacts, OwedWork, RunsLeft } from '../../src/core/facts/operations.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { decideKeptRuns } from '../../src/run/operations/kept-runs.ts';
import { decideOperationsAlerts } from '../../src/run/operations/operations-alerts.ts';
import { listOperationsNotices } from '../../src/run/operations/operations-notices.ts';
import {
  judgeRuns,
  lenient,
  makeFacts,
  makeIncomplete,
  makeMac,
  makeOpenAlert,
  makeSource,
  no,
  slot,
  yes,
} from '../core/make-facts.ts';

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

test('runs that are held back have a notice once, which says how they are let go', () => {
  const all = judgeRuns({}, {}, {}, { keptNights: 1 }, { keptNights: 1 });
  const said = all.flatMap(({ events }) => events.filter(({ key }) => key === 'retention'));
  expect(said.map(({ phase, text }) => `${phase}: ${text}`)).toEqual([
    'notice: 3 runs are older than retention.nights (1) allows. They are kept until a person lets them go with `muster prune --confirm`. If the limit is a mistake, raise it.',
  ]);
  expect(all.map(({ state }) => slotsOf(state.runs))).toEqual([0, 1, 2, 3, 4].map((night) => slots(1, night)));
  expect(all[4]?.state.runs.heldBack).toEqual({ since: slot(4), nights: 4, limit: 1 });
});

test('the notice of runs that are held back is of the run that held them back first', () => {
  const list = (number: number, since: number) =>
    listOperationsNotices({ slot: slot(number) }, { since: slot(since), nights: 9, limit: 400 });
  expect(list(3, 3)).toMatchObject([
    { kind: 'retention.held-back', key: 'retention', details: { figures: { nights: 9, limit: 400 } } },
  ]);
  expect(list(4, 3)).toEqual([]);
  expect(listOperationsNotices({ slot: slot(3) }, undefined)).toEqual([]);
});

function retraction(night: number, openedFrom = night) {
  return { slot: slot(night), by: 'ada', why: 'wrong clock', openedFrom };
}

describe('the run that takes another one back', () => {
  const macs = (...values: readonly string[]) => ({
    sources: [
      makeSource(
        'macs',
        ['9', ...values].map((value, index) => (index === 0 ? makeMac(value) : makeMac(String(index), value))),
      ),
    ],
    policy: lenient,
  });
  /** Run 1, run 2, then run 1 once more, which takes run 2 back. */
  const takeBack = (first: Partial<Facts>, second: Partial<Facts>, more: Partial<Facts> = {}) => {
    const [, before] = judgeRuns(first, second);
    const openAlerts = before?.state.openAlerts ?? [];
    const [night] = judgeRuns({ ...first, openAlerts, retracts: retraction(2), ...more });
    return { events: night?.events ?? [], open: night?.state.openAlerts ?? [], noticed: night?.state.noticed };
  };
  const notice = { kind: 'run.retracted', key: `retraction:${slot(2)}`, phase: 'notice', slot: slot(1) };
  const text = `Only the run of ${slot(2)} opened this, and it was retracted.`;

  test('has one notice, and ends an alert that only that one opened, with the device that it was about', () => {
    const { events, open } = takeBack(macs(yes), macs(no));
    expect(events).toMatchObject([
      { ...notice, text: `The run of ${slot(2)} was retracted by ada: wrong clock.` },
      {
        kind: 'device.lost',
        key: 'device:macos/C02FX1',
        phase: 'over',
        slot: slot(1),
        since: slot(2),
        text,
        opened: 2,
      },
    ]);
    expect(events[1]).toMatchObject({ source: 'macs', device: { id: '1', status: no } });
    expect(events[1]?.sentAs).toEqual([{ kind: 'device.lost', source: 'macs' }]);
    expect(open).toEqual([]);
  });

  test('ends it also where its own answers cannot tell', () => {
    const carried = { sources: [makeIncomplete('macs')], policy: lenient };
    expect(takeBack(carried, carried, { openAlerts: [makeOpenAlert('device:macos/C02FX1', 2)] }).events).toMatchObject([
      notice,
      { kind: 'source.missing', phase: 'first' },
      { key: 'device:macos/C02FX1', phase: 'over', text },
    ]);
  });

  test('leaves one open that it opens too, as it was, without another event', () => {
    const carried = {
      ...macs(yes),
      statements: [{ kind: 'attestation', about: 'x', on: slot(1), until: slot(9) }],
    } as const;
    const { events, open } = takeBack({ ...carried }, { ...carried });
    expect(events).toMatchObject([notice]);
    expect(open).toMatchObject([{ key: 'statement:attestation/x', opened: 1, last: slot(1) }]);
  });

  test('leaves one that was open before, and ends by its own answers what they end', () => {
    const openAlerts = [
      makeOpenAlert('device:macos/C02FX1', 1),
      makeOpenAlert('coverage', 1, 1, { kind: 'coverage.below' }),
    ];
    const policy = { ...lenient, minimumCoverage: 1 };
    const { events, open } = takeBack({ ...macs(no), policy }, macs(no), { openAlerts });
    expect(events.map(({ key, phase, kind }) => `${kind} ${key} ${phase}`)).toEqual([
      `run.retracted retraction:${slot(2)} notice`,
      'coverage.restored coverage over',
    ]);
    // It is held open while the run is its source's first.
    expect(open).toEqual(openAlerts.slice(0, 1));
  });

  test('has no event about one that the first run of its source had counted', () => {
    const alert = makeOpenAlert('silent:macos/C02FX1', 2, 2, { kind: 'device.silent', isCounted: true });
    expect(takeBack(macs(yes), macs(yes), { openAlerts: [alert] })).toMatchObject({ events: [notice], open: [] });
  });

  test('sends no other notice, also not where its slot is run again, and no reminder', () => {
    const before = makeOpenAlert('housekeeping:audit', 1, -20, { kind: 'housekeeping.unfinished' });
    const unfinished = [{ step: 'audit' as const, message: 'x', code: 'unexpected' }];
    const { events, noticed } = takeBack(macs(yes), macs(yes), { openAlerts: [before], unfinished });
    expect(events).toMatchObject([notice]);
    expect(noticed).toEqual(['baseline:macs', notice.key]);
  });
});

const say = ({ phase, kind, text }: AlertEvent) => `${phase} ${kind}: ${text}`;

/** Events of one run's operations, besides the alerts that are open. */
function decide(operations: Partial<OperationsFacts>, open: readonly AlertState[] = [], number = 20) {
  const rules = decideOperationsAlerts({ keptNights: 400, ...operations });
  const run = { slot: slot(number), number, open, noticed: [], reminded: undefined };
  return reconcileAlerts({ rules, notices: [] }, run).events;
}

describe('an alert', () => {
  test('about a clock says how far it is ahead of or behind each server, until they agree; nobody knows where none was compared', () => {
    const clockDifferences = [
      { server: 'Jamf Pro "macs"', seconds: -7200 },
      { server: 'Graph', seconds: 7200 },
    ];
    const open = [makeOpenAlert('clock', 1, 20, { kind: 'clock.differs' })];
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
    const open = [
      makeOpenAlert('housekeeping:audit', 1, 20, {
        kind: 'housekeeping.unfinished',
        details: { subject: 'The audit' },
      }),
    ];
    const unfinished = [{ step: 'copies' as const, message: 'The disk is full.', code: 'unexpected' }];
    const said = decide({ unfinished }, open).map(say);
    expect(said).toHaveLength(2);
    expect(said).toContainEqual(
      expect.stringMatching(/^first housekeeping\.unfinished: \w.* could not be finished: The disk is full\.$/),
    );
    expect(said).toContainEqual('over housekeeping.unfinished: The audit works again; the rest of it is done.');
    expect(decide({}, open)).toEqual([]);
  });

  test('about a channel ends when none of its messages waits, unless messages could not be read', () => {
    const open = [
      makeOpenAlert('channel:slack', 1, 20, { kind: 'channel.undelivered', details: { subject: 'slack' } }),
    ];
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
    expect(ofChannels({}, open)).toEqual(['over channel.undelivered: No message waits for the channel slack.']);
  });

  test('about runs that failed ends when one succeeds', () => {
    const [night] = judgeRuns({ failedRuns: [slot(-1), slot(0)] });
    const said = night?.events.filter(({ kind }) => kind === 'run.failed');
    expect(said?.map(({ key, phase, since }) => [key, phase, since])).toEqual([
      [`run:${slot(-1)}`, 'over', slot(-1)],
      [`run:${slot(0)}`, 'over', slot(0)],
    ]);
    expect(said?.[0]?.text).toBe(`The run of ${slot(-1)} failed; a later run succeeded.`);
    expect(night?.state.openAlerts?.map(({ key }) => key)).not.toContain(`run:${slot(0)}`);
  });
});

test('the week of the last reminders is remembered, whoever said them', () => {
  const policy = { ...makeFacts(1).policy, minimumCoverage: 60 };
  const all = judgeRuns(...Array.from({ length: 23 }, () => ({ policy })));
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
  const [plain] = judgeRuns({});
  const [night] = judgeRuns({ clockDifferences, keptNights: 3 });
  expect(night?.events.map(({ key }) => key)).toEqual([...(plain?.events ?? []).map(({ key }) => key), 'clock']);
  expect([night?.devices, night?.coverage, night?.state.ledger]).toEqual([
    plain?.devices,
    plain?.coverage,
    plain?.state.ledger,
  ]);
  expect(night?.muster).toBe(makeFacts(1).muster);
});
