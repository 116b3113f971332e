import { afterEach, expect, test } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../simulator/simulator.ts';
import { judgeRecord } from '../../../src/core/record/judge-record.ts';
import { intuneRules } from '../../../src/sources/intune/rules.ts';
import type { SourceReading } from '../../../src/sources/source.ts';
import { makeFacts } from '../../core/make-facts.ts';
import { slowAnswer } from '../../limits.ts';
import { judgeDevices } from '../../whole-runs/expected-runs.ts';
import { readSimulator } from './read-simulator.ts';

const moment = new Date('2026-11-20T05:15:00Z');
const fleet: SimulatorOptions = {
  devices: 600,
  seed: 7,
  moment,
  slowMilliseconds: slowAnswer,
  graph: { pageSize: 100 },
};
let simulator: Simulator;

async function start(options: SimulatorOptions = fleet) {
  simulator = await startSimulator(options);
}

afterEach(() => simulator.close());

function words(reading: SourceReading) {
  const context = {
    ...{ source: 'windows', rules: intuneRules, population: 'all' as const, policy: makeFacts(1).policy },
    ...{ moment: moment.toISOString(), isFresh: true, isTrusted: true, repairedAt: undefined },
  };
  return reading.devices.map((device) => {
    const { answer, exclusion = '' } = judgeRecord({ facts: device, answeredOn: '2026-11-20' }, context);
    return [device.id, answer.status, answer.reason, answer.stale, exclusion];
  });
}

/** Superseded and contradicted are the core's to find. */
function listExpected() {
  const readOwn = (because = '') => (because === 'superseded' ? '' : because);
  return judgeDevices(simulator, moment.toISOString().slice(0, 10))
    .filter((row) => row.source === 'windows')
    .map((row) => [row.facts.id, row.status, row.reason, row.stale, readOwn(row.excludedBecause)]);
}

test.each([
  ['as it is', {}],
  ['with states that never change their date', { frozenStates: true }],
  ['with pages of seven', { pageSize: 7 }],
  ['whose exports take long', { exportPolls: 9 }],
])('a tenant %s: for every device what it holds', async (_what, graph) => {
  await start({ ...fleet, graph: { pageSize: 100, ...graph } });
  const { reading, error } = await readSimulator(simulator);
  expect(error).toBeUndefined();
  expect(words(reading)).toEqual(listExpected());
  expect(reading.findings[0]).toMatchObject({ check: 'windows.app', result: 'pass' });
});

test.each(['filter-ignored:lasting', 'paged-by-position', 'renamed-devices', 'drifting-pages'])(
  '%s: every device, once',
  async (fault) => {
    await start({ ...fleet, faults: [fault] });
    const { reading, error } = await readSimulator(simulator);
    expect(error).toBeUndefined();
    expect(reading.devices.map(({ id }) => id)).toEqual(listExpected().map(([id]) => id));
  },
);
