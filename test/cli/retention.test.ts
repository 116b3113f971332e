/** `retention.nights: 400` typed as 1: said by `check` and by the run, and done by a person, or after seven days. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../night/reader.ts';
import { momentOf, onlyMacs, openSite, type Site } from './site.ts';

const slots = ['2025-06-01', '2025-06-02', '2025-06-03', '2025-06-04'];
const mistyped = 'retention: { nights: 1 }\n';
let site: Site;

beforeAll(async () => {
  site = await openSite({ devices: 30 });
});
afterAll(() => site.close());

async function run(settings: string, slot: string) {
  site.sandbox.setMoment(momentOf(slot));
  const { code, out } = await site.run(settings, 'run', '--slot', slot);
  return { code, ...JSON.parse(out.trim().split('\n').at(-1) ?? '{}') };
}

/** Four runs that are kept, and settings in which only one is. */
async function fourRuns(name: string) {
  const whole = await site.settingsFor(name, onlyMacs);
  for (const slot of slots) {
    expect((await run(whole.settings, slot)).code).toBe(0);
  }
  const { settings } = await site.settingsFor(
    `${name}-mistyped`,
    (yaml) => onlyMacs(yaml).replace('./muster-data', `./${name}`) + mistyped,
  );
  const kept = async () => (await readdir(join(whole.store, 'runs'))).sort();
  return { ...whole, mistyped: settings, kept };
}

test('is held back and said, and removed by a run after seven days', async () => {
  const { mistyped: settings, store, kept } = await fourRuns('week');
  const before = await contentsOf(store, true);
  const check = await site.run(settings, 'check');
  expect(check).toMatchObject({ code: 3, out: expect.stringMatching(/4 runs are older than retention\.nights \(1\)/) });
  expect(await contentsOf(store, true)).toEqual(before);

  const fifth = '2025-06-05';
  expect(await run(settings, fifth)).toMatchObject({ code: 0, heldBack: { since: fifth, nights: 4, limit: 1 } });
  expect(await run(settings, '2025-06-11')).toMatchObject({ code: 0, heldBack: { since: fifth, nights: 5 } });
  expect(await kept()).toEqual([...slots, fifth, '2025-06-11']);
  expect((await site.run(settings, 'verify')).code).toBe(0);

  const last = await run(settings, '2025-06-12');
  expect(last).toMatchObject({ code: 0, event: 'run.published' });
  expect(last.heldBack).toBeUndefined();
  expect(await kept()).toEqual(['2025-06-12']);
  expect((await site.run(settings, 'verify')).code).toBe(0);
});

test('is shown by prune, and removed by prune --confirm', async () => {
  const { mistyped: settings, settings: whole, store, kept } = await fourRuns('confirmed');
  const before = await contentsOf(store, true);
  expect(await site.run(whole, 'prune')).toMatchObject({ code: 0, out: expect.stringMatching(/^Nothing to remove/) });
  expect(await site.run(settings, 'prune')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^3 runs, 2025-06-01 to 2025-06-03: older .*\nNothing was changed\..*--confirm\n$/),
  });
  expect(await contentsOf(store, true)).toEqual(before);

  expect(await site.run(settings, 'prune', '--confirm')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Removed: 3 runs, 2025-06-01 to 2025-06-03.'),
  });
  expect(await kept()).toEqual(['2025-06-04']);
  expect(await site.run(settings, 'verify')).toMatchObject({ code: 0, out: expect.stringMatching(/^Sound: 1 run,/) });
  expect(await run(settings, '2025-06-04')).toMatchObject({ code: 0, event: 'run.unchanged' });
  // Also with the old limit, nothing is missing: what was removed was removed on purpose.
  expect(await run(whole, '2025-06-05')).toMatchObject({ code: 0 });
  expect((await site.run(settings, 'verify')).code).toBe(0);
});
