/** SIGTERM ends a run, whatever it is doing. */
import { execFileSync, spawn } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { loopback } from '../http/loopback.ts';
import { needProgram } from '../needs.ts';
import { faults } from '../peers/s3/faults.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { finished, inFolder, startMuster } from './muster.ts';

async function withSimulator(work: (simulator: Simulator, folder: string) => Promise<void>): Promise<void> {
  const simulator = await startSimulator({ devices: 20, graph: { exportPolls: 0 } });
  try {
    await inFolder((folder) => work(simulator, folder));
  } finally {
    await simulator.close();
  }
}

it('while it waits for a platform: nothing is published, and it says so [C4]', async () => {
  await withSimulator(async (simulator, folder) => {
    simulator.setFaults(['jamf/server-errors:lasting']);
    await writeFile(join(folder, 'muster.yaml'), simulator.settings());
    const child = startMuster(['run'], { folder, environment: simulator.environment });
    const ended = finished(child);
    const waits: Readonly<Record<string, unknown>>[] = [];
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const entry = JSON.parse(line) as Readonly<Record<string, unknown>>;
      if (entry.event === 'source.waiting') {
        waits.push(entry);
        child.kill('SIGTERM');
      }
    }
    expect(await ended).toMatchObject({ code: 1, errors: expect.stringContaining('[stopped]') });
    expect(waits[0]).toMatchObject({
      source: 'macs',
      message: expect.stringMatching(/^waiting for macs: HTTP 503, next try at [\d:]{8}Z, until [\d:]{8}Z$/),
    });
  });
});

it('a promise that nobody waits for and that is rejected: nothing is published, exit 1, and no word that all is well [C18]', async () => {
  await withSimulator(async (simulator, folder) => {
    simulator.setFaults(['jamf/server-errors:lasting']);
    const heartbeat = await loopback((_request, response) => response.end());
    await writeFile(join(folder, 'muster.yaml'), `${simulator.settings()}alerts: { heartbeat: env:HEARTBEAT_URL }\n`);
    const stray = "process.on('SIGUSR2',()=>void Promise.reject(new Error('nobody waits for this')))";
    const environment = {
      ...simulator.environment,
      HEARTBEAT_URL: `${heartbeat.origin}/beat`,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stray)}`,
    };
    const child = startMuster(['run'], { folder, environment });
    const ended = finished(child);
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      if (line.includes('source.waiting')) {
        child.kill('SIGUSR2');
      }
    }
    expect(await ended).toMatchObject({ code: 1, errors: expect.stringContaining('nobody waits for this') });
    await expect(access(join(folder, 'muster-data/latest.json'))).rejects.toThrow();
    expect(heartbeat.requests.filter((request) => !/\/(start|fail)$/.test(request))).toEqual([]);
    await heartbeat.close();
  });
});

/** Its long waits take a fiftieth of their time. */
const quickWaits =
  'const wait = setTimeout; globalThis.setTimeout = (work, time) => wait(work, time < 25_000 ? time : time / 50);';

it('while the store hangs [C4]', async () => {
  await withSimulator(async (simulator, folder) => {
    const store = await startS3Peer({ buckets: ['reports'] });
    store.setFault(() => faults.hang);
    let beat = () => {};
    const begun = new Promise<void>((resolve) => {
      beat = resolve;
    });
    const heartbeat = await loopback((_request, response) => {
      response.end();
      beat();
    });
    const settings = simulator.settings().replace(/^store: .*$/m, 'store: s3://reports/muster');
    await writeFile(join(folder, 'muster.yaml'), `${settings}alerts: { heartbeat: env:HEARTBEAT_URL }\n`);
    const environment = {
      ...simulator.environment,
      ...store.environment,
      HEARTBEAT_URL: `${heartbeat.origin}/beat`,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(quickWaits)}`,
    };
    const child = startMuster(['run'], { folder, environment });
    const ended = finished(child);
    await begun;
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: null, errors: expect.stringContaining('did not end within 25 s') });
    expect(child.signalCode).toBe('SIGTERM');
    // The heartbeat's service heard a beginning, and no end.
    expect(heartbeat.requests).toEqual(['GET /beat/start']);
    await Promise.all([heartbeat.close(), store.close()]);
  });
});

it('after its deadline, also where the operating system still waits for the store', async ({ skip }) => {
  needProgram(skip, 'mkfifo');
  await inFolder(async (folder) => {
    const hanging = join(folder, 'latest.json');
    execFileSync('mkfifo', [hanging]);
    const source = new URL('../../src/', import.meta.url).href;
    const program = `
      import { readFile } from 'node:fs/promises';
      import { endAfterDeadline } from '${source}cli/console/failure.ts';
      import { MusterError } from '${source}base/errors.ts';
      void readFile(process.argv[1]);
      endAfterDeadline(new MusterError('deadline', 'x'));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, hanging], { stdio: 'ignore' });
    const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
    expect(signal).toBe('SIGTERM');
  });
});
