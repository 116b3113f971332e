/** Which test files have a process of their own follows from what they and their helpers say; the rest is checked as it runs. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesProcess, findIsolatedFiles, listTestFiles, restoring } from './isolated-files.ts';

const root = join(import.meta.dirname, '..');

it.each([
  ...["vi.stubEnv('TZ', 'UTC')", "process.env.TZ = 'UTC'", "process.env['TZ'] ??= zone", 'process.env[name] = value'],
  ...['process.env = before', 'delete process.env.TZ', 'Object.assign(process.env, peer.environment)'],
  ...["import { env } from 'node:process'", 'const { env } = process;', "process.loadEnvFile('.env')"],
  ...['vi.useFakeTimers()', 'vi.setSystemTime(0)', "vi.stubGlobal('fetch', fetch)", 'globalThis.fetch = answer'],
  ...["vi.mock('./clock.ts')", "vi.doMock('./clock.ts')", 'vi.resetModules()', "vi.spyOn(storeOpeners, 'folder')"],
  ...['process.chdir(folder)', 'process.umask(0)', 'process.argv = words', 'process.exitCode = undefined'],
  ...[
    "Object.defineProperty(globalThis, 'x', {})",
    'setDefaultCACertificates([])',
    "setFlagsFromString('--expose-gc')",
  ],
])('%s needs a process of its own', (text) => {
  expect(changesProcess(text, true)).toBe(true);
});

it.each([
  ...['let server: Loopback;', 'const folders: string[] = [];', 'const seen = new Set<string>();'],
  ...['const known: Map<string, number> =\n  new Map();', 'afterEach(() => server.close());'],
])('%s in a helper is shared by all files of a process, and in a test file is its own', (text) => {
  expect([changesProcess(text, false), changesProcess(text, true)]).toEqual([true, false]);
});

it.each([
  ...["process.env.DEEP === 'yes'", 'spawn(program, { env: process.env })', "vi.spyOn(process.stdout, 'write')"],
  ...['page.setDefaultTimeout(1)', 'const names = new Set([1]);', 'const cache = new WeakMap<Night, Row[]>();'],
])('%s changes nothing', (text) => {
  expect(changesProcess(text, false)).toBe(false);
});

it('finds a change in the file itself, in a helper and in a helper of a helper', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-isolated-'));
  const texts = {
    'own.test.ts': "vi.stubEnv('TZ', 'UTC');",
    'helped.test.ts': "import { helper } from './helper.ts';",
    'helped-twice.test.ts': "import { other } from './other.ts';",
    'quiet.test.ts': "import { join } from 'node:path';",
    'other.ts': "export { helper } from './helper.ts';",
    'helper.ts': "export const helper = () => process.chdir('/');",
  };
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(folder, name), text);
  }
  const files = Object.keys(texts).filter((name) => name.endsWith('.test.ts'));
  expect(findIsolatedFiles(files, folder)).toEqual(files.filter((name) => name !== 'quiet.test.ts'));
  await rm(folder, { recursive: true });
});

it.each(restoring)('%s would be found, and is trusted to take back what it changes', (file) => {
  expect(changesProcess(readFileSync(join(root, file), 'utf8'), false)).toBe(true);
});

it('few files have a process of their own', () => {
  const files = listTestFiles();
  expect(findIsolatedFiles(files).length).toBeLessThan(files.length / 8);
});

it('fails a file by name that changes its process in a way that nobody foresaw', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-isolated-'));
  const setup = join(import.meta.dirname, 'expect-unchanged.ts');
  const config = { test: { globals: true, isolate: false, maxWorkers: 1, setupFiles: [setup] } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`);
  await writeFile(join(folder, 'quiet.test.js'), `it('reads', () => { process.env.PATH; });`);
  await writeFile(join(folder, 'sly.test.js'), `it('writes', () => { Reflect.set(process.env, 'SLY', 'x'); });`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--root', folder], { env: { NO_COLOR: '1' } }, (error, out, failures) =>
      resolve(`${error?.code}\n${out}${failures}`),
    );
  });
  await rm(folder, { recursive: true });
  expect(output).toMatch(/^1\n/);
  expect(output).toMatch(/FAIL +sly\.test\.js/);
  expect(output).toContain('"SLY"');
  expect(output).not.toMatch(/FAIL +quiet/);
});
