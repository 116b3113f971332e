/** `muster run` as a container task: its slot is the schedule's, and it measures itself as the function does. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { metricsOf } from '../lambda/company.ts';
import { inFolder, musterHere } from './muster.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ devices: 20, graph: { exportPolls: 0 } });
});
afterAll(() => simulator.close());

const naming = { POWERTOOLS_METRICS_NAMESPACE: 'Muster', POWERTOOLS_SERVICE_NAME: 'muster-test' };

async function run(folder: string, environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const ended = await musterHere(['run', ...words], {
    folder,
    environment: { ...simulator.environment, ...environment },
  });
  const lines = ended.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...ended, lines, metrics: lines.filter((line) => '_aws' in line) };
}

it('takes its slot from the time that the schedule started it for, and heals at another time', async () => {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'muster.yaml'), simulator.settings());
    const main = await run(folder, { ...naming, MUSTER_SCHEDULED_TIME: '2026-03-01T05:15:00Z' });
    expect(main).toMatchObject({ code: 0 });
    expect(main.lines).toContainEqual(expect.objectContaining({ event: 'run.published', slot: '2026-03-01' }));
    expect(main.metrics.map((line) => metricsOf(line)).map(({ dimensions }) => dimensions)).toEqual([
      ['service', 'source'],
      ['service', 'source'],
      ['service'],
      ['service'],
    ]);
    expect(Object.assign({}, ...main.metrics.slice(2))).toMatchObject({
      service: 'muster-test',
      Published: 1,
      Incomplete: 0,
      StillIncomplete: 0,
      Duration: expect.any(Number),
      MemoryUsed: expect.any(Number),
    });
    const healing = await run(folder, { ...naming, MUSTER_SCHEDULED_TIME: '2026-03-01T10:15:00Z' });
    expect(healing.lines).toContainEqual(expect.objectContaining({ event: 'run.unchanged', exit: 0 }));
    expect(healing.lines.filter(({ event }) => event === 'source.read')).toEqual([]);
  });
});

it('has a run of the date whose start the scheduler left out, by the first healing start [M1]', async () => {
  await inFolder(async (folder) => {
    const schedule = 'schedule: { cron: "30 2 * * *", timezone: Europe/Berlin }\n';
    await writeFile(join(folder, 'muster.yaml'), `${simulator.settings()}${schedule}`);
    // 04:30 in Berlin, where no clock showed 02:30 that morning.
    const healing = await run(folder, { MUSTER_SCHEDULED_TIME: '2026-03-29T02:30:00Z' });
    expect(healing.lines).toContainEqual(expect.objectContaining({ event: 'run.published', slot: '2026-03-29' }));
    const report = JSON.parse(await readFile(join(folder, 'muster-data', 'latest', 'report.json'), 'utf8'));
    expect(report).toMatchObject({ slot: '2026-03-29', moment: '2026-03-29T01:00:00.000Z' });
  });
});

it('measures nothing for people, and nothing that was only tried', async () => {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'muster.yaml'), simulator.settings());
    expect((await run(folder, naming, '--dry-run')).metrics).toEqual([]);
    expect((await run(folder, {})).metrics).toEqual([]);
  });
});

it('refuses a time that is none, as a wrong command line', async () => {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'muster.yaml'), simulator.settings());
    const { code, errors } = await run(folder, { MUSTER_SCHEDULED_TIME: '<aws.scheduler.scheduled-time>' });
    expect(code).toBe(2);
    expect(errors).toContain('[command-line]');
    expect(errors).toContain('only EventBridge Scheduler replaces');
  });
});
