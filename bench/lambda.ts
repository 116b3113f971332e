/**
 * What the function costs to start: `node bench/lambda.ts [starts]`. The size of the package as it is deployed, the time
 * to load it, and the time from a new process to its first answer through a local Lambda Runtime API, which is what a
 * cold start adds to a night. The answer is a refusal of an empty settings address, so that no network is measured.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unpackFunction } from '../test/infra/packaged.ts';
import { startFunction } from '../test/peers/lambda-runtime.ts';

const run = promisify(execFile);
const starts = Number(process.argv[2] ?? 15);

interface Loading {
  readonly wall: number;
  readonly processor: number;
}

/** In a process of its own, so that nothing is loaded already. */
async function loading(file: string): Promise<Loading> {
  const script = `
    const before = process.cpuUsage(), began = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ wall: performance.now() - began, processor: (user + system) / 1000 }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout) as Loading;
}

async function firstAnswer(folder: string): Promise<number> {
  const began = performance.now();
  const one = await startFunction({ folder, environment: { MUSTER_SETTINGS: '/nowhere/muster.yaml' } });
  const answer = await one.invoke({});
  const took = performance.now() - began;
  await one.close();
  if (answer.kind === 'error' && answer.errorMessage.includes('[settings-unreadable]')) {
    return took;
  }
  throw new Error(`not the expected refusal but ${JSON.stringify(answer)}`);
}

async function times<T>(make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let count = 0; count < starts; count += 1) {
    made.push(await make());
  }
  return made;
}

function told(name: string, numbers: readonly number[]): void {
  const sorted = [...numbers].sort((left, right) => left - right);
  const [best = 0, median = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)]];
  process.stdout.write(`${name.padEnd(28)} best ${best.toFixed(0)} ms, median ${median.toFixed(0)} ms\n`);
}

const folder = await mkdtemp(join(tmpdir(), 'muster-function-'));
await unpackFunction(folder);
try {
  const pieces = await readdir(join(folder, 'dist'));
  const sizes = await Promise.all(pieces.map(async (name) => (await stat(join(folder, 'dist', name))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const kilobytes = (size: number) => `${Math.round(size / 1024)} kB`;
  process.stdout.write(
    `package ${kilobytes((await stat(join(folder, 'muster.zip'))).size)}, unpacked ${kilobytes(total)} in ${pieces.length} pieces\n`,
  );
  const loaded = await times(() => loading(join(folder, 'dist', 'lambda.mjs')));
  told(
    'loading',
    loaded.map(({ wall }) => wall),
  );
  told(
    'loading, processor time',
    loaded.map(({ processor }) => processor),
  );
  told('first answer of a new process', await times(() => firstAnswer(folder)));
} finally {
  await rm(folder, { recursive: true });
}
