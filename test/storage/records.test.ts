/** Keys and records of a store: what each key is, and which records are believed. */
import { describe, expect, it } from 'vitest';
import { computeSha256 } from '../../src/sha256.ts';
import {
  isAttemptedAfter,
  isManifestKey,
  parseAttemptFromKey,
  parseReportFile,
  parseSlotFromCopyKey,
  parseSlotFromKey,
  toAttemptName,
  toComparableSlot,
  toCopyKeys,
  toManifestKey,
} from '../../src/storage/runs/keys.ts';
import { readChecked, streamChecked } from '../../src/storage/runs/published-runs.ts';
import { parseOutbox, readPointer } from '../../src/storage/runs/records.ts';
import { place } from '../night/folder.ts';

const here = place();

describe('a key', () => {
  it.each([
    ['runs/2026-06-01/a1/manifest.json', true, '2026-06-01', 'a1', undefined, undefined],
    ['runs/2026-06-01/a1/manifest.json.tmp', false, '2026-06-01', 'a1', undefined, undefined],
    ['runs/2026-06-01/a1/b/manifest.json', false, '2026-06-01', 'a1', undefined, undefined],
    ['old/runs/2026-06-01/a1/manifest.json', false, undefined, undefined, undefined, undefined],
    ['runs/2026-06-01/a1/reports/devices.csv', false, '2026-06-01', 'a1', 'devices.csv', undefined],
    ['runs/2026-06-01/a1/reports/old/devices.csv', false, '2026-06-01', 'a1', undefined, undefined],
    ['x/runs/2026-06-01/a1/reports/devices.csv', false, undefined, undefined, undefined, undefined],
    ['not-installed/date=2026-06-01/not-installed.csv', false, undefined, undefined, undefined, '2026-06-01'],
    ['x/devices/date=2026-06-01/devices.csv', false, undefined, undefined, undefined, undefined],
    ['devices/date=2026-6-1/devices.csv', false, undefined, undefined, undefined, undefined],
    ['latest.json', false, undefined, undefined, undefined, undefined],
  ])('%s', (key, isManifest, slot, attempt, report, copied) => {
    expect(isManifestKey(key)).toBe(isManifest);
    expect([parseSlotFromKey(key), parseAttemptFromKey(key)]).toEqual([slot, attempt]);
    expect(toComparableSlot(key)).toBe(slot ?? '');
    expect([parseReportFile(key), parseSlotFromCopyKey(key)]).toEqual([report, copied]);
  });

  it('of an attempt sorts by when it began', () => {
    const [before, began] = [new Date('2026-06-01T05:15:00.000Z'), new Date('2026-06-01T05:15:00.001Z')];

    expect(toManifestKey('2026-06-01', toAttemptName(began, 'x'))).toBe(
      'runs/2026-06-01/20260601T051500001Z-x/manifest.json',
    );
    expect(isAttemptedAfter(toAttemptName(began, 'x'), before)).toBe(true);
    expect(isAttemptedAfter(toAttemptName(before, 'x'), began)).toBe(false);
  });

  it.each([
    ['devices.csv', 'devices'],
    ['not-installed.ndjson', 'not-installed'],
    ['index.html', 'report'],
    ['devices.csv.gz', 'report'],
    ['my.devices.csv', 'report'],
  ])('the copies of %s are below %s', (file, folder) => {
    expect(toCopyKeys(file, '2026-06-01')).toEqual([`${folder}/date=2026-06-01/${file}`, `latest/${file}`]);
  });
});

describe('a pointer', () => {
  const pointer = {
    ...{ schema: 1, slot: '2026-06-01', attempt: 'a', generation: 1, nonce: 'n' },
    ...{ manifest: 'runs/2026-06-01/a/manifest.json', sha256: 'a'.repeat(64) },
  };
  const read = (changes: object) => readPointer(Buffer.from(JSON.stringify({ ...pointer, ...changes })), 'latest.json');

  it('is believed', () => {
    expect(read({})).toEqual(pointer);
  });

  it.each([
    ['runs/2026-06-01/../manifest.json'],
    ['runs/2026-06-01/a/../../x'],
    ['runs/2026-06-01/a/.hidden'],
    ['runs/2026-06-01/a//x'],
    ['runs/2026-06-01/a/'],
    ['runs/2026-06-01/a/b\\c'],
    ['/runs/2026-06-01/a/manifest.json'],
    ['other/runs/2026-06-01/a/manifest.json'],
    ['runs/2026-06-01/manifest.json'],
  ])('that leads to %s is damaged', (manifest) => {
    expect(() => read({ manifest })).toThrow('latest.json is damaged: its manifest is not what it should be.');
  });

  it.each([
    [{ sha256: 'A'.repeat(64) }, 'its sha256'],
    [{ sha256: 'a'.repeat(65) }, 'its sha256'],
    [{ generation: 0 }, 'its generation'],
    [{ generation: 1.5 }, 'its generation'],
    [{ slot: '1 June' }, 'its slot'],
    [{ attempt: '../a' }, 'its attempt'],
    [{ manifest: 'runs/2026-06-01/a/\0' }, 'its manifest'],
    [{ retracted: [{}] }, 'its retracted.0.manifest'],
  ])('with %j is damaged: %s', (changes, what) => {
    expect(() => read(changes)).toThrow(`latest.json is damaged: ${what} is not what it should be.`);
  });

  it.each([
    ['[]', 'its schema is not what it should be'],
    ['{', 'it is not JSON'],
    ['null', 'its contents is not what it should be'],
  ])('that is %s is damaged: %s', (text, what) => {
    expect(() => readPointer(Buffer.from(text), 'latest.json')).toThrow(`latest.json is damaged: ${what}.`);
  });

  it('that is not UTF-8 is damaged, also where it would be JSON', () => {
    const bytes = Buffer.from(JSON.stringify({ ...pointer, nonce: 'x\u00ff' }), 'latin1');
    expect(() => readPointer(bytes, 'latest.json')).toThrow('latest.json is damaged: it is not UTF-8 text.');
  });

  it('of a newer Muster is refused, and an older number is damage', () => {
    expect(() => read({ schema: 2 })).toThrow('written by a newer Muster (schema 2; this one knows 1)');
    expect(() => read({ schema: 0 })).toThrow('its schema is not what it should be');
    expect(() => parseOutbox(Buffer.from('{"messages":[{}]}'), 'outbox.json')).toThrow('its messages.0.channel');
  });
});

it.each([
  ['channel', '/one'],
  ['channel', '..'],
  ['channel', ''],
  ['slot', '2026-06-01/..'],
  ['attempt', 'a\\b'],
  ['attempt', 'a\0'],
])('a message whose %s is %j names no key: damage', (field, name) => {
  const message = { channel: 'soc', part: 1, key: 'k', slot: '2026-06-01', attempt: 'a', [field]: name };
  const body = Buffer.from(JSON.stringify({ schema: 1, messages: [message] }));
  expect(() => parseOutbox(body, 'outbox.json')).toThrow(`its messages.0.${field} is not what it should be`);
});

it('bytes that are not those that were published are never believed', async () => {
  const [key, body] = ['runs/2026-06-01/a/x', Buffer.from('text')];
  const sha256 = computeSha256(body);
  const damaged = `${key} is damaged: its SHA-256 is not the one that was published.`;
  const stream = async (expected: string) => {
    const pieces: Buffer[] = [];
    for await (const piece of streamChecked(here.store, { key, bytes: body.length, sha256: expected })) {
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  };
  await here.store.create(key, body);

  await expect(readChecked(here.store, key, sha256)).resolves.toEqual(body);
  await expect(stream(sha256)).resolves.toEqual(body);
  await expect(readChecked(here.store, key, 'a'.repeat(64))).rejects.toThrow(damaged);
  await expect(stream('a'.repeat(64))).rejects.toThrow(damaged);
  await expect(readChecked(here.store, 'runs/2026-06-01/a/y', sha256)).rejects.toThrow('it is missing from');
});
