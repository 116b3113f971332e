/** What is true about every device that should be reported, from what really happened to it. */
import { computeMacReportTime, computeWindowsSyncTime, millisecondsPerDay } from './contact-times.ts';
import type { AgentTruth, Mac, SimulatedDevices, WindowsDevice } from './model.ts';

export interface TruthRow {
  readonly source: 'macs' | 'windows';
  readonly device_id: string;
  readonly serial_number: string;
  readonly status: 'Installed' | 'Not Installed';
  readonly reason: string;
  readonly proven: boolean;
  readonly stale: boolean;
  readonly counted: boolean;
  readonly excluded_because: string;
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
  /** Of two records with the same last contact the higher is newer. */
  readonly rank: number;
  readonly serialNumber: string | null;
  readonly lastContact: number | undefined;
  readonly agentTruth: AgentTruth;
  /** Unmanaged or retiring: does not supersede another record. */
  readonly leavingReason: string;
  readonly otherExclusion: string;
}

const placeholderSerialNumbers = new Set(['', '0', 'system serial number', 'to be filled by o.e.m.', 'default string']);
const retiringStates = new Set(['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending']);
const agentsWithoutApps = new Set(['msSense', 'configurationManagerClient']);

export function computeTruth(devices: SimulatedDevices, query: TruthQuery): TruthRow[] {
  const macs = devices.macs
    .filter((mac) => query.site === undefined || mac.site === query.site)
    .map((mac) => toMacRecord(devices, mac));
  const windows = devices.windows.map((device) => toWindowsRecord(devices, device, query.population));
  return [...listTruthRows('macs', macs, query), ...listTruthRows('windows', windows, query)];
}

function toMacRecord(devices: SimulatedDevices, mac: Mac): TrueRecord {
  return {
    id: String(mac.id),
    rank: mac.id,
    serialNumber: mac.serialNumber,
    lastContact: computeMacReportTime(devices, mac),
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
  const synced = computeWindowsSyncTime(devices, device);
  return {
    id: device.id,
    rank: 0,
    serialNumber: device.serialNumber,
    // Graph reports whole seconds.
    lastContact: synced === undefined ? undefined : Math.floor(synced / 1000) * 1000,
    agentTruth: device.agent.truth,
    leavingReason: findLeavingReason(device.managementState),
    otherExclusion: findOtherExclusion(device, population),
  };
}

function findLeavingReason(managementState: string): string {
  if (managementState === 'discovered') {
    return 'unmanaged';
  }
  return retiringStates.has(managementState) ? 'retiring' : '';
}

function findOtherExclusion(device: WindowsDevice, population: TruthQuery['population']): string {
  if (agentsWithoutApps.has(device.managementAgent)) {
    return 'not-manageable';
  }
  return population === 'company' && device.owner === 'personal' ? 'personal' : '';
}

function listTruthRows(source: TruthRow['source'], records: readonly TrueRecord[], query: TruthQuery): TruthRow[] {
  const newest = findNewestBySerialNumber(records);
  const oldest = query.moment - query.staleAfterDays * millisecondsPerDay;
  return records.map((record) => {
    const stale = record.lastContact === undefined || record.lastContact < oldest;
    const excluded =
      record.leavingReason || record.otherExclusion || (isSuperseded(record, newest) ? 'superseded' : '');
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
    };
  });
}

/** The newest record of each real serial number among those that stay. */
function findNewestBySerialNumber(records: readonly TrueRecord[]): Map<string, TrueRecord> {
  const newest = new Map<string, TrueRecord>();
  for (const record of records) {
    const key = normalizeSerialNumber(record.serialNumber);
    const known = newest.get(key);
    if (key !== '' && record.leavingReason === '' && (known === undefined || isNewerRecord(record, known))) {
      newest.set(key, record);
    }
  }
  return newest;
}

function isSuperseded(record: TrueRecord, newest: ReadonlyMap<string, TrueRecord>): boolean {
  const other = newest.get(normalizeSerialNumber(record.serialNumber));
  return other !== undefined && other !== record && isNewerRecord(other, record);
}

/** Empty for a placeholder. */
function normalizeSerialNumber(serialNumber: string | null): string {
  const key = (serialNumber ?? '').trim().toLowerCase();
  return placeholderSerialNumbers.has(key) ? '' : key;
}

function isNewerRecord(one: TrueRecord, other: TrueRecord): boolean {
  const difference = (one.lastContact ?? Number.NEGATIVE_INFINITY) - (other.lastContact ?? Number.NEGATIVE_INFINITY);
  if (difference > 0 || difference < 0) {
    return difference > 0;
  }
  return one.rank === other.rank ? one.id > other.id : one.rank > other.rank;
}
