/** Records of each device in the form of the platforms' servers: facts without judgement. */
import {
  computeMacContactTime,
  computeMacEnrollmentTime,
  computeMacReportTime,
  computeStateModifiedTime,
  computeWindowsEnrollmentTime,
  computeWindowsSyncTime,
} from './contact-times.ts';
import type { Mac, SimulatedDevices, SourceName, WindowsDevice } from './model.ts';

/** A record with dates in ISO 8601 UTC; unknown fields are missing. */
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
  /** The platform's data about the agent: values of the attribute, or states of the app. */
  readonly answers: readonly { readonly value: string; readonly at?: string | undefined }[];
  /** True where the agent really is there, whatever the platform says. */
  readonly hasAgent: boolean;
}

/** Lists the records; with a site, only its Macs. */
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

/** Rounds down to whole seconds, as Graph reports them. */
function dropFraction(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / 1000) * 1000;
}

function toIsoText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
