/** The examples for schedulers say what the program, the settings and the scheduler's own format say. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'node-cron';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/compose/read-settings.ts';
import { needProgram } from '../needs.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
/** Below `node_modules`, where the types of packages are found. */
async function makeFolder(prefix: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, prefix));
}

const command = 'muster run --settings /etc/muster/muster.yaml';

/** The first start, and those that heal it, as the settings have them where nothing is said. */
function defaultHours(): { minute: string; hours: string[] } {
  const least = read('connect.md').match(/```yaml\n([\s\S]*?)```/)?.[1] ?? '';
  const { settings } = readSettings(least.replace(/^schedule:.*\n/m, ''));
  const { cron = '', healAfterHours = [] } = settings?.schedule ?? {};
  const [minute = '', hour = ''] = cron.split(' ');
  return { minute, hours: [0, ...healAfterHours].map((later) => String(Number(hour) + later)) };
}

test('every example starts the night and heals it at the times that the settings have', () => {
  const { minute, hours } = defaultHours();
  const expression = `${minute} ${hours.join(',')} * * *`;
  expect(validate(expression)).toBe(true);
  const [, night = ''] = /^(\S+ \S+ \* \* \*) {2}muster {2}.*muster run/m.exec(read('examples/crontab')) ?? [];
  expect(night).toBe(expression);
  expect(parse(read('examples/kubernetes.yaml')).spec.schedule).toBe(expression);
  const times = [...read('examples/muster.timer').matchAll(/^OnCalendar=\*-\*-\* (\d+):(\d+):00 /gm)];
  expect(times.map(([, hour, started]) => [String(Number(hour)), started])).toEqual(
    hours.map((hour) => [hour, minute]),
  );
});

test('every example calls the program by words that it knows', () => {
  const { args } = parse(read('examples/kubernetes.yaml')).spec.jobTemplate.spec.template.spec.containers[0];
  expect(args).toEqual(['run', '--settings', '/settings/muster.yaml']);
  expect(read('examples/muster.service')).toContain(`ExecStart=/usr/bin/${command}\n`);
  expect(read('examples/crontab')).toContain(`${command} >>`);
  const { status, stdout } = spawnSync('node', ['src/bin.ts', 'run', '--help'], { cwd: root, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('--settings <file>');
});

test('the CronJob is one to the types made from Kubernetes’ own description', async () => {
  const folder = await makeFolder('cronjob-');
  const job = JSON.stringify(parse(read('examples/kubernetes.yaml')));
  const check = async (object: string) => {
    const file = join(folder, 'job.ts');
    await writeFile(
      file,
      `import type { CronJob } from 'kubernetes-types/batch/v1';\nexport const job: CronJob = ${object};\n`,
    );
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'];
    return spawnSync('node', [join(root, 'node_modules/typescript/bin/tsc'), ...options, file], { encoding: 'utf8' });
  };
  expect(await check(job)).toMatchObject({ status: 0, stdout: '' });
  expect((await check(job.replace('"concurrencyPolicy"', '"concurencyPolicy"'))).stdout).toContain('concurencyPolicy');
  await rm(folder, { recursive: true });
});

test('the systemd units are valid', async ({ skip }) => {
  needProgram(skip, 'systemd-analyze');
  const folder = await makeFolder('units-');
  const service = read('examples/muster.service').replace('/usr/bin/muster ', `${process.execPath} `);
  await writeFile(join(folder, 'muster.service'), service);
  await writeFile(join(folder, 'muster.timer'), read('examples/muster.timer'));
  const units = ['muster.service', 'muster.timer'].map((name) => join(folder, name));
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`.split('\n').filter((line) => /muster/.test(line))).toEqual([]);
  await rm(folder, { recursive: true });
});

test('what each exit code means is said for every code of a run', () => {
  const codesOf = (text: string) => [...text.matchAll(/^\| ([0-4]) \|/gm)].map(([, code]) => code).sort();
  expect(codesOf(read('running.md'))).toEqual(codesOf(read('commands.md')));
  expect(codesOf(read('running.md'))).toHaveLength(5);
});
