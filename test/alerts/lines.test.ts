/** What a message says of each event, in one line. */
import { describe, expect, it } from 'vitest';
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
import { device, makeDeviceEvent, makeEvent } from './digest-events.ts';

/** Devices, each under the line that it has. */
const deviceLines: Readonly<Record<string, DigestEvent>> = {
  'device 7: reported as Not Installed, since at least 2026-06-02': makeDeviceEvent({ value: 'Not Installed' }),
  'MAC (C02), ada, Berlin, macs: reported as Not Installed, since at least 2026-05-01, last seen 2026-05-30, proven':
    makeDeviceEvent(
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
  'device 7: reported as Not Installed, since at least 2026-06-02, not proven': makeDeviceEvent({ proven: false }),
  'device 7: reported as Not Installed, since at least 2026-06-02, acknowledged until 2026-07-01 (IT-1, ada)':
    makeDeviceEvent({
      acknowledged: { by: 'ada\u0007', until: '2026-07-01', ticket: 'IT-1' },
    }),
  'device 7: reported as Not Installed, since at least 2026-06-02, acknowledged until 2026-07-01 (ada)':
    makeDeviceEvent({
      acknowledged: { by: 'ada', until: '2026-07-01', ticket: '' },
    }),
  'MAC, macs': makeDeviceEvent({ name: 'MAC' }, { kind: 'device.recovered', source: 'macs' }),
  'MAC: It is exempt.': makeDeviceEvent({ name: 'MAC' }, { phase: 'over', text: 'It is exempt.' }),
  'MAC: more than three changes in seven nights; now Installed': makeDeviceEvent(
    { name: 'MAC', status: 'Installed' },
    { kind: 'device.flapping' },
  ),
  'MAC: no longer listed': makeDeviceEvent({ name: 'MAC', reason: 'removed' }, { kind: 'count.left' }),
  'MAC: no longer managed': makeDeviceEvent({ name: 'MAC', reason: 'unmanaged' }, { kind: 'count.left' }),
  'device 7: reports a value that is not documented ("x y"), since at least 2026-06-02': makeDeviceEvent({
    reason: 'unrecognised-value',
    value: 'x y',
  }),
  'device 7: reports a value that is not documented, since at least 2026-06-02': makeDeviceEvent({
    reason: 'unrecognised-value',
  }),
  '': makeEvent(),
};

describe('the line of a device', () => {
  it.each(Object.entries(deviceLines))('%s', (line, one) => {
    expect(formatDeviceLine(one)).toBe(line);
  });

  it('in a list has no reason of its own, and is as it is since a run at least (mornings L8)', () => {
    expect(formatListedDevice({ ...device, source: 'macs' })).toBe('device 7, macs');
    expect(formatListedDevice({ ...device, name: 'MAC', since: '2026-05-01', proven: false })).toBe(
      'MAC, since at least 2026-05-01, not proven',
    );
  });

  it('has its heading before it where it stands alone', () => {
    expect(formatEventLine(makeDeviceEvent({ name: 'MAC' }, { kind: 'device.recovered', phase: 'over' }))).toMatch(
      /^[A-Z].*: MAC$/,
    );
    expect(formatEventLine(makeEvent({ kind: 'test', text: 'A test.' }))).toBe('A test.');
    expect(formatEventLine(makeEvent({ kind: 'source.left', text: 'x', source: 'macs' }))).toMatch(
      /^[A-Z].*: macs: x$/,
    );
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
  'certainly 90.00 % have the agent (91.00 %, at most 99.00 %); the minimum is 95 %.': {
    kind: 'coverage.below',
    figures: { low: 90, coverage: 91, high: 99, minimum: 95 },
  },
  'certainly 96.00 % have the agent again; the minimum is 95 %.': {
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
  expect(formatAlertLine(makeEvent(changes))).toBe(line);
});

describe('the place of an event', () => {
  it.each<[DigestEvent, string | undefined]>([
    [makeDeviceEvent({}), 'lost'],
    [makeDeviceEvent({ reason: 'never-reported' }), 'silent'],
    [makeDeviceEvent({ reason: 'removed' }), 'silent'],
    [makeEvent(), 'lost'],
    [makeDeviceEvent({ reason: 'never-reported' }, { phase: 'over' }), 'resolved'],
    [makeDeviceEvent({ reason: 'never-reported' }, { kind: 'device.new-not-installed' }), 'new'],
    [makeEvent({ kind: 'test' }), undefined],
    [makeDeviceEvent({ reason: 'unmanaged' }, { kind: 'count.left', phase: 'over' }), 'removed-from-scope'],
    [makeDeviceEvent({ reason: 'removed' }, { kind: 'count.left', phase: 'over' }), 'unlisted'],
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
  const berlin = makeDeviceEvent({ site: 'Berlin' }, { source: 'macs' });
  const plain = makeEvent({ kind: 'source.missing', source: 'windows' });
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
