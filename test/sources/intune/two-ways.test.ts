/** Either way to the app report is enough: the export or the synchronous action, whatever happens to the other. */
import { describe, expect, test } from 'vitest';
import { needSharedText } from '../../needs.ts';
import {
  action,
  always,
  appId,
  fakeClock,
  poll,
  type Reply,
  readNight,
  reply,
  rowOf,
  startJob,
  useTenant,
  zipOf,
} from './tenant.ts';

const tenant = useTenant();

const forbidden = reply({ error: { code: 'Forbidden', message: 'https://fef.example' } }, 403);
const throttled = reply(
  {
    error: { message: 'Rate limit reached because of too many requests to query broker. Please retry after sometime.' },
  },
  500,
);
const refusals: [string, Reply][] = [
  ['refused (403)', forbidden],
  ['throttled as HTTP 500', throttled],
];

test('a real export job is understood from its creation to its end', async ({ skip }) => {
  const created = JSON.parse(needSharedText(skip, 'real/graph-export-job-created.json')) as Record<string, unknown>;
  const lives: Record<string, unknown>[] = [{ status: 'inProgress' }, { status: 'completed' }];
  tenant.strike(startJob, always, reply(created, 201));
  tenant.strike(poll, lives.length, () => reply({ ...created, ...lives.shift() }));
  const { error, reading } = await readNight(tenant);
  expect(error).toBeUndefined();
  expect(reading.receipt).toMatchObject({ answersReceived: 20, answersProof: 'both ways' });
  // Two of the recorded job, then the three that a job of this tenant takes.
  expect(tenant.count(`${poll}('${String(created.id)}')`)).toBe(5);
});

describe.each(refusals)('a way that is %s', (_how, refusal) => {
  test('of the export: the same devices by two synchronous answers', async () => {
    const expected = (await readNight(tenant)).reading.devices;
    tenant.strike(startJob, always, refusal);
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices).toEqual(expected);
    expect(reading.receipt).toMatchObject({
      answersProof: 'synchronous twice',
      answersReceived: 20,
      answersClaimed: 20,
    });
  });

  test('of the synchronous action: the same devices by two exports', async () => {
    const expected = (await readNight(tenant)).reading.devices;
    tenant.seen.length = 0;
    tenant.strike(action, always, refusal);
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices).toEqual(expected);
    expect(tenant.count(startJob)).toBe(2);
    expect(reading.receipt).toMatchObject({ answersProof: 'export twice', answersReceived: 20, answersClaimed: 20 });
  });
});

test('both refused: incomplete, with both reasons and no address of the service', async () => {
  tenant.strike(startJob, always, forbidden);
  tenant.strike(action, always, forbidden);
  const { reading, error } = await readNight(tenant);
  expect(error).toMatchObject({ code: 'permission-missing' });
  expect(String(error)).toMatch(/retrieveDevice.*\. Before that: .*exportJobs/);
  expect(String(error)).not.toContain('fef');
  expect(reading.devices).toEqual([]);
  expect(reading.receipt.answersProof).toBeUndefined();
});

describe('where only exports answer', () => {
  const whole = () => tenant.world.rows;
  const cut = () => whole().slice(0, 10);

  test.each<[string, () => Parameters<typeof zipOf>[0][], number | undefined]>([
    ['a cut one before two whole ones', () => [cut(), whole(), whole()], 20],
    ['a cut one between two whole ones', () => [whole(), cut(), whole()], 20],
    ['two cut ones after a whole one', () => [whole(), cut(), cut()], undefined],
    ['a cut one and an empty one', () => [cut(), [], cut().slice(0, 3)], undefined],
  ])('%s: the largest is overruled by none', async (_which, answers, rows) => {
    tenant.strike(action, always, forbidden);
    const left = answers();
    tenant.strike('GET downloads', always, () => ({ status: 200, body: zipOf(left.shift() ?? []) }));
    const { reading, error } = await readNight(tenant);
    if (rows === undefined) {
      expect(error).toMatchObject({ code: 'rows-missing' });
      expect(reading.devices).toEqual([]);
    } else {
      expect(error).toBeUndefined();
      expect(reading.receipt).toMatchObject({ answersReceived: rows, answersProof: 'export twice' });
    }
  });

  test('two empty ones prove nothing where the last good run had rows', async () => {
    tenant.world.rows = [];
    tenant.strike(action, always, forbidden);
    const remembered = { answers: 20, instrument: { id: appId } };
    expect((await readNight(tenant, { remembered })).error).toMatchObject({ code: 'rows-missing' });
    expect((await readNight(tenant)).error).toBeUndefined();
  });
});

test('where only exports answer, a service that is down for two minutes between two of them is waited for', async () => {
  const clock = fakeClock();
  tenant.strike(action, always, forbidden);
  const usual = tenant.world.mischief;
  let down = Number.POSITIVE_INFINITY;
  tenant.world.mischief = (seen) => {
    down = seen.at === 'downloads' ? Math.min(down, clock.elapsed()) : down;
    const isDown = seen.path.includes('/reports/') && clock.elapsed() >= down && clock.elapsed() < down + 120_000;
    return isDown ? reply({}, 503) : usual(seen);
  };
  const { error, reading } = await readNight(tenant, { clock, patience: 600_000 });
  expect(error).toBeUndefined();
  expect(reading.receipt).toMatchObject({ answersProof: 'export twice', answersReceived: 20 });
});

test('two synchronous answers of one size that name different devices do not agree', async () => {
  tenant.strike(startJob, always, forbidden);
  let answers = 0;
  tenant.strike(action, always, (seen) => {
    answers += 1;
    const { select } = JSON.parse(seen.body);
    const rows = Array.from({ length: 20 }, (_, index) => rowOf(answers * 100 + index));
    return reply({
      TotalRowCount: 20,
      Schema: select.map((Column: string) => ({ Column })),
      Values: rows.map((row) => select.map((column: string) => row[column] ?? null)),
    });
  });
  const { error } = await readNight(tenant);
  expect(error).toMatchObject({ code: 'rows-missing' });
  expect(answers).toBe(3);
  expect(String(error)).toContain('do not agree');
});

test('a service that does not know the column of filters is asked without it, in both ways', async () => {
  const usual = tenant.world.mischief;
  tenant.world.mischief = (seen) =>
    seen.body.includes('AssignmentFilterIdsExist') ? reply({ error: { code: 'UnknownError' } }, 400) : usual(seen);
  const { reading, error } = await readNight(tenant);
  expect(error).toBeUndefined();
  expect(reading.receipt.answersProof).toBe('both ways');
  tenant.strike(startJob, always, forbidden);
  const other = await readNight(tenant);
  expect(other.error).toBeUndefined();
  expect(other.reading.devices).toEqual(reading.devices);
});

test('of several apps the receipt shows the weakest proof', async () => {
  const second = { ...tenant.world.apps[0], id: appId.replace('9', '8') };
  tenant.world.apps.push(second);
  const usual = tenant.world.mischief;
  tenant.world.mischief = (seen) =>
    seen.path.endsWith('exportJobs') && seen.body.includes(second.id) ? forbidden : usual(seen);
  const { reading, error } = await readNight(tenant, { settings: { apps: [appId, second.id] } });
  expect(error).toBeUndefined();
  expect(reading.receipt).toMatchObject({ answersProof: 'synchronous twice', answersReceived: 40 });
});

describe('slow exports', () => {
  /** Each job completes when this many milliseconds have passed since it was created. */
  function completeAfter(clock: ReturnType<typeof fakeClock>, milliseconds: number): void {
    const created = new Map<string, number>();
    const usual = tenant.world.mischief;
    tenant.world.mischief = (seen) => {
      const id = /exportJobs\('(.+)'\)$/.exec(seen.path)?.[1];
      if (id === undefined || seen.at !== 'graph') {
        return usual(seen);
      }
      const started = created.get(id) ?? clock.elapsed();
      created.set(id, started);
      return clock.elapsed() - started < milliseconds ? reply({ id, status: 'inProgress', url: null }) : usual(seen);
    };
  }

  test.each([100_000, 300_000])('of %i ms: the first job is the answer, polled beside new ones', async (time) => {
    const clock = fakeClock();
    completeAfter(clock, time);
    const { reading, error } = await readNight(tenant, { clock });
    expect(error).toBeUndefined();
    expect(reading.receipt).toMatchObject({ answersProof: 'both ways', answersReceived: 20 });
    const jobs = tenant.count(startJob);
    expect(jobs).toBe(1 + Math.floor(time / 121_000));
    const downloads = tenant.seen.filter(({ at }) => at === 'downloads').map(({ path }) => path);
    expect(downloads).toEqual(['/exports/DeviceInstallStatusByApp_1.zip']);
    // Only the count was asked for.
    expect(tenant.count(action)).toBe(1);
    expect(clock.elapsed()).toBeLessThan(time + 40_000);
  });

  test('of 20 minutes: the synchronous action answers meanwhile', async () => {
    const clock = fakeClock();
    completeAfter(clock, 1_200_000);
    const { reading, error } = await readNight(tenant, { clock });
    expect(error).toBeUndefined();
    expect(reading.receipt.answersProof).toBe('synchronous twice');
    expect(clock.elapsed()).toBeLessThan(400_000);
  });

  test('that end while the synchronous action answers are its second opinion', async () => {
    const clock = fakeClock();
    // After the last poll of the first six minutes, and before the end of another look.
    completeAfter(clock, 359_500);
    expect((await readNight(tenant, { clock })).reading.receipt.answersProof).toBe('both ways');
  });

  test('of 20 minutes, and no synchronous action: waited for while the source has time', async () => {
    const clock = fakeClock();
    completeAfter(clock, 1_200_000);
    tenant.strike(action, always, forbidden);
    const { reading, error } = await readNight(tenant, { clock, deadline: 7_200_000 });
    expect(error).toBeUndefined();
    expect(reading.receipt).toMatchObject({ answersProof: 'export twice', answersReceived: 20 });
    expect(tenant.count(startJob)).toBeLessThanOrEqual(4);
  });

  test('of 20 minutes, after one synchronous answer, are waited for where they are then down', async () => {
    const clock = fakeClock();
    completeAfter(clock, 1_200_000);
    const usual = tenant.world.mischief;
    tenant.world.mischief = (seen) => {
      if (seen.path.endsWith(action) && tenant.count(action) > 1) {
        return forbidden;
      }
      const isDown = seen.at === 'graph' && clock.elapsed() > 1_100_000 && clock.elapsed() < 1_220_000;
      return isDown ? reply({}, 503) : usual(seen);
    };
    const { reading, error } = await readNight(tenant, { clock, deadline: 7_200_000, patience: 600_000 });
    expect(error).toBeUndefined();
    expect(reading.receipt).toMatchObject({ answersProof: 'both ways', answersReceived: 20 });
  });

  test('that never end, and no synchronous action: incomplete at the deadline', async () => {
    const clock = fakeClock();
    completeAfter(clock, always);
    tenant.strike(action, always, forbidden);
    const { error } = await readNight(tenant, { clock, deadline: 600_000 });
    expect(error).toMatchObject({ code: 'export-failed' });
    expect(String(error)).toContain('did not complete an export');
    expect(clock.elapsed()).toBeLessThanOrEqual(600_000);
    expect(clock.elapsed()).toBeGreaterThan(580_000);
  });

  test('a short run asks the synchronous action after half of its time', async () => {
    const clock = fakeClock();
    completeAfter(clock, always);
    const { reading, error } = await readNight(tenant, { clock, deadline: 120_000 });
    expect(error).toBeUndefined();
    expect(reading.receipt.answersProof).toBe('synchronous twice');
    expect(clock.elapsed()).toBeLessThan(80_000);
  });

  test('that never end, and synchronous answers that become fewer: the largest is overruled by none', async () => {
    const clock = fakeClock();
    completeAfter(clock, always);
    const { rows } = tenant.world;
    const lengths = [20, 10, 10];
    const usual = tenant.world.mischief;
    tenant.world.mischief = (seen) => {
      if (seen.path.endsWith(action)) {
        tenant.world.rows = rows.slice(0, lengths.shift());
      }
      return usual(seen);
    };
    const { error } = await readNight(tenant, { clock, deadline: 1_200_000 });
    expect(error).toMatchObject({ code: 'rows-missing' });
    expect(lengths).toEqual([]);
  });

  test('a lost job and a failed one beside a slow one are replaced, and the slow one still counts', async () => {
    const clock = fakeClock();
    completeAfter(clock, 280_000);
    tenant.strike(`${poll}('DeviceInstallStatusByApp_2')`, 1, reply({}, 404));
    tenant.strike(`${poll}('DeviceInstallStatusByApp_3')`, 1, (seen) =>
      reply({ id: /'(.+)'/.exec(seen.path)?.[1], status: 'failed' }),
    );
    const { reading, error } = await readNight(tenant, { clock });
    expect(error).toBeUndefined();
    expect(reading.receipt.answersProof).toBe('both ways');
    const downloads = tenant.seen.filter(({ at }) => at === 'downloads').map(({ path }) => path);
    expect(downloads).toEqual(['/exports/DeviceInstallStatusByApp_1.zip']);
  });
});

test.each([
  ['exports that fail all night', startJob],
  ['a synchronous action that fails all night', action],
])('%s cost a minute of patience, not the source’s whole', async (_which, part) => {
  tenant.strike(part, always, reply({}, 503));
  const { error, clock } = await readNight(tenant, { patience: 600_000 });
  expect(error).toBeUndefined();
  expect(clock.elapsed()).toBeLessThan(120_000);
});

test('a service that is down for two minutes after the list was read is waited for', async () => {
  const clock = fakeClock();
  const usual = tenant.world.mischief;
  tenant.world.mischief = (seen) =>
    seen.path.includes('/reports/') && clock.elapsed() < 120_000 ? reply({}, 503) : usual(seen);
  const { error, reading } = await readNight(tenant, { clock, patience: 600_000 });
  expect(error).toBeUndefined();
  expect(reading.receipt.answersReceived).toBe(20);
});
