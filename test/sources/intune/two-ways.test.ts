/** Either way to the app report is enough: the export or the synchronous action, whatever happens to the other. */
import { describe, expect, test } from 'vitest';
import { needSharedText } from '../../needs.ts';
import { forbidden } from './refusals.ts';
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
  const whole = () => tenant.content.rows;
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
    tenant.content.rows = [];
    tenant.strike(action, always, forbidden);
    const remembered = { answers: 20, instrument: { id: appId } };
    expect((await readNight(tenant, { remembered })).error).toMatchObject({ code: 'rows-missing' });
    expect((await readNight(tenant)).error).toBeUndefined();
  });
});

test('where only exports answer, a service that is down for two minutes between two of them is waited for', async () => {
  const clock = fakeClock();
  tenant.strike(action, always, forbidden);
  const usual = tenant.content.mischief;
  let down = Number.POSITIVE_INFINITY;
  tenant.content.mischief = (seen) => {
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
  const usual = tenant.content.mischief;
  tenant.content.mischief = (seen) =>
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
  const second = { ...tenant.content.apps[0], id: appId.replace('9', '8') };
  tenant.content.apps.push(second);
  const usual = tenant.content.mischief;
  tenant.content.mischief = (seen) =>
    seen.path.endsWith('exportJobs') && seen.body.includes(second.id) ? forbidden : usual(seen);
  const { reading, error } = await readNight(tenant, { settings: { apps: [appId, second.id] } });
  expect(error).toBeUndefined();
  expect(reading.receipt).toMatchObject({ answersProof: 'synchronous twice', answersReceived: 40 });
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
  const usual = tenant.content.mischief;
  tenant.content.mischief = (seen) =>
    seen.path.includes('/reports/') && clock.elapsed() < 120_000 ? reply({}, 503) : usual(seen);
  const { error, reading } = await readNight(tenant, { clock, patience: 600_000 });
  expect(error).toBeUndefined();
  expect(reading.receipt.answersReceived).toBe(20);
});
