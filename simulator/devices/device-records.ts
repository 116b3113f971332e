/** What the platforms hold about each device, as their servers answer: facts, and no judgement of them. */
import {
  computeMacContactTime,
  computeMacEnrollmentTime,
  computeMacReportTime,
  computeStateModifiedTime,
  computeWindowsEnrollmentTime,
  computeWindowsSyncTime,
} from './contact-times.ts';
import type { Mac, SimulatedDevices, SourceName, WindowsDevice } from './model.ts';

/** Dates are in ISO 8601 UTC; what a platform does not know is missing. */
export interface DeviceRecord {
  readonly source: SourceName;
  readonly id: string;
  readonly serialNumber?: string | undefined;
  /** The last contact of any kind. */
  readonly contactedAt?: string | undefined;
  /** The last inventory report, where the platform dates it apart from the contact. */
  readonly reportedAt?: string | undefined;
  readonly enrolledAt?: string | undefined;
  readonly managementState: string;
  readonly managementAgent?: string;
  readonly ownership?: string;
  /** What the platform holds about the agent: values of the attribute, or states of the app. */
  readonly answers: readonly { readonly value: string; readonly at?: string | undefined }[];
  /** What really is so, whatever the platform holds. */
  readonly hasAgent: boolean;
}

/** Where a site is given, only its Macs are to be seen. */
export function listDeviceRecords(devices: SimulatedDevices, site?: Mac['site']): DeviceRecord[] {
  const macs = devices.macs.filter((mac) => site === undefined || mac.site === site);
  return [
    ...macs.map((mac) => toMacRecord(devices, mac)),
    ...devices.windows.map((device) => toWindowsRecord(devices, device)),
  ];
}

function toMacRecord(devices: SimulatedDevices, mac: Mac): DeviceRecord {
  return {
    source: 'macs',
    id: String(mac.id),
    serialNumber: mac.serialNumber ?? undefined,
    contactedAt: toIsoText(computeMacContactTime(devices, mac)),
    reportedAt: toIsoText(computeMacReportTime(devices, mac)),
    enrolledAt: toIsoText(computeMacEnrollmentTime(devices, mac)),
    managementState: mac.managed ? 'managed' : 'unmanaged',
    answers: (mac.agent.attributeEntry?.values ?? []).map((value) => ({ value })),
    hasAgent: mac.agent.hasAgent,
  };
}

function toWindowsRecord(devices: SimulatedDevices, device: WindowsDevice): DeviceRecord {
  const { id, serialNumber, managementState, managementAgent, owner, agent } = device;
  return {
    source: 'windows',
    id,
    serialNumber: serialNumber ?? undefined,
    contactedAt: toIsoText(dropFraction(computeWindowsSyncTime(devices, device))),
    enrolledAt: toIsoText(dropFraction(computeWindowsEnrollmentTime(devices, device))),
    managementState,
    managementAgent,
    ownership: owner,
    answers: agent.stateRows.map((row) => ({
      value: String(row.state),
      at: toIsoText(computeStateModifiedTime(devices, device, row)),
    })),
    hasAgent: agent.hasAgent,
  };
}

/** Graph reports whole seconds. */
function dropFraction(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / 1000) * 1000;
}

function toIsoText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
