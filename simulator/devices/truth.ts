/** What is true about every device that should be reported, from what really happened to it. */
import {
  computeMacContactTime,
  computeMacEnrollmentTime,
  computeMacReportTime,
  computeWindowsEnrollmentTime,
  computeWindowsSyncTime,
  millisecondsPerDay,
} from './contact-times.ts';
import type { AgentTruth, Mac, SimulatedDevices, SourceName, WindowsDevice } from './model.ts';

export interface TruthRow {
  readonly source: SourceName;
  readonly device_id: string;
  readonly serial_number: string;
  readonly status: 'Installed' | 'Not Installed';
  readonly reason: string;
  readonly proven: boolean;
  readonly stale: boolean;
  readonly counted: boolean;
  readonly excluded_because: string;
  /** ISO 8601 UTC; empty where it is not known. */
  readonly last_seen_at: string;
  readonly enrolled_at: string;
  /** Other machines that live at the same time have its serial number. */
  readonly shares_serial: boolean;
  /** It stands for its machine: the other records of the machine are not looked at. */
  readonly stands: boolean;
}

interface TruthQuery {
  readonly moment: number;
  readonly staleAfterDays: number;
  readonly population: 'all' | 'company';
  /** Where the account is scoped to one site, only its Macs are to be seen. */
  readonly site: Mac['site'] | undefined;
}

interface TrueRecord {
  readonly id: string;
  /** Where two records have the same age, the higher id is newer. */
  readonly rank: number;
  readonly serialNumber: string | null;
  /** Folded; empty where it identifies no machine. */
  readonly machine: string;
  /** How old its answer is. */
  readonly answered: number | undefined;
  readonly heard: number | undefined;
  readonly enrolled: number | undefined;
  readonly agentTruth: AgentTruth;
  /** Unmanaged or retiring: gives way to another record that was heard from lately. */
  readonly leavingReason: string;
  readonly otherExclusion: string;
}

/** The placeholders among the simulated serial numbers, folded. */
const placeholderSerialNumbers = new Set(['SYSTEMSERIALNUMBER', 'TOBEFILLEDBYOEM', 'DEFAULTSTRING']);
const shortestSerialNumber = 5;
const retiringStates = new Set(['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending']);
const agentsWithoutApps = new Set(['msSense', 'configurationManagerClient']);
const notManageable = 'not-manageable';
const millisecondsOfHandover = 7 * millisecondsPerDay;

const recordLists: Readonly<Record<SourceName, (devices: SimulatedDevices, query: TruthQuery) => TrueRecord[]>> = {
  macs: (devices, { site }) =>
    devices.macs.filter((mac) => site === undefined || mac.site === site).map((mac) => toMacRecord(devices, mac)),
  windows: (devices, { population }) => devices.windows.map((device) => toWindowsRecord(devices, device, population)),
};

export function computeTruth(devices: SimulatedDevices, query: TruthQuery): TruthRow[] {
  const sources = Object.entries(recordLists) as [SourceName, (typeof recordLists)[SourceName]][];
  return sources.flatMap(([source, list]) => listTruthRows(source, list(devices, query), query));
}

function toMacRecord(devices: SimulatedDevices, mac: Mac): TrueRecord {
  const reported = computeMacReportTime(devices, mac);
  const heard = computeMacContactTime(devices, mac);
  return {
    id: String(mac.id),
    rank: mac.id,
    serialNumber: mac.serialNumber,
    machine: foldRealSerialNumber(mac.serialNumber),
    // The server moves the date of a report without the Mac, so an answer is no younger than the last contact.
    answered: reported === undefined || heard === undefined ? undefined : Math.min(reported, heard),
    heard,
    enrolled: mac.enrollmentDate === 'known' ? computeMacEnrollmentTime(devices, mac) : undefined,
    agentTruth: mac.agent.truth,
    leavingReason: mac.managed ? '' : 'unmanaged',
    otherExclusion: '',
  };
}

function toWindowsRecord(
  devices: SimulatedDevices,
  device: WindowsDevice,
  population: TruthQuery['population'],
): TrueRecord {
  const synced = dropFraction(computeWindowsSyncTime(devices, device));
  const folded = foldRealSerialNumber(device.serialNumber);
  return {
    id: device.id,
    rank: 0,
    serialNumber: device.serialNumber,
    machine: /[0-9]/.test(folded) ? folded : '',
    answered: synced,
    heard: synced,
    enrolled:
      device.enrollmentDate === 'known' ? dropFraction(computeWindowsEnrollmentTime(devices, device)) : undefined,
    agentTruth: device.agent.truth,
    leavingReason: findLeavingReason(device.managementState),
    otherExclusion: findOtherExclusion(device, population),
  };
}

/** Graph reports whole seconds. */
function dropFraction(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / 1000) * 1000;
}

/** In upper-case letters and digits; empty for a placeholder. */
function foldRealSerialNumber(serialNumber: string | null): string {
  const folded = (serialNumber ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  const isOneCharacter = new Set(folded).size === 1;
  const isCounting = '01234567890123456789'.includes(folded);
  const isReal =
    folded.length >= shortestSerialNumber && !isOneCharacter && !isCounting && !placeholderSerialNumbers.has(folded);
  return isReal ? folded : '';
}

function findLeavingReason(managementState: string): string {
  if (managementState === 'discovered') {
    return 'unmanaged';
  }
  return retiringStates.has(managementState) ? 'retiring' : '';
}

function findOtherExclusion(device: WindowsDevice, population: TruthQuery['population']): string {
  if (agentsWithoutApps.has(device.managementAgent)) {
    return notManageable;
  }
  return population === 'company' && device.owner === 'personal' ? 'personal' : '';
}

function listTruthRows(source: SourceName, records: readonly TrueRecord[], query: TruthQuery): TruthRow[] {
  const oldest = query.moment - query.staleAfterDays * millisecondsPerDay;
  const byMachine = Map.groupBy(records, ({ machine }) => machine);
  byMachine.delete('');
  const sharing = new Set([...byMachine].filter(([, group]) => isShared(group, query)).map(([machine]) => machine));
  return records.map((record) => {
    const { machine, heard, enrolled } = record;
    const stale = record.answered === undefined || record.answered < oldest;
    const sharesSerial = sharing.has(machine);
    const group = sharesSerial ? [record] : (byMachine.get(machine) ?? [record]);
    const stands = findStandingRecord(group, oldest) === record;
    const excluded = record.leavingReason || record.otherExclusion || (stands ? '' : 'superseded');
    return {
      source,
      device_id: record.id,
      serial_number: (record.serialNumber ?? '').trim(),
      status: record.agentTruth.status,
      reason: record.agentTruth.reason,
      proven: record.agentTruth.provable && !stale,
      stale,
      counted: excluded === '',
      excluded_because: excluded,
      last_seen_at: toIsoText(heard),
      enrolled_at: toIsoText(enrolled),
      shares_serial: sharesSerial,
      stands,
    };
  });
}

/** Whether two of the records lived at the same time, and so are two machines. */
function isShared(group: readonly TrueRecord[], query: TruthQuery): boolean {
  const manageable = group.filter(({ otherExclusion }) => otherExclusion !== notManageable);
  return manageable.some((one, index) => manageable.slice(index + 1).some((other) => livedAtOnce(one, other, query)));
}

/** Both were heard from more than a week after the later one came; without its date, both within the last week. */
function livedAtOnce(one: TrueRecord, other: TrueRecord, { moment }: TruthQuery): boolean {
  const isDated = one.enrolled !== undefined && other.enrolled !== undefined;
  const since = isDated
    ? Math.max(one.enrolled, other.enrolled) + millisecondsOfHandover
    : moment - millisecondsOfHandover;
  return [one, other].every(({ heard }) => heard !== undefined && (isDated ? heard > since : heard >= since));
}

/** The newest of those that can still be managed and were heard from lately; of all, where there is none. */
function findStandingRecord(group: readonly TrueRecord[], oldest: number): TrueRecord | undefined {
  const live = group.filter(
    ({ leavingReason, otherExclusion, heard }) =>
      leavingReason === '' && otherExclusion !== notManageable && heard !== undefined && heard >= oldest,
  );
  const [first, ...others] = live.length > 0 ? live : group;
  return others.reduce((newest, other) => (newest && isNewerRecord(newest, other) ? newest : other), first);
}

function isNewerRecord(one: TrueRecord, other: TrueRecord): boolean {
  const difference = (one.answered ?? Number.NEGATIVE_INFINITY) - (other.answered ?? Number.NEGATIVE_INFINITY);
  if (difference > 0 || difference < 0) {
    return difference > 0;
  }
  return one.rank === other.rank ? one.id > other.id : one.rank > other.rank;
}

function toIsoText(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString();
}
