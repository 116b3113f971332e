/** What happened to runs, judged apart from machines: which are kept, and alerts about channels, the store and clocks. */
import { describe, expect, test } from 'vitest';
import { areRemindersDue, reconcile } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { OperationsFacts } from '../../src/core/facts/operations.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { HeldBack } from '../../src/core/facts/state.ts';
import { decideOperationsAlerts } from '../../src/run/operations/operations-alerts.ts';
import { facts, nights, openAlert, slot } from '../core/world.ts';

const keeping = (...limits: readonly number[]): Night[] => nights(...limits.map((keptNights) => ({ keptNights })));
const keptBy = (night: Night | undefined) => night?.state.published;
const slots = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => slot(from + index));
const said = (night: Night | undefined) =>
  (night?.events ?? []).filter(({ key }) => key === 'retention').map(({ phase, text }) => `${phase}: ${text}`);

test('one run beyond the limit goes, without a word', () => {
  const all = keeping(3, 3, 3, 3, 3);
  expect(keptBy(all[4])).toEqual(slots(3, 5));
  expect(all.flatMap(said)).toEqual([]);
});

test('more than one at once are held back and said, once, for seven days; then they go', () => {
  const all = keeping(400, 400, 400, 400, ...Array<number>(8).fill(1));
  expect(keptBy(all[4])).toEqual(slots(1, 5));
  expect(all[4]?.state.heldBack).toEqual({ since: slot(5), nights: 4, limit: 1 });
  expect(said(all[4])).toEqual([
    'first: 4 runs are older than retention.nights (1) allows. They are kept until the run of 2026-06-12, which removes them; `muster prune --confirm` removes them now. If the limit is a mistake, raise it.',
  ]);
  expect(keptBy(all[10])).toEqual(slots(1, 11));
  expect(all.slice(5, 11).flatMap(said)).toEqual([]);
  expect(keptBy(all[11])).toEqual([slot(12)]);
  expect(said(all[11])).toEqual(['over: No run is older than retention.nights allows.']);
});

test('a limit that is raised again loses nothing', () => {
  const all = keeping(400, 400, 400, 1, 400);
  expect(keptBy(all[4])).toEqual(slots(1, 5));
  expect(all[4]?.state.heldBack).toBeUndefined();
  expect(said(all[4])).toEqual(['over: No run is older than retention.nights allows.']);
});

test('a limit that is lowered again has its own seven days, one that is raised a little has not', () => {
  const lower = keeping(400, 400, 400, 400, 2, 1);
  expect(lower[5]?.state.heldBack?.since).toBe(slot(6));
  expect(said(lower[5])).toEqual([expect.stringMatching(/^first: 5 runs/)]);
  const higher = keeping(400, 400, 400, 400, 1, 2);
  expect(higher[5]?.state.heldBack?.since).toBe(slot(5));
});

test('a person who confirms it has them removed at once', () => {
  const pruned: Partial<Facts> = { keptNights: 1, pruned: { by: 'ada', at: '2026-06-04T08:00:00Z' } };
  const all = nights({}, {}, {}, pruned);
  expect(keptBy(all[3])).toEqual([slot(4)]);
  expect(all[3]?.state.heldBack).toBeUndefined();
});

test('what an earlier attempt at the slot gave up is not kept by a later one', () => {
  const all = nights({}, {}, {}, { keptNights: 400, keptFrom: slot(3) });
  expect(keptBy(all[3])).toEqual(slots(3, 4));
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
    expect(night?.state.told?.map(({ key }) => key)).not.toContain(`run:${slot(0)}`);
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
