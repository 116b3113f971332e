/** Exports that take long: what is used in their place, and when. */
import { describe, expect, test } from 'vitest';
import { forbidden } from './refusals.ts';
import { action, always, fakeClock, poll, readNight, reply, startJob, useTenant } from './tenant.ts';

const tenant = useTenant();

describe('slow exports', () => {
  /** Each job completes when this many milliseconds have passed since it was created. */
  function completeAfter(clock: ReturnType<typeof fakeClock>, milliseconds: number): void {
    const created = new Map<string, number>();
    const usual = tenant.content.mischief;
    tenant.content.mischief = (seen) => {
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
    const usual = tenant.content.mischief;
    tenant.content.mischief = (seen) => {
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
    const { rows } = tenant.content;
    const lengths = [20, 10, 10];
    const usual = tenant.content.mischief;
    tenant.content.mischief = (seen) => {
      if (seen.path.endsWith(action)) {
        tenant.content.rows = rows.slice(0, lengths.shift());
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
