/** Fails a test file by name that changes what files of one process share, where `isolated-files.ts` did not find it. */
// As it is loaded, it puts its name into the environment.
import '@aws-lambda-powertools/logger';
import { afterAll, expect, vi } from 'vitest';

const before = readProcess();

afterAll(() => {
  const after = readProcess();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name));
  expect(changed, 'left changed for the next file; isolated-files.ts must see how').toEqual([]);
});

function readProcess(): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(process.env),
    // Node.js and Vitest go on with the old one where a copy is put in its place.
    ['process.env', process.env],
    ['process.argv', process.argv],
    ['process.cwd()', process.cwd()],
    ['process.exitCode', process.exitCode],
    ...Object.entries({ Date, setTimeout, fetch }),
    ['vi.isFakeTimers()', vi.isFakeTimers()],
  ]);
}
