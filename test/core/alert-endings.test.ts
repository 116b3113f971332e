/** Every kind of event, from opened to resolved, each way it can end: under the key it was opened with (G17). */
import { expect, it } from 'vitest';
import { type EventKind, eventKinds } from '../../src/core/facts/event-kinds.ts';
import {
  acknowledged,
  away,
  broken,
  canary,
  crowd,
  drift,
  exempt,
  listed,
  lost,
  macs,
  measured,
  merged,
  minimum,
  moved,
  other,
  pair,
  type RunChanges,
  repeat,
  silent,
  statement,
  strict,
  unread,
  well,
} from './make-alert-facts.ts';
import { at, judgeRuns, makeExemption, makeMac, makeSource, no, slot, yes } from './make-facts.ts';

/** Runs of which the last but one opens the alert, or an earlier one, and the last one resolves it. */
type Ending = readonly RunChanges[];

/** Kinds that only describe how an alert of another kind ended. */
const describeOther = (kind: EventKind): Readonly<Record<string, Ending>> => ({
  'it closes what others opened':
    endings[
      kind === 'source.sound-again' ? 'source.carried' : kind === 'coverage.restored' ? 'coverage.below' : 'device.lost'
    ]?.['it ends well'] ?? [],
});

const endings: Readonly<Partial<Record<EventKind, Readonly<Record<string, Ending>>>>> = {
  'source.missing': {
    'it ends well': [away, well],
    'it becomes another': [away, broken, well],
  },
  'source.carried': { 'it ends well': [well, away, well] },
  'source.untrusted': { 'it ends well': [well, broken, well], 'its source is taken out': [well, broken, other] },
  'source.suspect': {
    'it ends well': [strict(crowd(yes)), strict(macs({})), strict(crowd(yes))],
  },
  'source.partial': {
    'it ends well': [well, unread, well],
    'it becomes another': [well, unread, away, well],
    'on a first run': [unread, well],
    'its source is taken out': [well, unread, other],
  },
  get 'source.sound-again'() {
    return describeOther('source.sound-again');
  },
  'coverage.below': {
    'it ends well': [minimum(well, 60), minimum(macs({ 1: no, 2: no }), 60), minimum(well, 60)],
    'no minimum is set any more': [minimum(well, 60), minimum(macs({ 1: no, 2: no }), 60), minimum(lost)],
  },
  get 'coverage.restored'() {
    return describeOther('coverage.restored');
  },
  'device.lost': {
    'it ends well': [well, lost, well],
    'it is exempt': [well, lost, exempt(makeExemption('device_id', '1'))],
    'it is gone': [well, lost, macs({})],
    'it is a canary': [well, lost, canary],
    'it has another record, with the agent': [moved('1', yes), moved('1', no), moved('2', yes)],
    'another machine has its record': [pair(yes), pair(no), merged],
    'its source is taken out': [well, lost, other],
  },
  'device.new-not-installed': {
    'it ends well': [macs({}), lost, well],
  },
  'device.overdue': {
    'it ends well': [...repeat(15, lost), well],
  },
  'device.flapping': {
    'it is calm, with the agent': [well, lost, well, lost, well, ...repeat(7, well)],
    'it is calm, without the agent, and gets it': [well, lost, well, lost, well, ...repeat(7, lost), well],
  },
  get 'device.recovered'() {
    return describeOther('device.recovered');
  },
  get 'count.left'() {
    return { 'it closes what others opened': endings['device.lost']?.['it is gone'] ?? [] };
  },
  'machine.unenrolled': {
    'it is enrolled': [
      listed({ expected: ['C02FX1'] }),
      listed({ expected: ['C02FX1', 'C02FX7'] }),
      listed({ expected: ['C02FX1', 'C02FX7'] }, macs({ 1: yes, 7: yes })),
    ],
    'it is no longer on the list': [
      listed({ expected: ['C02FX1'] }),
      listed({ expected: ['C02FX1', 'C02FX7'] }),
      listed({ expected: ['C02FX1'] }),
    ],
    'the list is taken out': [listed({ expected: ['C02FX1'] }), listed({ expected: ['C02FX1', 'C02FX7'] }), well],
  },
  'device.silent': {
    'it reports again': [listed({ seen: 0 }), listed({ seen: 30 }), listed({ seen: 0 })],
    'it loses the agent': [listed({ seen: 0 }), listed({ seen: 30 }), listed({ seen: 30 }, lost)],
    'it is gone': [listed({ seen: 0 }), listed({ seen: 30 }), listed({ seen: 30 }, macs({}))],
    'the list is taken out': [listed({ seen: 0 }), listed({ seen: 30 }), well],
  },
  'list.unsound': {
    'it is sound again': [listed({ seen: 0, age: 20 }), listed({ seen: 0 })],
    'it is taken out': [listed({ seen: 0, age: 20 }), well],
  },
  'deployment.drift': {
    'it ends well': [drift('pass'), drift('fail'), drift('pass')],
    'nothing finds it any more': [drift('pass'), drift('fail'), well],
    'its source is taken out': [drift('pass'), drift('fail'), other],
  },
  'exemption.expiring': {
    'it is removed': [exempt(makeExemption('device_id', '1', { expires: slot(9) })), exempt()],
  },
  'exemption.expired': {
    'it is removed': [exempt(makeExemption('device_id', '1', { expires: slot(0) })), exempt()],
  },
  'exemption.unmatched': {
    'it fits a device': [
      exempt(makeExemption('device_id', '7')),
      { ...macs({ 7: no }), exemptions: [makeExemption('device_id', '7')] },
    ],
  },
  'exemption.ambiguous': {
    'it fits one device': [
      {
        sources: [makeSource('macs', [makeMac('1', no, { name: 'twin' }), makeMac('2', no, { name: 'twin' })])],
        exemptions: [makeExemption('device_name', 'twin', { source: 'macs' })],
      },
      {
        sources: [makeSource('macs', [makeMac('1', no, { name: 'twin' }), makeMac('2', no)])],
        exemptions: [makeExemption('device_name', 'twin', { source: 'macs' })],
      },
    ],
  },
  'exemption.invalid': {
    'it is mended': [exempt(makeExemption('device_id', '1', { owner: '' })), exempt(makeExemption('device_id', '1'))],
  },
  'acknowledgement.expired': {
    'it is removed': [acknowledged('C02FX1', 'ada', slot(0)), lost],
  },
  'acknowledgement.unmatched': {
    'its device comes': [
      acknowledged('C02FX7', 'ada', slot(90)),
      { ...macs({ 7: no }), ...pick(acknowledged('C02FX7', 'ada', slot(90))) },
    ],
  },
  'acknowledgement.invalid': {
    'it is mended': [acknowledged('C02FX1', '', slot(90)), acknowledged('C02FX1', 'ada', slot(90))],
  },
  'acceptance.expiring': {
    'it is removed': [statement(slot(9)), well],
  },
  'channel.undelivered': {
    'it takes messages again, or is taken out': [
      { ...well, undelivered: [{ channel: 'slack', since: slot(1) }] },
      well,
    ],
  },
  'housekeeping.unfinished': {
    'it is done': [
      { ...well, unfinished: [{ step: 'copies', code: 'x', message: 'No space.' }] },
      { ...well, unfinished: [] },
    ],
  },
  // The run that failed reported it, so only its end is an event of a night.
  'run.failed': { 'a run succeeds': [well, { ...well, failedRuns: [slot(2)] }] },
  'clock.differs': {
    'they agree': [
      { ...well, clockDifferences: [{ server: 'Jamf', seconds: 9000 }] },
      { ...well, clockDifferences: [] },
    ],
  },
};

/** Runs of which the last one has the notice. */
const notices: Readonly<Partial<Record<EventKind, readonly RunChanges[]>>> = {
  'source.left': [well, other],
  'measurement.changed': [measured('a'), measured('b', 'fail')],
  'count.cleaned-up': [silent, well],
  baseline: [well],
  'list.baseline': [listed({ expected: ['C02FX1'] })],
  'run.retracted': [well, { ...well, retracts: { slot: slot(3), by: 'ada', why: 'a wrong clock', openedFrom: 2 } }],
  'retention.held-back': [...repeat(5, { ...well, keptNights: 400 }), { ...well, keptNights: 1 }],
};

function pick({ acknowledgements = [] }: RunChanges): RunChanges {
  return { acknowledgements };
}

it('every kind of event has a way to end, or is a notice', () => {
  const isNotice = (kind: string) => (eventKinds[kind as EventKind] as { readonly isNotice?: true }).isNotice === true;
  const kinds = Map.groupBy(Object.keys(eventKinds).sort(), isNotice);
  expect(Object.keys(endings).sort()).toEqual(kinds.get(false));
  expect(Object.keys(notices).sort()).toEqual(kinds.get(true));
  for (const [kind, ways] of Object.entries(endings)) {
    expect(Object.keys(ways).length, kind).toBeGreaterThan(0);
  }
});

it.each(Object.entries(notices))('%s is sent once: it opens nothing, and nothing ends it', (kind, runs) => {
  const { retracts: _, ...last } = runs.at(-1) ?? well;
  const all = judgeFresh([...runs, last]);
  const events = all.map((night) => night.events.filter((event) => event.kind === kind));
  expect(events.map((some) => some.map(({ phase }) => phase))).toEqual([
    ...runs.slice(1).map(() => []),
    ['notice'],
    [],
  ]);
  const [{ key = '' } = {}] = events[runs.length - 1] ?? [];
  expect(all[runs.length - 1]?.state.noticed).toContain(key);
  expect(all.flatMap(({ state }) => state.openAlerts?.map((alert) => alert.key) ?? [])).not.toContain(key);
});

const rows = Object.entries(endings).flatMap(([kind, ways]) =>
  Object.entries(ways).map(([way, runs]) => [kind, way, runs] as const),
);

it.each(rows)('%s: %s', (kind, _, runs) => {
  const all = judgeFresh(runs);
  const openedBy = (phase: string) => (event: { kind: string; phase: string }) =>
    event.kind === kind && event.phase === phase;
  const events = all.flatMap((night) => night.events);
  expect(all).toHaveLength(runs.length);
  const onlyEnd = ['run.failed', 'source.sound-again', 'coverage.restored', 'device.recovered', 'count.left'];
  expect(events.some(openedBy(onlyEnd.includes(kind) ? 'over' : 'first')), 'it happened').toBe(true);
  // Whatever was opened before the last run is closed by it at the latest, under the key that was opened.
  const last = all.at(-1);
  for (const { key, slot: openedOn } of all.slice(0, -1).flatMap((night) => night.events.filter(openedBy('first')))) {
    const closing = events.find((event) => event.key === key && event.phase === 'over' && event.slot > openedOn);
    expect(closing, key).toBeDefined();
    expect(last?.state.openAlerts?.some((alert) => alert.key === key)).toBe(false);
  }
});

function judgeFresh(runs: readonly RunChanges[]) {
  return judgeRuns(...runs.map((changes, index) => withFreshDates(changes, index + 1)));
}

/** Each run's answers are of its day. */
function withFreshDates(changes: RunChanges, night: number): RunChanges {
  const fresh = { reportedAt: at(night, -0.1), lastSeenAt: at(night, -0.1) };
  return {
    ...changes,
    sources: (changes.sources ?? []).map((one) => ({
      ...one,
      devices: one.devices.map((device) =>
        device.operatingSystem === 'macos'
          ? { ...device, ...fresh, answers: device.answers.map((answer) => ({ ...answer, at: fresh.reportedAt })) }
          : device,
      ),
    })),
  };
}
