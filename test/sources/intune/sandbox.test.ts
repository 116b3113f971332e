import { afterEach, expect, test } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../simulator/sandbox.ts';
import { judgeRecord } from '../../../src/core/record/judge-record.ts';
import { emptyDeploymentSettings } from '../../../src/settings/deployment/deployment.ts';
import { intuneRules } from '../../../src/sources/intune/rules.ts';
import { createIntuneSource } from '../../../src/sources/intune/source.ts';
import { facts } from '../../core/world.ts';
import { hangLimit, slowAnswer } from '../../limits.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { fakeClock } from './tenant.ts';

const moment = new Date('2026-11-20T05:15:00Z');
const appId = '99999999-8888-7777-6666-555555555555';
const fleet: SandboxOptions = {
  devices: 600,
  seed: 7,
  moment,
  slowMilliseconds: slowAnswer,
  graph: { pageSize: 100 },
};
let sandbox: Sandbox;

async function start(options: SandboxOptions = fleet) {
  sandbox = await startSandbox(options);
}

async function night() {
  const clock = fakeClock();
  const { login, graph, downloads } = sandbox.urls;
  const { GRAPH_CLIENT_ID = '', GRAPH_CLIENT_SECRET = '' } = sandbox.environment;
  const source = createIntuneSource(
    {
      name: 'windows',
      tenantId: '11111111-2222-3333-4444-555555555555',
      auth: { clientId: async () => GRAPH_CLIENT_ID, clientSecret: async () => GRAPH_CLIENT_SECRET },
      apps: [appId],
      population: 'all',
      deployment: emptyDeploymentSettings,
      endpoints: { login, graph, downloads },
    },
    { idle: hangLimit },
  );
  const reading = createEmptyReading();
  const at = { slot: '2026-11-20', moment: clock.now() };
  const context = { ...at, signal: new AbortController().signal, clock, remembered: {}, progress: () => undefined };
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

afterEach(() => sandbox.close());

function words(reading: ReturnType<typeof createEmptyReading>) {
  const context = {
    ...{ source: 'windows', rules: intuneRules, population: 'all' as const, policy: facts(1).policy },
    ...{ moment: moment.toISOString(), isFresh: true, isTrusted: true, repairedAt: undefined },
  };
  return reading.devices.map((device) => {
    const { answer, exclusion = '' } = judgeRecord({ facts: device, answeredOn: '2026-11-20' }, context);
    return [device.id, answer.status, answer.reason, answer.stale, exclusion];
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
