/** Facts of devices that were not read, as they are stored and read back; facts of before they were known have none. */
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import type { Source } from '../../src/sources/source.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { readFacts } from '../../src/storage/runs/run-files.ts';
import { place } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';

const [first = ''] = slots;
const here = place();

test('unread devices are read back as they were stored, and a source without any has no list', async () => {
  const made = company();
  const parts = made.parts(here.store);
  const [macs, windows] = parts.sources as [Source, Source];
  const unread = [{ id: '9', operatingSystem: 'macos' }];
  const partial: Source = {
    name: macs.name,
    kind: macs.kind,
    async read(context, reading) {
      await macs.read(context, reading);
      reading.unread = unread;
    },
  };
  expect(await runNight(made.order(first), { ...parts, sources: [partial, windows] })).toMatchObject({ exit: 3 });

  const run = await readCurrentRun(here.store);
  const facts = run && (await readFacts(here.store, run));
  expect(facts?.sources.map((source) => source.unread)).toEqual([unread, undefined]);
  expect(facts?.sources[1]).not.toHaveProperty('unread');
  expect(facts?.sources[0]?.devices).toHaveLength(6);
});
