/** A person looked at a suspect night, and it is right. */
import { expect, test } from 'vitest';
import { version } from '../../src/base/version.ts';
import { toExitCode } from '../../src/cli/console/failure.ts';
import { runNight } from '../../src/night.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { readFacts } from '../../src/storage/runs/run-files.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { place } from './folder.ts';
import { contentsOf, look } from './reader.ts';
import { companyOfAllTables, slots } from './small.ts';

const [first = '', second = '', third = ''] = slots;
const here = place();

async function suspect() {
  const made = companyOfAllTables();
  await runNight(made.order(first), made.parts(here.store));
  made.shrunk.add('macs');
  const order = made.order(second);
  // Its night was made by another version than the one that accepts it.
  const older = { ...order, readRunContext: async () => ({ ...(await order.readRunContext()), muster: '0.0.9' }) };
  expect(await runNight(older, made.parts(here.store))).toMatchObject({ exit: 3, did: 'published' });
  made.asked.length = 0;
  return made;
}

test('is published complete with its changes, says who and when, and asks no platform', async () => {
  const made = await suspect();
  const before = await look(here.path);
  const began = Date.now();
  const outcome = await acceptRun(second, 'somebody', made.parts(here.store));
  expect(outcome).toMatchObject({ exit: 0, did: 'published' });
  expect(made.asked).toEqual([]);

  const seen = await look(here.path);
  expect(seen).toMatchObject({ slot: second, exit: 0, replaces: before?.attempt });
  expect(seen?.reports['changes.csv']).toBe(before?.reports['changes.csv']);
  expect(seen?.reports['changes.csv']?.match(/,removed,/g)).toHaveLength(4);
  expect(seen?.reports['coverage.csv']).toContain('macs,macos,complete');
  const standing = await readCurrentRun(here.store);
  const facts = standing && (await readFacts(here.store, standing));
  expect(facts?.accepted).toMatchObject({ by: 'somebody', sources: ['macs'] });
  expect(Date.parse(facts?.accepted?.at ?? '')).toBeGreaterThanOrEqual(began);
  expect(standing?.commit.muster).toBe(version);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});

test('is what the next night is compared with; without it, the one before is', async () => {
  const made = await suspect();
  const compared = async () => (await runNight(made.order(third, { dryRun: true }), made.parts(here.store))).night;
  expect((await compared())?.sources[0]).toMatchObject({ name: 'macs', soundness: 'suspect', baseline: first });
  await acceptRun(second, 'somebody', made.parts(here.store));
  expect((await compared())?.sources[0]).toMatchObject({ name: 'macs', soundness: 'complete', baseline: second });
});

test('stays accepted when another source of that night is healed later', async () => {
  const made = companyOfAllTables();
  await runNight(made.order(first), made.parts(here.store));
  made.shrunk.add('macs');
  made.away.add('windows');
  await runNight(made.order(second), made.parts(here.store));
  expect(await acceptRun(second, 'somebody', made.parts(here.store))).toMatchObject({ exit: 3, did: 'published' });
  made.away.clear();
  made.asked.length = 0;
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
  expect(made.asked).toEqual(['windows']);
  const standing = await readCurrentRun(here.store);
  expect((standing && (await readFacts(here.store, standing)))?.accepted?.by).toBe('somebody');
});

test('a list that is shrunk is accepted alone, and the next one is compared with it', async () => {
  const made = companyOfAllTables();
  const runWith = (slot: string, machines: number) => {
    const order = made.order(slot);
    const rows = Array.from({ length: machines }, (_, index) => ({ serial: `C02LIST${index}` }));
    const file = {
      name: 'list.csv',
      rows: machines,
      columns: ['serial'],
      date: `${slot}T00:00:00.000Z`,
      maxAgeDays: 7,
    };
    const lists = { expected: { readAt: `${slot}T05:15:00.000Z`, files: [file], rows } };
    const readRunContext = async () => ({ ...(await order.readRunContext()), lists });
    return runNight({ ...order, readRunContext }, made.parts(here.store));
  };
  await runWith(first, 100);
  await runWith(second, 10);
  expect(await acceptRun(second, 'somebody', made.parts(here.store))).toMatchObject({ did: 'published' });
  const standing = await readCurrentRun(here.store);
  const facts = standing && (await readFacts(here.store, standing));
  expect(facts?.accepted).toMatchObject({ by: 'somebody', sources: [], lists: ['expected'] });
  expect((await runWith(third, 10)).night?.lists.expected?.soundness).toBe('sound');
  await expect(acceptRun(third, 'somebody', made.parts(here.store))).rejects.toMatchObject({ code: 'not-suspect' });
});

test('a night that is not suspect, not the last or not there is a wrong command, and nothing changes', async () => {
  const made = companyOfAllTables();
  const refusal = async (slot: string) => {
    const error: unknown = await acceptRun(slot, 'somebody', made.parts(here.store)).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'not-suspect', message: expect.stringContaining(slot) });
    expect(toExitCode(error)).toBe(2);
  };
  await refusal(first);
  await runNight(made.order(first), made.parts(here.store));
  made.shrunk.add('macs');
  await runNight(made.order(second), made.parts(here.store));
  await refusal(first);
  await acceptRun(second, 'somebody', made.parts(here.store));
  const before = await contentsOf(here.path, true);
  await refusal(second);
  await refusal(third);
  expect(await contentsOf(here.path, true)).toEqual(before);
});

test('two people at once: one acceptance is published, the other changes nothing', async () => {
  const made = await suspect();
  const accepts = ['one', 'two'].map((by) => acceptRun(second, by, made.parts(here.store)));
  const ends = (await Promise.allSettled(accepts)).map((end) =>
    end.status === 'fulfilled' ? end.value.did : end.reason.code,
  );
  expect(ends.filter((end) => end === 'published')).toHaveLength(1);
  expect(ends.filter((end) => end === 'superseded' || end === 'not-suspect')).toHaveLength(1);
  expect((await verifyRuns(here.store)).damage).toEqual([]);
});
