/** What a message says of each event, in one line. */
import { describe, expect, it } from 'vitest';
import { buildSections, formatHeading, shortenDigest } from '../../src/alerts/message/digest.ts';
import {
  formatAlertLine,
  formatDeviceLine,
  formatEventLine,
  formatListedDevice,
} from '../../src/alerts/message/event-lines.ts';
import { toEventRecord } from '../../src/alerts/message/event-record.ts';
import { isUrgent, selectEvents } from '../../src/alerts/message/select-events.ts';
import {
  type DigestEvent,
  determineSeverity,
  findSection,
  findWorstSeverity,
} from '../../src/alerts/message/severity.ts';
import { buildTestMessage } from '../../src/alerts/message/test-message.ts';
import type { EventDevice } from '../../src/core/alerts/alert-event.ts';

const device: EventDevice = { id: '7', status: 'Not Installed', reason: 'reported' };
const event = (changes: Partial<DigestEvent> = {}): DigestEvent => ({
  ...{ kind: 'device.lost', key: 'k', phase: 'first', slot: '2026-06-02', since: '2026-06-01', ...changes },
});
const about = (changes: Partial<EventDevice>, more: Partial<DigestEvent> = {}) =>
  event({ device: { ...device, ...changes }, ...more });

describe('the line of a device', () => {
  it.each<[string, DigestEvent, RegExp | string]>([
    ['with its id alone', about({}), /^device 7: [a-z].*, since 2026-06-02$/],
    [
      'with everything',
      about(
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
      /^MAC \(C02\), ada, Berlin, macs: .*, since 2026-05-01, last seen 2026-05-30, proven$/,
    ],
    ['that is not proven', about({ proven: false }), /, not proven$/],
    [
      'that was acknowledged',
      about({ acknowledged: { by: 'ada', until: '2026-07-01', ticket: 'IT-1' } }),
      /, acknowledged until 2026-07-01 \(IT-1, ada\)$/,
    ],
    [
      'that was acknowledged without a ticket',
      about({ acknowledged: { by: 'ada\u0007', until: '2026-07-01', ticket: '' } }),
      /, acknowledged until 2026-07-01 \(ada.?\)$/,
    ],
    ['that has the agent again', about({ name: 'MAC' }, { kind: 'device.recovered', source: 'macs' }), 'MAC, macs'],
    [
      'of which the alert ended',
      about({ name: 'MAC' }, { phase: 'over', text: 'It is exempt.' }),
      'MAC: It is exempt.',
    ],
    [
      'that changes to and fro',
      about({ name: 'MAC', status: 'Installed' }, { kind: 'device.flapping' }),
      'MAC: more than three changes in seven nights; now Installed',
    ],
    [
      'that is no longer listed',
      about({ name: 'MAC', reason: 'removed' }, { kind: 'count.left' }),
      'MAC: no longer listed',
    ],
    [
      'that is no longer counted',
      about({ name: 'MAC', reason: 'unmanaged' }, { kind: 'count.left' }),
      /^MAC: [a-z ]+$/,
    ],
    [
      'with a value that is not clear',
      about({ reason: 'unrecognised-value', value: 'x y' }),
      /^device 7: .* \("x y"\), since/,
    ],
    [
      'with a value that is not clear, and is not known',
      about({ reason: 'unrecognised-value' }),
      /^device 7: [^"]*, since/,
    ],
    ['with a clear value', about({ value: 'Not Installed' }), /^device 7: [^"]*, since/],
    ['of none', event(), ''],
  ])('%s', (_, one, expected) => {
    const line = formatDeviceLine(one);
    expect(line).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
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

describe('the line of an alert', () => {
  it.each<[string, Partial<DigestEvent>, string]>([
    [
      'a source that is still away',
      { kind: 'source.carried', phase: 'again', source: 'macs', text: 'still no answer' },
      'still no answer',
    ],
    [
      'a source that is still away, without words',
      { kind: 'source.carried', phase: 'again', source: 'macs' },
      'source.carried',
    ],
    [
      'one that was resolved',
      { kind: 'source.carried', phase: 'over', source: 'macs', text: 'It was removed.' },
      'macs: It was removed.',
    ],
    [
      'one that is reminded of',
      { kind: 'exemption.expired', phase: 'again', text: 'It ended.' },
      'It ended. (since 2026-06-01)',
    ],
    [
      'a source that is sound again',
      { kind: 'source.sound-again', phase: 'over', source: 'macs' },
      'macs: complete and sound again.',
    ],
    [
      'a source that was carried',
      { kind: 'source.carried', source: 'macs', text: 'HTTP 500.', figures: { received: 1, claimed: 1 } },
      'macs: HTTP 500. 1 of 1 row received. Its last complete run is shown.',
    ],
    [
      'a source that is missing',
      { kind: 'source.missing', source: 'macs', figures: { received: 0, claimed: 2 } },
      'macs: not answered completely. 0 of 2 rows received. It has no complete run yet.',
    ],
    [
      'a source that gave no number',
      { kind: 'source.missing', text: 'HTTP 500.' },
      'HTTP 500. It has no complete run yet.',
    ],
    [
      'coverage that is too low',
      { kind: 'coverage.below', figures: { low: 90, coverage: 91, high: 99, minimum: 95 } },
      'certainly 90 % have the agent (91 %, at most 99 %); the minimum is 95 %.',
    ],
    [
      'coverage that is enough',
      { kind: 'coverage.restored', phase: 'over', figures: { low: 96, minimum: 95 } },
      'certainly 96 % have the agent again; the minimum is 95 %.',
    ],
    [
      'coverage that is not asked for any more',
      { kind: 'coverage.restored', phase: 'over', text: 'not set any more.' },
      'not set any more.',
    ],
    [
      'a first run',
      { kind: 'baseline', source: 'macs', figures: { counted: 3, installed: 2, notInstalled: 1, excluded: 4 } },
      'macs: counted 3: 2 with the agent, 1 without; not counted 4.',
    ],
    ['any other', { kind: 'clock.differs', text: 'It differs.' }, 'It differs.'],
    ['any other without words', { kind: 'clock.differs' }, 'clock.differs'],
  ])('about %s', (_, changes, expected) => {
    expect(formatAlertLine(event(changes))).toBe(expected);
  });
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
    expect([
      isUrgent(over),
      isUrgent(plain),
      isUrgent(berlin),
      isUrgent({ ...over, sentAs: [] }),
      isUrgent({ ...berlin, sentAs: over.sentAs }),
    ]).toEqual([true, true, false, false, false]);
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
    const section = { title: 't', ask: 'a', count: 3, lines: ['1', '2', '3'], links: ['a', '', 'c'], more: 4 };
    const long = { ...digest, sections: [section, section], further: 5 };
    expect(shortenDigest(long, 2, 1)).toMatchObject({
      sections: [{ lines: ['1', '2'], links: ['a', ''], more: 5 }],
      further: 6,
    });
    expect(shortenDigest(long, 9)).toEqual(long);
  });

  it('has a link for each device where the page is on the web, and counts those that came in numbers', () => {
    const named = (id: string) => about({ id }, { kind: 'device.new-not-installed', source: 'macs' });
    const [section] = buildSections([named('1'), event({ kind: 'device.new-not-installed' })], 'https://x/');
    expect(section?.links).toEqual(['https://x/#device=macs/1', '']);
    expect(buildSections([named('1')], '/srv/x')[0]).not.toHaveProperty('links');
    const crowd = Array.from({ length: 21 }, (_, index) => named(String(index)));
    const other = about({ id: 'z' }, { kind: 'device.new-not-installed', source: 'windows' });
    expect(buildSections([...crowd, other])[0]).toMatchObject({
      ...{ count: 22, more: 0 },
      lines: ['macs: 21 devices came at once; the report lists them.', expect.stringMatching(/^device z, windows: /)],
    });
    expect(buildSections(crowd.slice(0, 20))[0]).toMatchObject({ count: 20, more: 10 });
  });

  it('has a section of its own for an event that names several devices', () => {
    const first = [
      { ...device, source: 'macs' },
      { ...device, id: '8' },
    ];
    const list = event({ kind: 'device.overdue', text: '5 devices.', figures: { listed: 5 }, first });
    expect(buildSections([list], 'https://x')[0]).toMatchObject({
      ...{ title: expect.stringMatching(/ – 5 devices\.$/), count: 1, more: 3 },
      ...{ lines: ['device 7, macs', 'device 8'], links: ['https://x#device=macs/7', ''] },
    });
    const { figures: _, ...bare } = list;
    expect(buildSections([bare])[0]?.more).toBe(0);
  });
});

it('for programs, an acknowledgement without a ticket has an empty one', () => {
  const acknowledged = { by: 'ada', until: '2026-07-01', ticket: '' };
  expect(toEventRecord(about({ acknowledged }), { agent: 'Agent' }).device).toMatchObject({ acknowledged });
});
