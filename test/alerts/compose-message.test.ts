/** How a range of runs becomes the message of one channel: its lead, its figures, and the word of runs that it missed. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import {
  type ComposedRange,
  type ComposeSettings,
  composeMessage,
  formatMessageKey,
  selectChannelEvents,
} from '../../src/alerts/delivery/compose-message.ts';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { EventKind, Phase } from '../../src/core/facts/event-kinds.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import type { RunEvents } from '../../src/storage/runs/events-record.ts';

const day = (number: number) => `2026-06-${String(number).padStart(2, '0')}`;

function event(kind: EventKind, phase: Phase, on: number, more: Partial<AlertEvent> = {}): AlertEvent {
  return { kind, key: kind, phase, slot: day(on), since: day(1), opened: on, text: kind, ...more };
}

const publish = (number: number, sha256 = '') => ({ commit: { number, slot: day(number) }, sha256 }) as PublishedRun;

const figuresOf = (counted: number): RunEvents['figures'] => ({
  devices: counted,
  counted,
  installed: counted,
  notInstalled: 0,
  provenInstalled: counted,
  provenNotInstalled: 0,
  soundness: 'complete',
});

/** The runs from a number on, each with its events; the figures of run 3 are of three devices. */
function rangeFrom(first: number, ...events: readonly (readonly AlertEvent[])[]): ComposedRange {
  const runs = events.map((own, index) => {
    const number = first + index;
    const figures = figuresOf(number);
    return {
      run: publish(number),
      events: { agent: 'Agent', slot: day(number), events: own, figures, channels: [], later: [] } as RunEvents,
    };
  });
  return { first, runs, missed: 0 };
}

const people: Channel = {
  name: 'one',
  audience: 'people',
  send: async () => undefined,
  render: (message) => [message],
};
const programs: Channel = { ...people, audience: 'programs' };
const link = (slot: string) => `https://reports.example.com/${slot}`;

function compose(channel: Channel, range: ComposedRange, settings: Partial<ComposeSettings> = {}): AlertMessage {
  const [message] = composeMessage(channel, range, { link, ...settings });
  return message as AlertMessage;
}

const name = ({ events }: Pick<AlertMessage, 'events'>) => events.map(({ key, phase }) => `${key} ${phase}`);
const open = (key: string, opened: number, more: Partial<AlertState> = {}): AlertState => ({
  ...{ key, kind: 'device.lost', since: day(opened), opened, last: day(opened), details: { text: key } },
  ...more,
});

describe('the key of a message', () => {
  const last = publish(5, '0123456789abcdef0123');
  it.each([
    ['people', 3, `muster/${day(5)}/3-5/0123456789abcdef/one-1`],
    ['people', 5, `muster/${day(5)}/5/0123456789abcdef/one-1`],
    ['programs', 3, `muster/${day(5)}/5/0123456789abcdef/one-1`],
  ] as const)('for %s, of runs from %i to 5, names what it is about', (audience, first, key) => {
    expect(formatMessageKey({ name: 'one', audience }, first, last, 1)).toBe(key);
  });
});

it.each([people, programs])('no channel hears of its own silence: $audience', (channel) => {
  const silences = ['one', 'two'].map((key) => event('channel.undelivered', 'first', 3, { key: `channel:${key}` }));
  expect(name({ events: selectChannelEvents(channel, rangeFrom(3, silences)) })).toEqual(['channel:two first']);
});

it.each([people, programs])('of a range without a run that can be read there is no message: $audience', (channel) => {
  expect(composeMessage(channel, { first: 3, runs: [], missed: 2 }, { link })).toEqual([]);
});

describe('a message for programs', () => {
  const lost = event('device.lost', 'first', 4);

  it('has the events of the run as they were, and leads to its report', () => {
    const message = compose(programs, rangeFrom(4, [lost, event('source.carried', 'again', 4)]));
    expect(name(message)).toEqual(['device.lost first', 'source.carried again']);
    expect(message.digest).toMatchObject({ slot: day(4), commit: 4, link: link(day(4)) });
    expect(message.digest.sections.map(({ title }) => title).join()).not.toContain('Since');
  });

  it.each([
    [1, '1 earlier run is no longer kept: of it, only alerts that are still open are named.'],
    [2, '2 earlier runs are no longer kept: of them, only alerts that are still open are named.'],
  ])('says first that %i is missing', (missed, text) => {
    const message = compose(programs, { ...rangeFrom(4, [lost]), first: 3, missed, open: [] });
    expect(message.events).toEqual([
      {
        kind: 'runs.missed',
        key: 'missed:one',
        phase: 'notice',
        slot: day(4),
        since: day(4),
        opened: 4,
        text,
        figures: { runs: missed },
      },
      lost,
    ]);
  });

  it('opens what the missed runs opened and is open, once, as of the newest run', () => {
    const states = [open('a', 2), open('b', 3), open('device.lost', 2), open('old', 1)];
    const again = event('device.lost', 'again', 4, { key: 'a' });
    const range = { ...rangeFrom(4, [again, lost]), first: 2, missed: 2, open: states };
    const message = compose(programs, range);
    expect(name(message)).toEqual(['missed:one notice', 'a first', 'b first', 'device.lost first']);
    expect(message.events[1]).toMatchObject({ slot: day(4), since: day(2), opened: 2 });
    // Opened anew in a run that can be read, it is as that run says.
    expect(message.events[3]).toEqual(lost);
    // A run that can be read says itself what it opened.
    expect(name(compose(programs, { ...range, open: [open('c', 4)] }))).toEqual([
      'missed:one notice',
      'a again',
      'device.lost first',
    ]);
  });

  it('has nothing of missed runs that the channel does not ask for', () => {
    const states = [open('a', 2), open('b', 2, { kind: 'source.carried' })];
    const channel = { ...programs, only: { kinds: ['source.carried'] } };
    const message = compose(channel, { ...rangeFrom(4, [lost]), first: 2, missed: 1, open: states });
    expect(name(message)).toEqual(['missed:one notice', 'b first']);
  });
});

describe('a message for people', () => {
  const lost = (on: number, key = 'device.lost') => event('device.lost', 'first', on, { key });
  const ended = (on: number, key: string) => event('device.recovered', 'over', on, { key, opened: on - 1 });
  const fresh = event('device.new-not-installed', 'first', 3);
  const lead = (range: ComposedRange, channel = people, settings: Partial<ComposeSettings> = {}) =>
    compose(channel, range, settings).digest.sections.find(({ title }) => title.startsWith('Since'));
  const late = 'No message was sent about these runs at the time; this one is about all of them.';
  const calm = 'This message also says what could wait.';

  it('of one run has no lead, and the figures and the report of that run', () => {
    const { digest } = compose(people, rangeFrom(3, [lost(3)]));
    expect(digest).toMatchObject({ slot: day(3), commit: 3, link: link(day(3)) });
    expect(digest.title).not.toContain('Since');
    expect(digest.figures).toContain('3 devices');
    expect(digest.sections.map(({ ask }) => ask)).not.toContain(calm);
  });

  it('has the newest run’s figures, and stands for runs that were owed one', () => {
    const { digest } = compose(people, rangeFrom(3, [lost(3)], [], [lost(5, 'other')]));
    expect(digest.figures).toContain('5 devices');
    expect(digest).toMatchObject({ slot: day(5), commit: 5 });
    expect(digest.title).toMatch(/^Since 2026-06-03: /);
    expect(digest.sections[0]).toEqual({ title: `Since ${day(3)}`, ask: late, count: 1, lines: [], more: 0 });
  });

  it('has no lead where the runs before owed none', () => {
    expect(lead(rangeFrom(3, [fresh], [], [lost(5)]))).toBeUndefined();
    expect(lead(rangeFrom(3, [], [lost(4)]))).toBeUndefined();
  });

  it.each([
    [['a'], '1 alert opened and ended meanwhile.'],
    [['a', 'b'], '2 alerts opened and ended meanwhile.'],
  ])('counts what opened and ended since: %j', (keys, line) => {
    const opened = keys.map((key) => event('device.new-not-installed', 'first', 3, { key }));
    const range = rangeFrom(
      3,
      opened,
      keys.map((key) => ended(4, key)),
      [lost(5)],
    );
    expect(lead(range)).toMatchObject({ ask: calm, lines: [line] });
  });

  it('is a week’s summary since its first event, where the channel waits for one', () => {
    const range = rangeFrom(3, [], [event('device.lost', 'first', 4)], [], [event('source.carried', 'first', 6)]);
    expect(lead(range, people, { quiet: true })).toMatchObject({ title: `Since ${day(4)}`, ask: calm, lines: [] });
    expect(lead(range, { ...people, isWeekly: true })).toMatchObject({ title: `Since ${day(4)}`, ask: calm });
    expect(lead(rangeFrom(6, [event('source.carried', 'first', 6)]), people, { quiet: true })).toBeUndefined();
  });

  it('stands for a week’s summary that was owed before', () => {
    const waiting = Array.from({ length: 6 }, (): AlertEvent[] => []);
    expect(lead(rangeFrom(3, [fresh], ...waiting))).toBeUndefined();
    expect(lead(rangeFrom(3, [fresh], ...waiting, []))).toMatchObject({ title: `Since ${day(3)}`, ask: late });
  });

  it('stands for the runs before with everyNight, since the first of them where they hold no event', () => {
    expect(lead(rangeFrom(3, [], []), people, { everyNight: true })).toMatchObject({
      title: `Since ${day(3)}`,
      ask: late,
    });
    expect(lead(rangeFrom(3, []), people, { everyNight: true })).toBeUndefined();
  });

  it('names what missed runs opened, and says how many there are', () => {
    const range = { ...rangeFrom(4, [lost(4)]), first: 2, missed: 2, open: [open('a', 2), open('device.lost', 4)] };
    const message = compose(people, range);
    expect(name(message).toSorted()).toEqual(['a first', 'device.lost first']);
    expect(lead(range)).toMatchObject({
      ask: late,
      lines: ['2 earlier runs are no longer kept: of them, only alerts that are still open are named.'],
    });
    // Where no run was missed, the events alone say what opened.
    expect(name(compose(people, { ...range, missed: 0 }))).toEqual(['device.lost first']);
  });

  it('names nothing of missed runs that the channel does not ask for', () => {
    const states = [open('a', 2), open('b', 2, { kind: 'source.carried' }), open('channel:one', 2)];
    const range = { ...rangeFrom(4, []), first: 2, missed: 1, open: states };
    expect(name(compose({ ...people, only: { kinds: ['source.carried'] } }, range))).toEqual(['b first']);
    expect(name(compose(people, range))).toEqual(['a first', 'b first']);
  });

  const isSummary = (range: ComposedRange, channel = people, settings: Partial<ComposeSettings> = {}) =>
    compose(channel, range, settings).digest.title.includes("the week's summary");

  it.each<[string, boolean, ComposedRange, Partial<Channel>, Partial<ComposeSettings>]>([
    ['where nothing in it is urgent', true, rangeFrom(3, [fresh]), {}, {}],
    ['where something is', false, rangeFrom(3, [lost(3)]), {}, {}],
    ['where only a lost device is, of a quiet channel', true, rangeFrom(3, [lost(3)]), {}, { quiet: true }],
    ['where only a lost device is, of a weekly channel', true, rangeFrom(3, [lost(3)]), { isWeekly: true }, {}],
    ['where runs are missing', false, { ...rangeFrom(3, [fresh]), missed: 1, open: [] }, {}, {}],
    ['where it comes every night', false, rangeFrom(3, [fresh]), {}, { everyNight: true }],
    ['where it would, and is quiet', true, rangeFrom(3, [fresh]), {}, { everyNight: true, quiet: true }],
    ['where what was urgent ended', true, rangeFrom(3, [lost(3)], [{ ...ended(4, 'device.lost') }]), {}, {}],
  ])('is called the week’s summary %s: %s', (_, expected, range, channel, settings) => {
    expect(isSummary(range, { ...people, ...channel }, settings)).toBe(expected);
  });
});

describe('the figures of a channel that asks for some places', () => {
  const only = { site: ['Berlin'] };
  const scope = { figures: { ...figuresOf(2), where: ' of Berlin' }, overdue: { text: 'two of Berlin' } };
  const reminder = event('device.overdue', 'again', 4, { text: 'all of them' });
  const withScope = (address?: string): ComposedRange => {
    const [earlier, last] = rangeFrom(3, [], [reminder]).runs;
    const listed = [
      { name: 'other', from: 1, scope: { figures: figuresOf(1) } },
      { name: 'one', from: 1, scope, ...(address !== undefined && { address }) },
    ];
    const runs = [earlier, last && { ...last, events: { ...last.events, channels: listed } }];
    return { first: 3, runs: runs.filter((one) => one !== undefined), missed: 0 };
  };

  it('are its own, and so is its reminder', () => {
    const { digest, events } = compose({ ...people, only }, withScope());
    expect(digest.figures).toContain('2 devices of Berlin');
    expect(events.map(({ text }) => text)).toEqual(['two of Berlin']);
    const moved = { ...people, only, address: 'here' };
    expect(compose(moved, withScope('here')).digest.figures).toContain('2 devices of Berlin');
  });

  it('are the run’s where the run measured them for another address, or the channel asks for all', () => {
    expect(compose({ ...people, only, address: 'elsewhere' }, withScope('here')).digest.figures).toContain('4 devices');
    const all = compose(people, withScope());
    expect(all.digest.figures).toContain('4 devices');
    expect(all.events.map(({ text }) => text)).toEqual(['all of them']);
  });
});
