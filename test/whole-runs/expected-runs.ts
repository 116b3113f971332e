/**
 * What a run must have written: the plain model judges what the simulated servers would answer. Nothing of it comes from
 * the product but the shape of facts.
 */
import type { DeviceRecord } from '../../simulator/devices/device-records.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import type { CheckResult, DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Status } from '../../src/core/facts/vocabulary.ts';
import { judgeByModel } from '../model/model.ts';
import type { ModelNight, Past, Row } from '../model/rows.ts';
import { toMoment } from './simulator-runs.ts';

/** What a test did to a source, by its name: in place of a reading that is whole and of a sound instrument. */
export type SourceChanges = Readonly<Partial<Record<string, Partial<SourceFacts>>>>;

/** What a server holds, and under which settings it is read. */
export interface Observed {
  readonly records: readonly DeviceRecord[];
  readonly settings: string;
  readonly changes?: SourceChanges;
}

/** Runs before this one, earlier attempts at its slot, and what somebody accepted. */
interface Before {
  readonly past?: Past;
  readonly earlier?: readonly ModelNight[];
  readonly accepted?: readonly string[];
}

const makeFinding = (result: CheckResult['result']): CheckResult => ({
  ...{ check: 'instrument', result, expected: '', found: '', advice: '', instrument: true },
});

/** Its answer cannot be had, and nothing of its instrument is known. */
export const incomplete: Partial<SourceFacts> = { reading: 'incomplete', devices: [], findings: [] };
/** It asks the devices another question, or none. */
export const wrongInstrument: Partial<SourceFacts> = { findings: [makeFinding('fail')] };

/** What the simulator's servers hold now. */
export function observe(simulator: Simulator, changes: SourceChanges = {}): Observed {
  return { records: simulator.listRecords(), settings: simulator.settings(), changes };
}

export function expectRun(slot: string, observed: Observed, { past = [], earlier = [], accepted }: Before = {}) {
  const facts = makeFacts(slot, observed);
  const by = accepted && { accepted: { by: 'a person', at: facts.moment, sources: accepted, lists: [] } };
  return judgeByModel(past, earlier, { ...facts, ...by });
}

/** Judges the devices as they are now, without a past. */
export function judgeDevices(simulator: Simulator, slot = '2026-03-01'): readonly Row[] {
  return expectRun(slot, observe(simulator)).rows;
}

/** The ids of one source's records. */
export function listIds(simulator: Simulator, source: string): string[] {
  return simulator.listRecords().flatMap((record) => (record.source === source ? [record.id] : []));
}

function makeFacts(slot: string, { records, settings, changes = {} }: Observed): Facts {
  const moment = toMoment(slot).toISOString();
  const population = /population: (all|company)/.exec(settings)?.[1] === 'company' ? 'company' : 'all';
  const read = (name: string, kind: string): SourceFacts => {
    const listed = records.filter(({ source }) => source === name).map(toDeviceFacts);
    const devices = listed.filter(({ id }) => changes[name]?.unread?.some((one) => one.id === id) !== true);
    const statuses = ['Installed', 'Not Installed'] as const;
    return {
      ...{ name, kind, population, reading: 'complete', devices, instrument: {}, findings: [makeFinding('pass')] },
      receipt: { received: devices.length, pages: 1, walks: 1, retries: 0, started: moment, ended: moment },
      groups: kind === 'jamf' ? statuses.map((holds) => listMembers(holds, listed)) : [],
      ...changes[name],
    };
  };
  return {
    ...{ schema: 5, muster: '', slot, moment, agent: '', exemptions: [], keptNights: 400 },
    // As the settings document their defaults.
    policy: {
      ...{ staleAfterDays: 30, windowsRepairDays: 30, graceHours: 72, overdueAfterDays: 14 },
      breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 10 },
    },
    canaries: listCanaries(settings),
    sources: [read('macs', 'jamf'), read('windows', 'intune')],
  };
}

function toDeviceFacts({ source, contactedAt, answers, hasAgent: _, ...record }: DeviceRecord): DeviceFacts {
  const operatingSystem = source === 'macs' ? 'macos' : 'windows';
  // What is undefined is missing, as in facts that were read from a file.
  return JSON.parse(JSON.stringify({ ...record, operatingSystem, lastSeenAt: contactedAt, answers })) as DeviceFacts;
}

/** The platform's own group: its criterion selects managed Macs whose value is exactly the word. */
function listMembers(holds: Status, devices: readonly DeviceFacts[]) {
  const isMember = ({ managementState, answers }: DeviceFacts) =>
    managementState === 'managed' && answers[0]?.value === holds;
  return { holds, name: `Agent ${holds}`, members: devices.filter(isMember).map(({ id }) => id) };
}

function listCanaries(settings: string) {
  return [...settings.matchAll(/- \{ source: (\S+), serial: (\S+), expect: (Installed|Not Installed) \}/g)].map(
    ([, source = '', serial = '', expect]) => ({ source, serial, expect: expect as Status }),
  );
}
