import { afterEach, beforeAll, expect, test } from 'vitest';
import { classifyDevice, isStale } from '../../../src/core/classify.ts';
import { findOwnExclusion } from '../../../src/core/exclusions.ts';
import type { Clock } from '../../../src/http/clock.ts';
import { systemClock } from '../../../src/http/clock.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { intuneRules } from '../../../src/sources/intune/rules.ts';
import { createIntuneSource } from '../../../src/sources/intune/source.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { hangLimit, shortSilence, slowAnswer } from '../../limits.ts';
import { createEmptyReading, fakeClock } from './tenant.ts';

const moment = new Date('2026-11-20T05:15:00Z');
const appId = '99999999-8888-7777-6666-555555555555';
const fleet: SandboxOptions = {
  ...{ devices: 900, seed: 7, moment, slowMilliseconds: slowAnswer },
  graph: { pageSize: 100 },
};
let sandbox: Sandbox;
let expected: ReturnType<typeof createEmptyReading>;

async function start(options: SandboxOptions = fleet) {
  sandbox = await startSandbox(options);
}

async function night(clock: Clock = fakeClock(), remembered: PreviousReading = {}, idle = hangLimit) {
  const { login, graph, downloads } = sandbox.urls;
  const { GRAPH_CLIENT_ID = '', GRAPH_CLIENT_SECRET = '' } = sandbox.environment;
  const source = createIntuneSource(
    {
      name: 'windows',
      tenantId: '11111111-2222-3333-4444-555555555555',
      auth: { clientId: async () => GRAPH_CLIENT_ID, clientSecret: async () => GRAPH_CLIENT_SECRET },
      apps: [appId],
      population: 'all',
      endpoints: { login, graph, downloads },
    },
    { idle },
  );
  const reading = createEmptyReading();
  const at = { slot: '2026-11-20', moment: clock.now() };
  const context = { ...at, signal: new AbortController().signal, clock, remembered, progress: () => undefined };
  const error: unknown = await source.read(context, reading).then(
    () => undefined,
    (failure) => failure,
  );
  const said = JSON.stringify(reading) + (error instanceof Error ? error.stack : '');
  for (const canary of sandbox.canaries) {
    expect(said).not.toContain(canary);
  }
  expect(sandbox.leaks).toEqual([]);
  return { reading, error };
}

beforeAll(async () => {
  await start();
  expected = (await night()).reading;
  await sandbox.close();
});

afterEach(() => sandbox.close());

function words(reading: ReturnType<typeof createEmptyReading>) {
  return reading.devices.map((device) => {
    const { verdict } = classifyDevice(device, intuneRules);
    const policy = { staleAfterDays: 30 } as Parameters<typeof isStale>[2];
    const stale = isStale(device, intuneRules, policy, moment.toISOString());
    return [device.id, verdict.status, verdict.reason, stale, findOwnExclusion(device, intuneRules, 'all') ?? ''];
  });
}

/** Superseded and contradicted are the core's to find. */
function truth() {
  const own = (because: string) => (because === 'superseded' ? '' : because);
  return sandbox
    .truth(moment)
    .filter((row) => row.source === 'windows')
    .map((row) => [row.device_id, row.status, row.reason, row.stale, own(row.excluded_because)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

test.each([
  ['as it is', {}],
  ['with states that never change their date', { frozenStates: true }],
  ['that ignores the filter', { ignoresFilter: true }],
  ['with pages of seven', { pageSize: 7 }],
  ['whose exports take long', { exportPolls: 9 }],
])('a tenant %s: for every device what is true', async (_what, graph) => {
  await start({ ...fleet, graph: { pageSize: 100, ...graph } });
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  expect(words(reading)).toEqual(truth());
  expect(reading.findings[0]).toMatchObject({ check: 'windows.app', result: 'pass' });
});

test('tokens of two seconds, on the real clock', async () => {
  await start({ ...fleet, graph: { tokenSeconds: 2, pageSize: 100, exportPolls: 0 } });
  const { reading, error } = await night(systemClock);
  expect(error).toBeUndefined();
  expect(words(reading)).toEqual(truth());
  expect(sandbox.violations).toEqual([]);
});

const passing = [
  'rows-hidden',
  'slow-pages=50',
  'next-link-loops',
  'export-stuck',
  'export-failed',
  'export-empty',
  'download-expired',
  'zip-broken',
  'zip-broken=2',
  'zip-broken=3',
  // Lasting, and still all of it by another way.
  'slow-pages=50:lasting',
  'export-stuck:lasting',
  'export-failed:lasting',
  'export-empty:lasting',
  'download-expired:lasting',
  'zip-broken:lasting',
];

test.each(passing)('%s: the same devices and answers in the end', async (fault) => {
  await start({ ...fleet, faults: [`graph/${fault}`] });
  // Where slow answers are what matters, a failure counts as slow as soon as they do.
  const { reading, error } = await night(fakeClock(), {}, fault.startsWith('slow') ? shortSilence : hangLimit);
  expect(error).toBeUndefined();
  expect(reading.devices).toEqual(expected.devices);
});

test.each([
  ['rows-hidden', 'rows-missing'],
  ['next-link-loops', 'paging-broken'],
  ['next-link-elsewhere', 'foreign-link'],
])('%s that lasts: incomplete, and nobody has a status from it', async (fault, code) => {
  await start({ ...fleet, faults: [`graph/${fault}:lasting`] });
  const { reading, error } = await night();
  expect(error).toMatchObject({ code });
  expect(reading.devices).toEqual([]);
});

test.each(['drifting-pages', 'drifting-pages:lasting'])('%s: no device is skipped', async (fault) => {
  await start({ ...fleet, faults: [`graph/${fault}`] });
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  const listed = new Set(reading.devices.map(({ id }) => id));
  expect(truth().filter(([id]) => !listed.has(String(id)))).toEqual([]);
});

test('rows that are hidden show both numbers', async () => {
  await start({ ...fleet, faults: ['graph/rows-hidden:lasting'] });
  const { answersClaimed = 0, answersReceived = 0 } = (await night()).reading.receipt;
  expect(answersReceived).toBeGreaterThan(0);
  expect(answersClaimed).toBe(expected.receipt.answersClaimed);
  expect(answersReceived).toBeLessThan(answersClaimed);
});
