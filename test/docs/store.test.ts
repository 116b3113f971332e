/** docs/store.md shows files of a store; the fields of those that it writes out are the ones that a run writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { runNight } from '../../src/night.ts';
import { alertsWith, listener } from '../alerts/listeners.ts';
import { fakeClock } from '../http/loopback.ts';
import { company, slots } from '../night/small.ts';
import { makeStore } from '../storage/written-runs.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'store.md'), 'utf8');

it.each([['night.json.gz'], ['state.json.gz']])('%s has the schema that is shown', async (file) => {
  const store = makeStore();
  const made = company();
  await runNight(made.order(slots[0] ?? ''), made.parts(store));
  const key = (await Array.fromAsync(store.list(''))).find((one) => one.endsWith(file)) ?? '';
  const { schema } = JSON.parse(String(gunzipSync((await store.read(key)) ?? ''))) as { readonly schema: number };
  const pattern = new RegExp(`${file}. .schema (\\d+).[\\s\\S]*?"schema":(\\d+)`);
  const [, titled, shown] = pattern.exec(page) ?? [];
  expect([titled, shown]).toEqual([`${schema}`, `${schema}`]);
});

it('events.json and a mark have the fields that are shown', async () => {
  const store = makeStore();
  const made = company();
  const alerts = alertsWith([listener('soc')], fakeClock());
  await runNight(made.order(slots[0] ?? ''), { ...made.parts(store), alerts });
  const keys = await Array.fromAsync(store.list(''));
  const readFields = async (end: string) => {
    const key = keys.find((one) => one.endsWith(end)) ?? '';
    return Object.keys(JSON.parse(String(await store.read(key))) as object).sort();
  };
  const [, shownMark = '{}'] = /(\{\n {2}"schema": 1,\n {2}"channel"[\s\S]*?\n\})/.exec(page) ?? [];
  // A listener has no address.
  const shown = Object.keys(JSON.parse(shownMark) as object).filter((field) => field !== 'address');
  expect(await readFields('.mark.json')).toEqual(shown.sort());

  const [shownEvents = ''] = /\{"schema":1,"agent"[^\n]*\}/.exec(page) ?? [];
  const fields = await readFields('/events.json');
  expect(fields.filter((field) => !shownEvents.includes(`"${field}":`))).toEqual([]);
});
