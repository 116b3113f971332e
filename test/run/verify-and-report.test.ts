/** The weekly verification of `muster schedule`: into the log, and damage to whoever watches the heartbeat. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { verifyAndReport } from '../../src/run/verify-and-report.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { alertsWith } from '../alerts/listeners.ts';
import { type Loopback, loopback } from '../http/loopback.ts';
import { place } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';

const here = place();
let server: Loopback;
beforeEach(async () => {
  server = await loopback((_, response) => response.end('OK'));
});
afterEach(() => server.close());

test('is silent where everything is sound, and reports damage', async () => {
  const made = company();
  await runNight(made.order(slots[0] ?? ''), made.parts(here.store));
  const lines: [string, string, unknown][] = [];
  const heartbeat = { url: async () => `${server.origin}/beat`, clock: systemClock };
  const parts = { store: here.store, clock: systemClock, alerts: { ...alertsWith([], systemClock), heartbeat } };
  const verify = () => verifyAndReport(parts, (level, event, data) => void lines.push([level, event, data]));

  await verify();
  expect(lines).toEqual([['info', 'verify.ended', expect.objectContaining({ nights: 1, damaged: 0 })]]);
  expect(server.requests).toEqual([]);

  lines.length = 0;
  await appendFile(join(here.path, 'latest/devices.csv'), 'x');
  await verify();
  expect(lines).toEqual([
    ['error', 'verify.damaged', { code: 'copy-differs', sentence: expect.stringContaining('latest/devices.csv') }],
    ['error', 'verify.ended', expect.objectContaining({ damaged: 1 })],
  ]);
  expect(server.requests).toEqual(['GET /beat/fail']);

  lines.length = 0;
  const audit = createFolderStore(`${here.path}-audit`);
  await verifyAndReport({ ...parts, audit }, (level, event, data) => void lines.push([level, event, data]));
  expect(lines).toContainEqual(['error', 'verify.damaged', expect.objectContaining({ code: 'audit-missing' })]);
});
