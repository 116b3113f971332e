/** A digest: what a message of several events says, for people and for programs. */
import { describe, expect, it } from 'vitest';
import { buildSections, formatHeading, shortenDigest } from '../../src/alerts/message/digest.ts';
import type { DigestEvent } from '../../src/alerts/message/digest-event.ts';
import { toEventRecord } from '../../src/alerts/message/event-record.ts';
import { buildTestMessage } from '../../src/alerts/message/other-messages.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { device, makeDeviceEvent, makeEvent } from './digest-events.ts';

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
    const named = (id: string) => makeDeviceEvent({ id }, { kind: 'device.new-not-installed', source: 'macs' });
    const [section] = buildSections([named('1'), makeEvent({ kind: 'device.new-not-installed' })], 'https://x/');
    expect(section).toMatchObject({ names: ['', 'device 1'], links: ['', 'https://x/#device=macs/1'] });
    expect(buildSections([named('1')], '/srv/x')[0]).not.toHaveProperty('links');
    const console = 'https://s3.console.aws.amazon.com/s3/object/acme?prefix=report%2Findex.html';
    expect(buildSections([named('1')], console)[0]).not.toHaveProperty('links');
    const crowd = Array.from({ length: 21 }, (_, index) => named(String(index)));
    const other = makeDeviceEvent({ id: 'z' }, { kind: 'device.new-not-installed', source: 'windows' });
    expect(buildSections([...crowd, other])[0]).toMatchObject({
      count: 22,
      more: 0,
      lines: ['macs: 21 devices came at once; the report lists them.', expect.stringMatching(/^device z, windows: /)],
    });
    expect(buildSections(crowd.slice(0, 20))[0]).toMatchObject({ count: 20, more: 10 });
  });

  it('has no link that a mail program would cut or refuse', () => {
    const linkOf = (id: string) =>
      buildSections([makeDeviceEvent({ id }, { source: 'macs' })], 'https://x/')[0]?.links?.[0];
    expect(linkOf("a(b)'c!*~")).toBe('https://x/#device=macs/a%28b%29%27c%21%2A%7E');
    expect(linkOf('x'.repeat(977))).toHaveLength(1000);
    expect(linkOf('x'.repeat(978))).toBeUndefined();
  });

  it('names the longest missing first, then by name; alerts of no device come before', () => {
    const lost = (name: string | undefined, since: string | undefined) =>
      makeDeviceEvent({ id: `id of ${name}`, ...omitUndefined({ name, since }) }, { source: 'macs' });
    const events = [
      lost('b', '2026-05-02'),
      lost('today', undefined),
      lost('a', '2026-05-02'),
      lost(undefined, '2026-05-02'),
      lost('long ago', '2024-01-01'),
    ];
    const names = ['long ago', 'a', 'b', 'device id of undefined', 'today'];
    expect(buildSections([...events, makeEvent()], 'https://x')[0]?.names).toEqual(['', ...names]);
    const first = events.flatMap((one) => one.device ?? []);
    const overdue = makeEvent({ kind: 'device.overdue', source: 'macs', first });
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
    const list = makeEvent({ kind: 'device.overdue', text: '5 devices.', figures: { listed: 5 }, first });
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
  expect(toEventRecord(makeDeviceEvent({ acknowledged }), { agent: 'Agent', commit: 1 }).device).toMatchObject({
    acknowledged,
  });
});

it('an event has another id than one that said something else of the same alert for the same slot', () => {
  const idOf = (phase: DigestEvent['phase'], commit: number) =>
    toEventRecord(makeDeviceEvent({}, { phase }), { agent: 'Agent', commit }).id;
  expect(idOf('first', 5)).toBe(idOf('first', 5));
  // Healed, or retracted and run again: it ended, opened again, or has another cause.
  expect(new Set([idOf('first', 5), idOf('over', 6), idOf('first', 7)]).size).toBe(3);
});
