/** The last published run is taken back: the one before stands again, and what the taken one did is undone or said. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/console/failure.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import { describeResult, type RunOutcome } from '../../src/run/outcome.ts';
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

function openSetup(store: Store = here.store) {
  const made = company();
  const channel = listener('one', true);
  const parts = () => partsWith(made, store, [channel], systemClock);
  return {
    made,
    channel,
    night: (slot: string) => runNight({ ...made.order(slot), isChosen: true }, parts()),
    retract: (slot: string) => retractRun({ slot, ...person }, parts()),
    texts: () => channel.taken.map(({ text }) => text),
  };
}

const latest = async () => JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
const commit = async (number: number) =>
  JSON.parse(await readFile(join(here.path, `commits/${String(number).padStart(10, '0')}.json`), 'utf8'));
const datedCopies = async (slot: string) => (await keysOf(here.store)).filter((key) => key.includes(`date=${slot}/`));

test('the run before is published once more and says who, when and why; runs stay, copies go', async () => {
  const { night, retract } = openSetup();
  await night(first);
  const reports = (await look(here.path))?.reports;
  await night(second);
  const runs = Object.entries(await contentsOf(here.path)).filter(([key]) => key.startsWith(`runs/${second}/`));
  expect(await datedCopies(second)).not.toEqual([]);

  const began = Date.now();
  expect(await retract(second)).toMatchObject({ exit: 0, did: 'published', night: { slot: first } });
  expect(await latest()).toMatchObject({ number: 3, slot: first });
  const wanted = { ...person, slot: second };
  const made = await commit(3);
  const { attempt } = await commit(1);
  expect(made).toMatchObject({ retracts: wanted, number: 3, slot: first, replaces: attempt, previous: { number: 2 } });
  expect(Date.parse(made.at)).toBeGreaterThanOrEqual(began);

  expect((await look(here.path))?.reports['devices.csv']).toBe(reports?.['devices.csv']);
  const after = await contentsOf(here.path);
  for (const [key, hash] of runs) {
    expect(after[key]).toBe(hash);
  }
  expect(await datedCopies(second)).toEqual([]);
  for (const [file, text] of Object.entries((await look(here.path))?.reports ?? {})) {
    expect(await readFile(join(here.path, 'latest', file), 'utf8')).toBe(text);
  }
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [], retracted: [wanted] });
  expect(await verifyRuns(here.store, { slot: second })).toMatchObject({ damage: [], retracted: [wanted] });
  expect(await verifyRuns(here.store, { slot: first })).toMatchObject({ damage: [], retracted: [] });
});

test('a start that nobody chose leaves a retracted slot alone and says so', async () => {
  const { made, night, retract } = openSetup();
  await night(first);
  await night(second);
  await retract(second);
  const parts = made.parts(here.store);
  for (const heals of [undefined, true] as const) {
    const outcome = await runNight({ ...made.order(second), ...(heals && { heals }) }, parts);
    expect(outcome).toMatchObject({ exit: 0, did: 'unchanged', isRetracted: true });
    expect(describeResult(outcome)).toContain('The run of this date was retracted');
  }
  expect((await latest()).number).toBe(3);
  expect(await night(second)).toMatchObject({ exit: 0, did: 'published' });
});

test('alerts that only it opened are resolved; those of before stay open, and what it resolved can open again', async () => {
  const { made, night, retract, texts, channel } = openSetup();
  await night(first);
  await night(second);
  // On the third night one more device loses the agent and another gets it, and a source is away.
  made.away.add('windows');
  await night(third);
  const opened = texts().slice(-3);
  expect(opened).toEqual([
    'source.carried source:windows',
    'device.lost device:macos/SERIALMACOS3',
    'device.recovered device:macos/SERIALMACOS2',
  ]);
  channel.taken.length = 0;

  const outcome = await retract(third);
  expect(outcome.delivery?.delivered).toEqual([{ channel: 'one', messages: 4 }]);
  // The run before says again that the second Mac lacks it, since the retracted one had closed that.
  expect(texts()).toEqual([
    `run.retracted retraction:${third}`,
    'source.carried source:windows',
    'device.lost device:macos/SERIALMACOS2',
    'device.lost device:macos/SERIALMACOS3',
  ]);

  made.away.clear();
  const again = await night(third);
  const said = again.night?.events.map(({ kind, key, phase }) => `${kind} ${key} ${phase}`);
  expect(said?.filter((one) => one.includes('macos/'))).toEqual([
    'device.lost device:macos/SERIALMACOS3 first',
    'device.recovered device:macos/SERIALMACOS2 over',
  ]);
  expect(said).toContain('device.lost device:windows/SERIALWINDOWS3 first');
});

test('findings that only it opened are closed by the run that takes it back', async () => {
  const { night, retract } = openSetup(createFolderStore('/store', memoryDisk()));
  await night(first);
  await night(second);
  const endedMacs = (run: Night | undefined) =>
    run?.findings.ended.flatMap(({ source, device }) => (source === 'macs' ? device.id : [])).sort();
  // On the first night macs/2 lacked the agent, and by the retracted second one macs/3 did; on the third macs/4 does.
  expect(endedMacs((await retract(second)).night)).toEqual(['3']);
  expect(endedMacs((await night(third)).night)).toEqual(['2']);
});

test('the slot is run again and published, and later runs still say that the first was retracted', async () => {
  const { night, retract } = openSetup();
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
  const { made, night, retract } = openSetup();
  await night(first);
  await night(second);
  made.away.add('windows');
  await night(third);
  made.away.clear();
  await night(third);
  expect(await retract(third)).toMatchObject({ exit: 0, night: { slot: second } });
  expect(await retract(second)).toMatchObject({ exit: 0, night: { slot: first } });
  expect(await latest()).toMatchObject({ number: 6, slot: first });
  await night(fourth);
  expect(await verifyRuns(here.store)).toMatchObject({
    nights: 2,
    damage: [],
    retracted: [{ slot: third }, { slot: second }],
  });
});

test('another than the last, the only one, or none at all is a wrong command, and nothing changes', async () => {
  const { night, retract } = openSetup();
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
  await retract(second);
  await refused(second, 'it is retracted already');
});

test('a run before it that retention removed cannot stand again', async () => {
  const { made, night, retract } = openSetup();
  made.keptNights = 1;
  await night(first);
  await night(second);
  await expect(retract(second)).rejects.toMatchObject({
    code: 'retract-refused',
    message: expect.stringContaining('the run before it is past its retention and was removed'),
  });
});

test('a run whose facts are damaged is retracted too', async () => {
  const { made, night, retract, texts } = openSetup();
  await night(first);
  made.away.add('macs');
  await night(second);
  await writeFile(join(here.path, await locateRunFile(here.path, 'facts/night.json.gz')), 'damaged');
  expect(await retract(second)).toMatchObject({ exit: 0, did: 'published' });
  const said = texts().slice(texts().indexOf(`run.retracted retraction:${second}`));
  expect(said.slice(0, 3)).toEqual([
    `run.retracted retraction:${second}`,
    'source.carried source:macs',
    'device.lost device:windows/SERIALWINDOWS2',
  ]);
});

/** At every second effect, at each of them with `DEEP`. */
test('killed anywhere, it is done or not, and whoever starts next finishes it', async () => {
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
    const again = await retractRun({ slot: second, ...person }, parts()).catch((reason: unknown) => reason);
    expect(['published', undefined], where).toContain((again as RunOutcome).did);
    await runNight(made.order(second), parts());
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
  const { made, night } = openSetup();
  await night(first);
  await night(second);
  const channel = listener('one');
  const racing = {
    ...here.store,
    async create(key: string, body: Parameters<typeof here.store.create>[1]) {
      if (key.endsWith('events.json') && key.includes(first)) {
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
