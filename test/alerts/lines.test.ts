/** What a message says of each event, in one line. */
import { describe, expect, it } from 'vitest';
import { buildSections, formatHeading, shortenDigest } from '../../src/alerts/message/digest.ts';
import {
  type DigestEvent,
  determineSeverity,
  findSection,
  findWorstSeverity,
  isUrgent,
  selectEvents,
} from '../../src/alerts/message/digest-event.ts';
import {
  formatAlertLine,
  formatDeviceLine,
  formatEventLine,
  formatListedDevice,
} from '../../src/alerts/message/event-lines.ts';
import { toEventRecord } from '../../src/alerts/message/event-record.ts';
import { buildTestMessage } from '../../src/alerts/message/other-messages.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { EventDevice } from '../../src/core/facts/alert-event.ts';

const device: EventDevice = { id: '7', status: 'Not Installed', reason: 'reported' };
const event = (changes: Partial<DigestEvent> = {}): DigestEvent => ({
  kind: 'device.lost',
  key: 'k',
  phase: 'first',
  slot: '2026-06-02',
  since: '2026-06-01',
  opened: 1,
  ...changes,
});
const about = (changes: Partial<EventDevice>, more: Partial<DigestEvent> = {}) =>
  event({ device: { ...device, ...changes }, ...more });

/** Devices, each under the line that it has. */
const deviceLines: Readonly<Record<string, DigestEvent>> = {
  'device 7: reported as Not Installed, since 2026-06-02': about({ value: 'Not Installed' }),
  'MAC (C02), ada, Berlin, macs: reported as Not Installed, since 2026-05-01, last seen 2026-05-30, proven': about(
    {
      name: 'MAC',
      serialNumber: 'C02',
      user: 'ada',
      site: 'Berlin',
      since: '2026-05-01',
      lastSeenAt: '2026-05-30T10:00:00Z',
      proven: true,
    },
    { source: 'macs' },
  ),
  'device 7: reported as Not Installed, since 2026-06-02, not proven': about({ proven: false }),
  'device 7: reported as Not Installed, since 2026-06-02, acknowledged until 2026-07-01 (IT-1, ada)': about({
    acknowledged: { by: 'ada\u0007', until: '2026-07-01', ticket: 'IT-1' },
  }),
  'device 7: reported as Not Installed, since 2026-06-02, acknowledged until 2026-07-01 (ada)': about({
    acknowledged: { by: 'ada', until: '2026-07-01', ticket: '' },
  }),
  'MAC, macs': about({ name: 'MAC' }, { kind: 'device.recovered', source: 'macs' }),
  'MAC: It is exempt.': about({ name: 'MAC' }, { phase: 'over', text: 'It is exempt.' }),
  'MAC: more than three changes in seven nights; now Installed': about(
    { name: 'MAC', status: 'Installed' },
    { kind: 'device.flapping' },
  ),
  'MAC: no longer listed': about({ name: 'MAC', reason: 'removed' }, { kind: 'count.left' }),
  'MAC: no longer managed': about({ name: 'MAC', reason: 'unmanaged' }, { kind: 'count.left' }),
  'device 7: reports a value that is not documented ("x y"), since 2026-06-02': about({
    reason: 'unrecognised-value',
    value: 'x y',
  }),
  'device 7: reports a value that is not documented, since 2026-06-02': about({ reason: 'unrecognised-value' }),
  '': event(),
};

describe('the line of a device', () => {
  it.each(Object.entries(deviceLines))('%s', (line, one) => {
    expect(formatDeviceLine(one)).toBe(line);
  });

  it('in a list has no reason of its own', () => {
    expect(formatListedDevice({ ...device, source: 'macs' })).toBe('device 7, macs');
    expect(formatListedDevice({ ...device, name: 'MAC', since: '2026-05-01', proven: false })).toBe(
      'MAC, since 2026-05-01, not proven',
    );
  });

  it('has its heading before it where it stands alone', () => {
    expect(formatEventLine(about({ name: 'MAC' }, { kind: 'device.recovered', phase: 'over' }))).toMatch(
      /^[A-Z].*: MAC$/,
    );
    expect(formatEventLine(event({ kind: 'test', text: 'A test.' }))).toBe('A test.');
    expect(formatEventLine(event({ kind: 'source.left', text: 'x', source: 'macs' }))).toMatch(/^[A-Z].*: macs: x$/);
  });
});

/** Alerts, each under the line that it has. */
const alertLines: Readonly<Record<string, Partial<DigestEvent>>> = {
  'still no answer': { kind: 'source.carried', phase: 'again', source: 'macs', text: 'still no answer' },
  'source.carried': { kind: 'source.carried', phase: 'again', source: 'macs' },
  'macs: It was removed.': { kind: 'source.carried', phase: 'over', source: 'macs', text: 'It was removed.' },
  'It ended. (since 2026-06-01)': { kind: 'exemption.expired', phase: 'again', text: 'It ended.' },
  'macs: complete and sound again.': { kind: 'source.sound-again', phase: 'over', source: 'macs' },
  'macs: HTTP 500. 1 of 1 row received. Its last complete run is shown.': {
    kind: 'source.carried',
    source: 'macs',
    text: 'HTTP 500.',
    figures: { received: 1, claimed: 1 },
  },
  'macs: not answered completely. 0 of 2 rows received. It has no complete run yet.': {
    kind: 'source.missing',
    source: 'macs',
    figures: { received: 0, claimed: 2 },
  },
  'HTTP 500. It has no complete run yet.': { kind: 'source.missing', text: 'HTTP 500.' },
  'certainly 90 % have the agent (91 %, at most 99 %); the minimum is 95 %.': {
    kind: 'coverage.below',
    figures: { low: 90, coverage: 91, high: 99, minimum: 95 },
  },
  'certainly 96 % have the agent again; the minimum is 95 %.': {
    kind: 'coverage.restored',
    phase: 'over',
    figures: { low: 96, minimum: 95 },
  },
  'not set any more.': { kind: 'coverage.restored', phase: 'over', text: 'not set any more.' },
  'macs: counted 3,000: 2,000 with the agent, 1,000 without; not counted 4.': {
    kind: 'baseline',
    source: 'macs',
    figures: { counted: 3000, installed: 2000, notInstalled: 1000, excluded: 4 },
  },
  'It differs.': { kind: 'clock.differs', text: 'It differs.' },
  'clock.differs': { kind: 'clock.differs' },
};

it.each(Object.entries(alertLines))('the line of an alert: %s', (line, changes) => {
  expect(formatAlertLine(event(changes))).toBe(line);
});

describe('the place of an event', () => {
  it.each<[DigestEvent, string | undefined]>([
    [about({}), 'lost'],
    [about({ reason: 'never-reported' }), 'silent'],
    [about({ reason: 'removed' }), 'silent'],
    [event(), 'lost'],
    [about({ reason: 'never-reported' }, { phase: 'over' }), 'resolved'],
    [about({ reason: 'never-reported' }, { kind: 'device.new-not-installed' }), 'new'],
    [event({ kind: 'test' }), undefined],
    [about({ reason: 'unmanaged' }, { kind: 'count.left', phase: 'over' }), 'removed-from-scope'],
    [about({ reason: 'removed' }, { kind: 'count.left', phase: 'over' }), 'unlisted'],
  ])('%#: %s', (one, expected) => {
    expect(findSection(one)).toBe(expected);
  });

  it('is as bad as its kind while it is open', () => {
    expect(determineSeverity('source.missing', 'first')).toBe('error');
    expect(determineSeverity('source.missing', 'over')).toBe('info');
    expect(determineSeverity('test', 'first')).toBe('info');
    expect(findWorstSeverity(['info', 'error', 'warning'])).toBe('error');
    expect(findWorstSeverity([])).toBe('info');
  });
});

describe('the events of a channel', () => {
  const berlin = about({ site: 'Berlin' }, { source: 'macs' });
  const plain = event({ kind: 'source.missing', source: 'windows' });
  const keys = (events: readonly DigestEvent[], only: Parameters<typeof selectEvents>[1]) =>
    selectEvents(events, only).length;

  it.each([
    [undefined, 2],
    [{}, 2],
    [{ severity: ['error'] as const }, 1],
    [{ kinds: ['device.lost'] }, 1],
    [{ source: ['macs', 'windows'] }, 2],
    [{ site: ['Berlin'] }, 1],
    [{ site: ['Oslo'] }, 0],
    [{ site: ['Berlin'], source: ['windows'] }, 0],
    [{ department: ['x'] }, 0],
  ])('by %j are %i', (only, expected) => {
    expect(keys([berlin, plain], only)).toBe(expected);
  });

  it('that are resolved are those that it was sent as open', () => {
    const over = {
      ...plain,
      kind: 'source.sound-again',
      phase: 'over',
      sentAs: [{ kind: 'source.missing', site: 'Berlin' }],
    } as const;
    expect(keys([over], { severity: ['error'] })).toBe(1);
    expect(keys([over], { site: ['Berlin'] })).toBe(1);
    expect(keys([over], { kinds: ['source.sound-again'] })).toBe(1);
    expect(keys([over], { site: ['Oslo'] })).toBe(0);
    expect(keys([{ ...over, phase: 'first' }], { severity: ['error'] })).toBe(0);
    expect([isUrgent(over), isUrgent(plain), isUrgent(berlin), isUrgent({ ...berlin, phase: 'again' })]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('a digest', () => {
  it('of a test says so, and nothing else', () => {
    const { digest, events } = buildTestMessage('Endpoint agent', '2026-06-02');
    expect(formatHeading(digest)).toBe('Endpoint agent – test');
    expect(formatHeading({ ...digest, about: 'night', severity: 'warning' })).toBe(
      'Warning – Endpoint agent – run of 2026-06-02',
    );
    expect(digest.sections.map(({ lines, count, more }) => [lines.length, count, more])).toEqual([[1, 1, 0]]);
    expect(digest.sections[0]?.lines[0]).toBe(events[0]?.text);
  });

  it('that is shortened counts what is left out', () => {
    const { digest } = buildTestMessage('Endpoint agent', '2026-06-02');
    const section = {
      title: 't',
      ask: 'a',
      count: 3,
      lines: ['1', '2', '3'],
      names: ['1', '', '3'],
      links: ['a', '', 'c'],
      more: 4,
    };
    const long = { ...digest, sections: [section, section], further: 5 };
    expect(shortenDigest(long, 2, 1)).toMatchObject({
      sections: [{ lines: ['1', '2'], names: ['1', ''], links: ['a', ''], more: 5 }],
      further: 6,
    });
    expect(shortenDigest(long, 9)).toEqual(long);
  });

  it('has a link for each device where the page is on the web, and counts those that came in numbers', () => {
    const named = (id: string) => about({ id }, { kind: 'device.new-not-installed', source: 'macs' });
    const [section] = buildSections([named('1'), event({ kind: 'device.new-not-installed' })], 'https://x/');
    expect(section).toMatchObject({ names: ['', 'device 1'], links: ['', 'https://x/#device=macs/1'] });
    expect(buildSections([named('1')], '/srv/x')[0]).not.toHaveProperty('links');
    const console = 'https://s3.console.aws.amazon.com/s3/object/acme?prefix=report%2Findex.html';
    expect(buildSections([named('1')], console)[0]).not.toHaveProperty('links');
    const crowd = Array.from({ length: 21 }, (_, index) => named(String(index)));
    const other = about({ id: 'z' }, { kind: 'device.new-not-installed', source: 'windows' });
    expect(buildSections([...crowd, other])[0]).toMatchObject({
      count: 22,
      more: 0,
      lines: ['macs: 21 devices came at once; the report lists them.', expect.stringMatching(/^device z, windows: /)],
    });
    expect(buildSections(crowd.slice(0, 20))[0]).toMatchObject({ count: 20, more: 10 });
  });

  it('has no link that a mail program would cut or refuse', () => {
    const linkOf = (id: string) => buildSections([about({ id }, { source: 'macs' })], 'https://x/')[0]?.links?.[0];
    expect(linkOf("a(b)'c!*~")).toBe('https://x/#device=macs/a%28b%29%27c%21%2A%7E');
    expect(linkOf('x'.repeat(977))).toHaveLength(1000);
    expect(linkOf('x'.repeat(978))).toBeUndefined();
  });

  it('names the longest missing first, then by name; alerts of no device come before', () => {
    const lost = (name: string | undefined, since: string | undefined) =>
      about({ id: `id of ${name}`, ...omitUndefined({ name, since }) }, { source: 'macs' });
    const events = [
      lost('b', '2026-05-02'),
      lost('today', undefined),
      lost('a', '2026-05-02'),
      lost(undefined, '2026-05-02'),
      lost('long ago', '2024-01-01'),
    ];
    const names = ['long ago', 'a', 'b', 'device id of undefined', 'today'];
    expect(buildSections([...events, event()], 'https://x')[0]?.names).toEqual(['', ...names]);
    const first = events.flatMap((one) => one.device ?? []);
    const overdue = event({ kind: 'device.overdue', source: 'macs', first });
    expect(buildSections([overdue], 'https://x')[0]?.names).toEqual(names);
    const many = Array.from({ length: 15 }, (_, index) => lost(`mac ${index}`, `2026-05-${30 - index}`));
    expect(buildSections(many)[0]?.lines[0]).toContain('mac 14');
    expect(buildSections(many)[0]?.more).toBe(5);
  });

  it('has a section of its own for an event that names several devices', () => {
    const first = [
      { ...device, source: 'macs' },
      { ...device, id: '8' },
    ];
    const list = event({ kind: 'device.overdue', text: '5 devices.', figures: { listed: 5 }, first });
    expect(buildSections([list], 'https://x')[0]).toMatchObject({
      title: expect.stringMatching(/ – 5 devices\.$/),
      count: 5,
      more: 3,
      lines: ['device 7, macs', 'device 8'],
      links: ['https://x#device=macs/7', ''],
    });
    const { figures: _, ...bare } = list;
    expect(buildSections([bare])[0]?.more).toBe(0);
  });
});

it('for programs, an acknowledgement without a ticket has an empty one', () => {
  const acknowledged = { by: 'ada', until: '2026-07-01', ticket: '' };
  expect(toEventRecord(about({ acknowledged }), { agent: 'Agent', commit: 1 }).device).toMatchObject({ acknowledged });
});

it('an event has another id than one that said something else of the same alert for the same slot', () => {
  const idOf = (phase: DigestEvent['phase'], commit: number) =>
    toEventRecord(about({}, { phase }), { agent: 'Agent', commit }).id;
  expect(idOf('first', 5)).toBe(idOf('first', 5));
  // Healed, or retracted and run again: it ended, opened again, or has another cause.
  expect(new Set([idOf('first', 5), idOf('over', 6), idOf('first', 7)]).size).toBe(3);
});
