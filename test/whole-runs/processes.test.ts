import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import type { DeviceRecord } from '../../simulator/devices/device-records.ts';
import { musterHere, program, programEnvironment } from '../cli/muster.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun } from './expected-runs.ts';
import { expectNoSecretIn, makeFolder, readStandingCommit, removeFolders } from './simulator-runs.ts';

const children: ChildProcess[] = [];

afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  await removeFolders();
});

function start(folder: string, environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...programEnvironment, ...environment },
  });
  children.push(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended };
}

async function finished(folder: string, environment: Readonly<Record<string, string>>, ...words: string[]) {
  const { child, ended } = start(folder, environment, ...words);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await ended, out, err };
}

/** The simulator in a process of its own: its standard output is a settings file, its comments the environment. */
async function simulatorProcess(folder: string, devices: number, ...words: string[]) {
  const { child } = start(folder, {}, 'sandbox', '--devices', String(devices), ...words);
  child.stdout.setEncoding('utf8');
  let settings = '';
  for await (const piece of child.stdout) {
    settings += String(piece);
    if (settings.includes('groups: [')) {
      break;
    }
  }
  await writeFile(join(folder, 'muster.yaml'), settings.replace(/^# export .*$/gm, ''));
  const environment = Object.fromEntries(
    [...settings.matchAll(/^# export (\w+)=(.*)$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
  const url = /url: (\S+)/.exec(settings)?.[1] ?? '';
  const ask = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
  const tell = (path: string, body: unknown) => fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  // Midnight must not come between a run and the question what the servers hold.
  await tell('/sandbox/moment', { moment: new Date() });
  return { settings, environment, ask, tell };
}

/** Also how the simulator's tokens, and what it hides in policies and commands, begin. */
function secretsIn(environment: Readonly<Record<string, string>>): string[] {
  return [...Object.values(environment), ...['jamf', 'graph', 'service', 'policy'].map((name) => `canary-${name}`)];
}

test('muster run against muster sandbox, 2,000 devices: every table is what the servers hold', async () => {
  const folder = await makeFolder();
  const { settings, environment, ask, tell } = await simulatorProcess(folder, 2_000);
  const { exit, out, err } = await finished(folder, environment, 'run');
  expect([exit, err]).toEqual([0, '']);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event?: string });
  expect(lines.length).toBeGreaterThan(4);

  const { slot, moment, sources } = await readStandingCommit(folder);
  expect(moment).toBe(`${slot}T05:15:00.000Z`);
  expect(sources.map(({ soundness }) => soundness)).toEqual(['complete', 'complete']);
  const records = (await ask('/sandbox/records')) as DeviceRecord[];
  expect(records.length).toBeGreaterThan(1_950);
  await expectTables(folder, slot, expectRun(slot, { records, settings }));

  // Again: nothing changes. With a platform down, another night could not be had, but this one stands.
  await tell('/sandbox/faults', { faults: ['down:lasting'] });
  const again = await finished(folder, environment, 'run');
  expect([again.exit, again.err]).toEqual([0, '']);
  expect((await musterHere(['verify'], { folder, environment })).code).toBe(0);
  expectNoSecretIn(folder, secretsIn(environment), out, again.out);
  expect(await ask('/sandbox/leaks')).toEqual([]);
  expect(await ask('/sandbox/violations')).toEqual([]);
});

test('a failing platform and a wrong secret: exit 3, and no secret in any line', async () => {
  const folder = await makeFolder();
  const { environment, ask } = await simulatorProcess(folder, 100, '--fault', 'graph/next-link-elsewhere:lasting');
  const wrong = { ...environment, JAMF_CLIENT_SECRET: 'canary-wrong-secret' };
  const { exit, out, err } = await finished(folder, wrong, 'run');
  expect([exit, err]).toEqual([3, '']);
  expect((await readStandingCommit(folder)).sources.map(({ soundness }) => soundness)).toEqual(['missing', 'missing']);
  expect(out).toContain('"sign-in-refused"');
  expect(out).toContain('"foreign-link"');
  expectNoSecretIn(folder, secretsIn(wrong), out);
  expect(await ask('/sandbox/leaks')).toEqual([]);
  const check = await musterHere(['check'], { folder, environment: wrong });
  expectNoSecretIn(folder, secretsIn(wrong), check.output, check.errors);
});
