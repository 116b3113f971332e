/** A small valid run to change one thing in: two Macs and two Windows devices, both platforms well. No mocks. */

import type { ExemptionRow, Policy } from '../../src/core/facts/company.ts';
import type { Answer, CheckResult, DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { JudgedDevice, JudgedSource, Night } from '../../src/core/facts/judged.ts';
import type { ListFacts, ListFile, ListRow } from '../../src/core/facts/lists.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { Coverage } from '../../src/core/facts/state.ts';
import { findAnswer, readValue, readValueTime } from '../../src/core/record/judge-record.ts';
import { isAnswerProven } from '../../src/core/record/proof.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';

export const yes = 'Installed';
export const no = 'Not Installed';

/** The moment of night 1, 2, 3 … and any time before or after it. */
export function at(night: number, days = 0, milliseconds = 0): string {
  const first = Date.parse('2026-06-01T05:15:00Z');
  return new Date(first + (night - 1 + days) * 86_400_000 + milliseconds).toISOString();
}

export function slot(night: number): string {
  return at(night).slice(0, 10);
}

/** An open alert, by default of a device that lost its agent. */
export function makeOpenAlert(key: string, since: number, last = since, more: Partial<AlertState> = {}): AlertState {
  const sentAs = [{ kind: 'device.lost' as const }];
  return {
    key,
    kind: 'device.lost',
    since: slot(since),
    opened: since,
    last: slot(last),
    details: {},
    sentAs,
    ...more,
  };
}

/** A value of `null` is a device that never reported one. */
export function makeMac(
  id: string,
  value: string | null = 'Installed',
  changes: Partial<DeviceFacts> = {},
): DeviceFacts {
  // A Mac that reports is heard from, and none of them lived beside another of its serial number.
  const { reportedAt = at(1, -1) } = changes;
  const lastSeenAt = reportedAt > at(1, -0.5) ? reportedAt : at(1, -0.5);
  const device = {
    id,
    operatingSystem: 'macos',
    name: `mac-${id}`,
    serialNumber: `C02FX${id}`,
    lastSeenAt,
    reportedAt,
    enrolledAt: at(1, -5),
    managementState: 'managed',
    ...changes,
  };
  const answers = value === null ? [] : [{ value, at: device.reportedAt }];
  return { ...device, answers: changes.answers ?? answers };
}

export function makePc(id: string, state: string | null = '1', changes: Partial<DeviceFacts> = {}): DeviceFacts {
  const answers: Answer[] = state === null ? [] : [{ value: state, at: at(1, -3) }];
  return {
    id,
    operatingSystem: 'windows',
    name: `pc-${id}`,
    serialNumber: `PF0X${id}`,
    user: `user-${id}@example.com`,
    lastSeenAt: at(1, -1),
    enrolledAt: at(1, -5),
    managementState: 'managed',
    managementAgent: 'mdm',
    ownership: 'company',
    answers,
    ...changes,
  };
}

export function makeSource(
  name: string,
  devices: readonly DeviceFacts[],
  changes: Partial<SourceFacts> = {},
): SourceFacts {
  return {
    name,
    kind: name.startsWith('mac') ? 'jamf' : 'intune',
    reading: 'complete',
    receipt: { received: devices.length, pages: 1, walks: 1, retries: 0, started: at(1), ended: at(1) },
    instrument: { id: '6' },
    findings: [makeFinding('pass')],
    groups: [],
    devices,
    ...changes,
  };
}

export function makeIncomplete(name: string, devices: readonly DeviceFacts[] = []): SourceFacts {
  return makeSource(name, devices, {
    reading: 'incomplete',
    problem: { code: 'rows-missing', message: '1 of 2 rows.' },
  });
}

export function makeFinding(result: CheckResult['result']): CheckResult {
  return { check: 'attribute', result, expected: 'enabled', found: 'disabled', advice: 'Enable it.', instrument: true };
}

export const makeTwoSources = (): SourceFacts[] => [
  makeSource('macs', [makeMac('1'), makeMac('2', 'Not Installed')]),
  makeSource('windows', [makePc('a'), makePc('b', '3')]),
];

export function makeFacts(night: number, changes: Partial<Facts> = {}): Facts {
  return {
    schema: 5,
    muster: '0.0.0-test',
    slot: slot(night),
    moment: at(night),
    agent: 'Endpoint agent',
    policy: {
      staleAfterDays: 30,
      windowsRepairDays: 30,
      graceHours: 72,
      overdueAfterDays: 14,
      breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 10 },
    },
    exemptions: [],
    keptNights: 400,
    sources: makeTwoSources(),
    ...changes,
  };
}

/** Its breaker does not trip on a few devices. */
export const lenient: Policy = {
  ...makeFacts(1).policy,
  breaker: { ...makeFacts(1).policy.breaker, minimumDevices: 1000 },
};

/** Devices 1, 2, 3 … */
export function makeFleet(
  size: number,
  make: (id: string, index: number) => DeviceFacts = (id) => makeMac(id),
): DeviceFacts[] {
  return Array.from({ length: size }, (_, index) => make(String(index + 1), index));
}

/** A list of machines, written a day before that night. */
export function makeList(rows: readonly ListRow[], night = 1, changes: Partial<ListFile> = {}): ListFacts {
  const file = { name: 'list.csv', rows: rows.length, columns: ['serial'], maxAgeDays: 7, date: at(night, -1) };
  return { readAt: at(night), files: [{ ...file, ...changes }], rows };
}

export function makeExemption(match: string, value: string, changes: Partial<ExemptionRow> = {}): ExemptionRow {
  return { match, value, source: '', reason: 'lab', owner: 'it', expires: '2027-01-01', ...changes };
}

/** One night without a past. */
export function judgeOnce(changes: Partial<Facts> = {}): Night {
  return judgeAfter(makeFacts(1, changes), undefined).night;
}

/** Nights in a row; each is compared with what the one before left, as read back from a file. */
export function judgeRuns(...all: readonly Partial<Facts>[]): Night[] {
  let before: JudgedFacts | undefined;
  return all.map((changes, index) => {
    before = judgeAfter(makeFacts(index + 1, changes), before);
    return before.night;
  });
}

/** The same, for a run of one source. */
export function judgeSource(...sources: readonly SourceFacts[]): Night[] {
  return judgeRuns(...sources.map((one) => ({ sources: [one] })));
}

export function findDevice(night: Night | undefined, id: string, name?: string): JudgedDevice {
  const found = night?.devices.find(
    (candidate) => candidate.facts.id === id && (name === undefined || candidate.source === name),
  );
  if (found === undefined) {
    throw new Error(`no device ${id}`);
  }
  return found;
}

/** What is concluded from a device, with the answer that decided it. */
export function conclude(device: JudgedDevice) {
  const { detail } = findAnswer(device) ?? {};
  const proven = isAnswerProven(device.judgement);
  return { ...device.judgement, proven, value: readValue(device), valueAt: readValueTime(device), detail };
}

export function findSource(night: Night | undefined, name: string): JudgedSource {
  const found = night?.sources.find((candidate) => candidate.name === name);
  if (found === undefined) {
    throw new Error(`no source ${name}`);
  }
  return found;
}

export function findFigures(night: Night | undefined, name = 'all'): Coverage {
  const found = night?.coverage.find((row) => row.source === name);
  if (found === undefined) {
    throw new Error(`no coverage of ${name}`);
  }
  return found;
}

/** Changes in a line each: `source id kind`. */
export function listChanges(night: Night | undefined): string[] {
  return (night?.changes ?? []).map((change) => `${change.source} ${change.device.id} ${change.kind}`);
}

/** A server of Macs with one more that nothing happens to. */
export function makeMacs(devices: readonly DeviceFacts[], changes: Partial<SourceFacts> = {}): SourceFacts {
  return makeSource('macs', [...devices, makeMac('9')], changes);
}

/** Another server of Macs, with another of those. */
export function makeMoreMacs(devices: readonly DeviceFacts[], changes: Partial<SourceFacts> = {}): SourceFacts {
  return makeSource('macs-2', [...devices, makeMac('8')], changes);
}

/** A night of these sources, of which no drop or flood is implausible. */
export function makeRun(...sources: readonly SourceFacts[]): Partial<Facts> {
  return { sources, policy: lenient };
}

/** A source whose instrument measures nothing, and one that did not return its first Mac. */
export const broken = { findings: [makeFinding('fail')] };
export const unread = { unread: [{ id: '1', operatingSystem: 'macos' }] };
