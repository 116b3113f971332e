/** The last published run is taken back: the one before stands again, and what the taken one did is undone or said. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/console/failure.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { fakeClock } from '../http/loopback.ts';
import { isDeep } from '../sampling.ts';
import { killing, memoryDisk } from '../storage/disks.ts';
import { keysOf, place } from './folder.ts';
import { contentsOf, locateRunFile, look } from './reader.ts';
import { company, slots } from './small.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const here = place();
const person = { by: 'ada', why: 'the clock was wrong' };

function world(store: Store = here.store) {
  const made = company();
  const channel = listener('one', true);
  const parts = () => partsWith(made, store, [channel], systemClock);
  return {
    made,
    channel,
    night: (slot: string) => runNight(made.order(slot), parts()),
    retract: (slot: string) => retractRun({ slot, ...person }, parts()),
    texts: () => channel.taken.map(({ text }) => text),
  };
}

const latest = async () => JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
const commit = async (number: number) =>
  JSON.parse(await readFile(join(here.path, `commits/${String(number).padStart(10, '0')}.json`), 'utf8'));
const datedCopies = async (slot: string) => (await keysOf(here.store)).filter((key) => key.includes(`date=${slot}/`));

test('one more commit names the night before and says who, when and why; runs stay, copies go', async () => {
  const { night, retract } = world();
  await night(first);
  const before = await latest();
  const stood = await look(here.path);
  await night(second);
  const runs = Object.entries(await contentsOf(here.path)).filter(([key]) => key.startsWith(`runs/${second}/`));
  expect(await datedCopies(second)).not.toEqual([]);

  const began = Date.now();
  expect(await retract(second)).toMatchObject({ exit: 0, did: 'retracted', current: first });
  expect(await latest()).toEqual({ ...before, number: 3 });
  const wanted = { ...person, kind: 'retraction', slot: second };
  const made = await commit(3);
  expect(made).toMatchObject({ ...wanted, number: 3, stands: 1, files: [], sources: [], previous: { number: 2 } });
  expect(Date.parse(made.at)).toBeGreaterThanOrEqual(began);

  expect(await look(here.path)).toEqual(stood);
  const after = await contentsOf(here.path);
  for (const [key, hash] of runs) {
    expect(after[key]).toBe(hash);
  }
  expect(await datedCopies(second)).toEqual([]);
  for (const [file, text] of Object.entries(stood?.reports ?? {})) {
    expect(await readFile(join(here.path, 'latest', file), 'utf8')).toBe(text);
  }
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [], retracted: [wanted] });
  expect(await verifyRuns(here.store, { slot: second })).toMatchObject({ damage: [], retracted: [wanted] });
  expect(await verifyRuns(here.store, { slot: first })).toMatchObject({ damage: [], retracted: [] });
});

test('a changed record of what it has to send is found, since its attempt is named after the SHA-256', async () => {
  const { night, retract } = world();
  await night(first);
  await night(second);
  await retract(second);
  const { attempt } = await commit(3);
  const record = join(here.path, `runs/${second}/${attempt}/outbox.json`);
  await writeFile(record, (await readFile(record, 'utf8')).replace('"schema": 1', '"schema":  1'));
  expect((await verifyRuns(here.store)).damage).toMatchObject([{ code: 'file-damaged' }]);
});

test('alerts that only it opened are resolved; those of before stay open, and what it resolved can open again', async () => {
  const { made, night, retract, texts, channel } = world();
  await night(first);
  await night(second);
  // On the third night one more device loses the agent and another gets it, and a source is away.
  made.away.add('windows');
  await night(third);
  const opened = texts().slice(-3);
  expect(opened).toEqual([
    'device.recovered device:macos/SERIALMACOS2',
    'device.lost device:macos/SERIALMACOS3',
    'source.carried source:windows',
  ]);
  channel.taken.length = 0;

  const outcome = await retract(third);
  expect(outcome.delivery?.delivered).toEqual([{ channel: 'one', messages: 3 }]);
  expect(texts()).toEqual([
    `run.retracted retraction:${third}`,
    'device.lost device:macos/SERIALMACOS3',
    'source.carried source:windows',
  ]);
  const { attempt } = await commit(4);
  const record = JSON.parse(await readFile(join(here.path, `runs/${third}/${attempt}/outbox.json`), 'utf8'));
  expect(record.resolved).toEqual(['device:macos/SERIALMACOS2']);

  made.away.clear();
  const again = await night(third);
  const said = again.night?.events.map(({ kind, key, phase }) => `${kind} ${key} ${phase}`);
  // Nobody holds the first open any more, and the second opens anew.
  expect(said?.filter((one) => one.includes('macos/'))).toEqual(['device.lost device:macos/SERIALMACOS3 first']);
  expect(said).toContain('device.lost device:windows/SERIALWINDOWS3 first');
});

test('findings that only it opened are closed by the next run whose source is complete', async () => {
  const { made, night, retract } = world(createFolderStore('/store', memoryDisk()));
  await night(first);
  await night(second);
  await retract(second);
  made.away.add('macs');
  const endedMacs = (run: Night | undefined) =>
    run?.findings.ended.flatMap(({ source, device }) => (source === 'macs' ? device.id : [])).sort();
  expect(endedMacs((await night(second)).night)).toEqual([]);
  made.away.clear();
  // On the first night macs/2 lacked the agent, and by the retracted second one macs/3 did; on the third macs/4 does.
  expect(endedMacs((await night(third)).night)).toEqual(['2', '3']);
});

test('the slot is run again and published, and later runs still say that the first was retracted', async () => {
  const { night, retract } = world();
  await night(first);
  await night(second);
  const reports = (await look(here.path))?.reports;
  await retract(second);
  expect(await night(second)).toMatchObject({ exit: 0, did: 'published' });
  expect((await look(here.path))?.reports).toEqual(reports);
  expect(await datedCopies(second)).not.toEqual([]);
  await night(third);
  expect(await verifyRuns(here.store)).toMatchObject({
    nights: 3,
    damage: [],
    retracted: [{ slot: second, ...person }],
  });
  expect(await verifyRuns(here.store, { slot: second })).toMatchObject({ nights: 1, damage: [] });
  expect((await latest()).number).toBe(5);
});

test('two nights are taken back one after the other, and a slot with several attempts at once', async () => {
  const { made, night, retract } = world();
  await night(first);
  await night(second);
  made.away.add('windows');
  await night(third);
  made.away.clear();
  await night(third);
  expect(await retract(third)).toMatchObject({ exit: 0, current: second });
  expect(await retract(second)).toMatchObject({ exit: 0, current: first });
  expect(await latest()).toMatchObject({ number: 6, slot: first });
  await night(fourth);
  expect(await verifyRuns(here.store)).toMatchObject({
    nights: 2,
    damage: [],
    retracted: [{ slot: third }, { slot: second }],
  });
});

test('another than the last, the only one, or none at all is a wrong command, and nothing changes', async () => {
  const { night, retract } = world();
  const refused = async (slot: string, why: string) => {
    const before = await contentsOf(here.path, true).catch(() => undefined);
    const error: unknown = await retract(slot).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'retract-refused', message: expect.stringContaining(why) });
    expect(toExitCode(error)).toBe(2);
    expect(await contentsOf(here.path, true).catch(() => undefined)).toEqual(before);
  };
  await refused(first, 'nothing is published');
  await night(first);
  await refused(first, 'it is the first one');
  await night(second);
  await refused(first, `the last one is ${second}`);
  await refused(third, `the last one is ${second}`);
});

test('a run before it that retention removed cannot stand again', async () => {
  const { made, night, retract } = world();
  made.keptNights = 1;
  await night(first);
  await night(second);
  await expect(retract(second)).rejects.toMatchObject({
    code: 'retract-refused',
    message: expect.stringContaining(`the run before it, of ${first}, is past its retention`),
  });
});

test('a run whose facts are damaged is retracted too', async () => {
  const { made, night, retract, texts } = world();
  await night(first);
  made.away.add('macs');
  await night(second);
  await writeFile(join(here.path, await locateRunFile(here.path, 'facts/night.json.gz')), 'damaged');
  expect(await retract(second)).toMatchObject({ exit: 0, did: 'retracted' });
  expect(texts().slice(-3)).toEqual([
    `run.retracted retraction:${second}`,
    'source.carried source:macs',
    'device.lost device:windows/SERIALWINDOWS2',
  ]);
});

/** At every second effect, at each of them with `DEEP`. */
test('killed anywhere, it is done or not, and asked again it is done', async () => {
  const made = company();
  const outcomes = { before: 0, after: 0 };
  // A claim whose holder was killed is waited for.
  const clock = fakeClock(Date.parse(`${second}T05:15:00Z`));
  const published = memoryDisk();
  for (const slot of [first, second]) {
    const channel = listener('one', true);
    await runNight(made.order(slot), partsWith(made, createFolderStore('/store', published), [channel], clock));
  }
  for (let at = 1; ; at += isDeep ? 1 : 2) {
    const disk = published.clone();
    const channel = listener('one', true);
    const parts = (on = disk) => partsWith(made, createFolderStore('/store', on), [channel], clock);
    const killed = killing(disk, at, 'before');
    await retractRun({ slot: second, ...person }, parts(killed.disk as typeof disk)).catch(() => undefined);
    if (!killed.died()) {
      break;
    }
    const store = createFolderStore('/store', disk);
    outcomes[(await readCurrentRun(store))?.commit.slot === first ? 'after' : 'before'] += 1;
    const where = `killed at effect ${at}`;
    expect(await retractRun({ slot: second, ...person }, parts()), where).toMatchObject({ exit: 0, current: first });
    expect((await verifyRuns(store)).damage, where).toEqual([]);
    expect(
      (await keysOf(store)).filter((key) => key.includes(`date=${second}/`)),
      where,
    ).toEqual([]);
    const told = channel.taken.filter(({ text }) => text.startsWith('run.retracted'));
    expect(new Set(told.map(({ key }) => key)).size, where).toBe(1);
    expect(told.length, where).toBeLessThanOrEqual(2);
  }
  process.stdout.write(`retract: ${outcomes.before} kills before the commit, ${outcomes.after} after\n`);
  expect(outcomes.before).toBeGreaterThan(20);
  expect(outcomes.after).toBeGreaterThan(20);
});

test('a run that is published meanwhile is not retracted', async () => {
  const { made, night } = world();
  await night(first);
  await night(second);
  const channel = listener('one');
  const racing = {
    ...here.store,
    async create(key: string, body: Parameters<typeof here.store.create>[1]) {
      if (key.endsWith('outbox.json') && key.includes(second)) {
        await night(third);
      }
      return here.store.create(key, body);
    },
  };
  const outcome = await retractRun({ slot: second, ...person }, partsWith(made, racing, [channel], systemClock));
  expect(outcome).toEqual({ exit: 4, did: 'superseded' });
  expect((await latest()).slot).toBe(third);
  expect(channel.taken).toEqual([]);
});
