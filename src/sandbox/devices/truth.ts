/** What is true about every device that should appear, from what the fleet's history did to it. */
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
  /** The part of the fleet that a site-scoped account sees. */
  readonly site: Mac['site'] | undefined;
}

interface DeviceRecord {
  readonly id: string;
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
  const macs = devices.macs.filter((mac) => query.site === undefined || mac.site === query.site);
  const macRows = listTruthRows(
    'macs',
    macs.map((mac) => toMacRecord(devices, mac)),
    query,
  );
  const windows = devices.windows.map((device) => toWindowsRecord(devices, device, query.population));
  return [...macRows, ...listTruthRows('windows', windows, query)];
}

function listTruthRows(source: TruthRow['source'], candidates: readonly DeviceRecord[], query: TruthQuery): TruthRow[] {
  const newest = findNewestBySerialNumber(candidates);
  return candidates.map((candidate) => {
    const stale =
      candidate.lastContact === undefined ||
      query.moment - candidate.lastContact > query.staleAfterDays * millisecondsPerDay;
    const twin = newest.get(normalizeSerialNumber(candidate.serialNumber));
    const superseded = twin !== undefined && twin !== candidate && isNewerRecord(twin, candidate);
    const excluded = candidate.leavingReason || candidate.otherExclusion || (superseded ? 'superseded' : '');
    return {
      source,
      device_id: candidate.id,
      serial_number: (candidate.serialNumber ?? '').trim(),
      status: candidate.agentTruth.status,
      reason: candidate.agentTruth.reason,
      proven: candidate.agentTruth.provable && !stale,
      stale,
      counted: excluded === '',
      excluded_because: excluded,
    };
  });
}

/** The newest record of each real serial number among those that stay. */
function findNewestBySerialNumber(candidates: readonly DeviceRecord[]): Map<string, DeviceRecord> {
  const newest = new Map<string, DeviceRecord>();
  for (const candidate of candidates) {
    const key = normalizeSerialNumber(candidate.serialNumber);
    const known = newest.get(key);
    if (key !== '' && candidate.leavingReason === '' && (known === undefined || isNewerRecord(candidate, known))) {
      newest.set(key, candidate);
    }
  }
  return newest;
}

function normalizeSerialNumber(serial: string | null): string {
  const key = (serial ?? '').trim().toLowerCase();
  return placeholderSerialNumbers.has(key) ? '' : key;
}

function isNewerRecord(one: DeviceRecord, other: DeviceRecord): boolean {
  const difference = (one.lastContact ?? Number.NEGATIVE_INFINITY) - (other.lastContact ?? Number.NEGATIVE_INFINITY);
  if (difference > 0 || difference < 0) {
    return difference > 0;
  }
  return one.rank === other.rank ? one.id > other.id : one.rank > other.rank;
}

function toMacRecord(devices: SimulatedDevices, mac: Mac): DeviceRecord {
  return {
    id: String(mac.id),
    rank: mac.id,
    serialNumber: mac.serialNumber,
    lastContact: computeMacReportTime(devices, mac),
    agentTruth: mac.agentTruth,
    leavingReason: mac.managed ? '' : 'unmanaged',
    otherExclusion: '',
  };
}

function toWindowsRecord(
  devices: SimulatedDevices,
  device: WindowsDevice,
  population: 'all' | 'company',
): DeviceRecord {
  const leaving =
    device.managementState === 'discovered'
      ? 'unmanaged'
      : retiringStates.has(device.managementState)
        ? 'retiring'
        : '';
  const personal = population === 'company' && device.owner === 'personal' ? 'personal' : '';
  const synced = computeWindowsSyncTime(devices, device);
  return {
    id: device.id,
    rank: 0,
    serialNumber: device.serialNumber,
    // Graph tells whole seconds.
    lastContact: synced === undefined ? undefined : Math.floor(synced / 1000) * 1000,
    agentTruth: device.agentTruth,
    leavingReason: leaving,
    otherExclusion: agentsWithoutApps.has(device.managementAgent) ? 'not-manageable' : personal,
  };
}
