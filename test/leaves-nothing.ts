/**
 * Test files share a process, so each of them leaves it as it was: what it set in the environment is taken back here, and
 * what it changed by other means fails it by name.
 */
import { afterAll, expect, vi } from 'vitest';

const environment = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
  expect(process.cwd()).toBe(folder);
  expect({ ...process.env }).toEqual(environment);
});
