/** Reads the simulated tenant as a night does. */
import { expect } from 'vitest';
import type { Simulator } from '../../../simulator/simulator.ts';
import { emptyDeploymentSettings } from '../../../src/deployment/settings.ts';
import { createIntuneSource } from '../../../src/sources/intune/source.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { hangLimit } from '../../limits.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { appId, fakeClock } from './tenant.ts';

/** One reading of the simulator's tenant, with the error in which it ended; nothing of it holds a secret. */
export async function readSimulator(simulator: Simulator, remembered: PreviousReading = {}) {
  const clock = fakeClock();
  const { login, graph, downloads } = simulator.urls;
  const { GRAPH_CLIENT_ID = '', GRAPH_CLIENT_SECRET = '' } = simulator.environment;
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
  const context = { ...at, signal: new AbortController().signal, clock, remembered, progress: () => undefined };
  const error: unknown = await source.read(context, reading).then(
    () => undefined,
    (failure) => failure,
  );
  const said = JSON.stringify(reading) + (error instanceof Error ? error.stack : '');
  for (const canary of simulator.canaries) {
    expect(said).not.toContain(canary);
  }
  expect(simulator.leaks).toEqual([]);
  return { reading, error };
}
