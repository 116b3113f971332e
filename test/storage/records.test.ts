/** What stored JSON is refused for, and in which words. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { parseEvents } from '../../src/storage/runs/events-record.ts';
import { ignoreDamage, parseRecord, runKeySchema, serializeRecord } from '../../src/storage/stored-json.ts';

const shape = v.object({ schema: v.literal(1), a: v.object({ b: v.string() }) });
const parse = (text: string | Buffer) => parseRecord(shape, Buffer.from(text), 'x.json');
const damaged = (what: string) => `x.json is damaged: ${what}. Restore it from a backup or an older version.`;

it.each<[string | Buffer, string, string]>([
  ['{"schema":1,"a":{"b":1}}', 'store-damaged', damaged('its a.b is not what it should be')],
  ['[]', 'store-damaged', damaged('its schema is not what it should be')],
  ['1', 'store-damaged', damaged('its contents is not what it should be')],
  ['{"schema":1.5,"a":{"b":"c"}}', 'store-damaged', damaged('its schema is not what it should be')],
  ['{', 'store-damaged', damaged('it is not JSON')],
  [Buffer.from([0x22, 0xff, 0x22]), 'store-damaged', damaged('it is not UTF-8 text')],
  [
    '{"schema":2}',
    'store-newer',
    'x.json was written by a newer Muster (schema 2; this one knows 1). Run the newer version; nothing was changed.',
  ],
  [
    '{"schema":0}',
    'store-older',
    'x.json was written by a development version of Muster (schema 0; this one knows 1). It is not migrated: name an empty store; nothing was changed.',
  ],
])('%s is refused: %s, %s', (text, code, message) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code, message }));
});

it('damage may be left to verification, and nothing else', async () => {
  const fail = (code: 'store-damaged' | 'log-damaged' | 'store-newer') =>
    ignoreDamage(() => Promise.reject(new MusterError(code, 'x')));
  expect(await fail('store-damaged')).toBeUndefined();
  expect(await fail('log-damaged')).toBeUndefined();
  await expect(fail('store-newer')).rejects.toMatchObject({ code: 'store-newer' });
});

it.each([
  ['runs/2026-11-01/a/state.json', true],
  ['runs/2026-11-01/a/facts/night.json.gz', true],
  ['runs/2026-11-01/a/v1./x', true],
  ['runs/2026-11-01/a//x', false],
  ['runs/2026-11-01/../x', false],
  ['runs/2026-11-01/a/.hidden', false],
])('a commit may name %s: %s', (key, isAllowed) => {
  expect(v.is(runKeySchema, key)).toBe(isAllowed);
});

const event = { kind: 'device.lost', key: 'device:1', phase: 'first', slot: 's', since: 's', opened: 1 };

it.each<[object, string]>([
  [{}, ''],
  [{ events: [event] }, ''],
  [{ events: [event, 1] }, 'its events.1 is not what it should be'],
  [{ events: { length: 0 } }, 'its events is not what it should be'],
  [{ channels: [{ name: 'soc', from: 0 }] }, 'its channels.0.from is not what it should be'],
  [{ channels: [{ name: '../soc', from: 1 }] }, 'its channels.0.name is not what it should be'],
  [{ figures: {} }, 'its figures.counted is not what it should be'],
])('the events of a run with %j are read or refused: %s', (more, why) => {
  const counts = { counted: 0, installed: 0, notInstalled: 0, provenInstalled: 0, provenNotInstalled: 0 };
  const figures = { ...counts, soundness: 'complete' };
  const record = { schema: 1, agent: 'Agent', slot: 's', events: [], channels: [], figures, later: [], ...more };
  const read = () => parseEvents(serializeRecord(record), 'events.json');
  if (why === '') {
    expect(read()).toEqual(record);
  } else {
    expect(read).toThrow(why);
  }
});
