/** Several sources may read the same server, which bears five requests at once in all. */
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { composeParts } from '../../src/compose/parts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import { gather } from '../../src/run/gather.ts';
import { makeFacts } from '../core/make-facts.ts';
import { fakeClock } from '../http/loopback.ts';

const moment = new Date('2026-10-07T05:15:00Z');
let simulator: Simulator | undefined;

afterEach(async () => {
  await simulator?.close();
});

it('two sources of one Jamf Pro server make no more than five requests at once', async () => {
  simulator = await startSimulator({ devices: 400, seed: 7, moment, jamf: { latencyMilliseconds: 20, pageCap: 10 } });
  const yaml = simulator.settings();
  const macs = / {2}- name: macs\n(?: {4}.*\n)+/.exec(yaml)?.[0] ?? '';
  const two = yaml.replace(/ {2}- name: windows\n(?: {4}.*\n)+/, macs.replace('macs', 'other macs'));
  const { settings, problems } = readSettings(two, simulator.environment);
  expect(problems).toEqual([]);
  if (settings === undefined) {
    return;
  }
  const parts = await composeParts(settings, {
    secret: createSecretReader(simulator.environment),
    folder: tmpdir(),
    clock: fakeClock(moment.getTime()),
    signal: new AbortController().signal,
  });
  const { sources: _sources, schema: _schema, ...context } = makeFacts(1);
  const { sources } = await gather(parts, context, undefined);
  expect(sources.map(({ name, reading }) => `${name} ${reading}`)).toEqual(['macs complete', 'other macs complete']);
  // The simulator counts the requests that are under way at its Jamf server.
  expect(simulator.violations).toEqual([]);
});
