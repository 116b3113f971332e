/** Test files share a process, so each of them leaves it as it was: environment, clock, folder, and no substitute. */
import { afterAll, expect, vi } from 'vitest';

const environment = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const name of Object.keys(process.env).filter((name) => !Object.hasOwn(environment, name))) {
    delete process.env[name];
  }
  Object.assign(process.env, environment);
  expect(process.cwd()).toBe(folder);
});
