/** What the sandbox knows about its devices: not what a platform tells, but what really happened to each machine. */

/** What the fleet's history did to the agent of a device, in the words of the product's own tables. */
export interface AgentTruth {
  readonly status: 'Installed' | 'Not Installed';
  readonly reason:
    | 'reported'
    | 'never-reported'
    | 'unrecognised-value'
    | 'uninstall-failed'
    | 'install-failed'
    | 'install-pending'
    | 'not-applicable'
    | 'state-unknown';
  /** False where the table rules it out, or a newer row of the device says otherwise. */
  readonly provable: boolean;
}

/** How a device keeps in touch. Nights are counted from the fleet's night 0 and may be negative. */
export type Contact =
  | { readonly kind: 'regular' }
  | { readonly kind: 'silent'; readonly since: number }
  | { readonly kind: 'inventory-silent'; readonly since: number }
  | { readonly kind: 'unknown' };

interface Device {
  /** Counts machines of one platform in the order they came; every draw about a machine uses it. */
  readonly ordinal: number;
  readonly serialNumber: string | null;
  readonly userOrdinal: number;
  readonly enrolledNight: number;
  /** Kept as it was born: a rare kind that tests count on. */
  readonly isEdgeCase: boolean;
  name: string | null;
  contact: Contact;
  /** The last night on which something happened that the device reported at once. */
  lastEventNight: number;
}

export interface Mac extends Device {
  readonly id: number;
  readonly site: 'headquarters' | 'branch';
  /** A record that never was in touch: no udid, no enrolment, like those that real servers hold. */
  readonly neverEnrolled: boolean;
  managed: boolean;
  agentTruth: AgentTruth;
  /** The attribute's entry as the server holds it; undefined where the entry is absent. */
  attributeEntry: { readonly values: readonly string[] | null } | undefined;
}

export interface StateRow {
  readonly state: number;
  readonly detail: number;
  readonly error: number;
  /** 0 is the device's user, 1 another user of the device, null the system context ("No user"). */
  readonly user: 0 | 1 | null;
  /** How long before the device's last sync the state was written; null is a date that is not known. */
  readonly hoursBeforeSync: number | null;
}

export interface WindowsDevice extends Device {
  readonly id: string;
  readonly owner: 'company' | 'personal' | 'unknown';
  readonly managementAgent: string;
  readonly userless: boolean;
  managementState: string;
  removalNight: number | undefined;
  /** False for a device whose user never asked for the app: in a tenant with frozen states it has no row. */
  appRequested: boolean;
  agentTruth: AgentTruth;
  stateRows: readonly StateRow[];
}

export interface OtherDevice {
  readonly id: string;
  readonly name: string;
  readonly operatingSystem: string;
  readonly serialNumber: string;
  readonly ordinal: number;
}

/** A row that the app report still holds for a device that left. */
export interface DepartedDevice {
  readonly device: WindowsDevice;
  readonly leftNight: number;
}

export interface SimulatedDevices {
  readonly seed: number;
  readonly initialCount: number;
  /** Milliseconds of night 0's midnight, UTC. */
  readonly startTime: number;
  readonly frozenStates: boolean;
  night: number;
  /** Grows with every change, so that sorted lists can be kept. */
  revision: number;
  macs: Mac[];
  windows: WindowsDevice[];
  readonly others: OtherDevice[];
  departed: DepartedDevice[];
  nextMacId: number;
  nextMacOrdinal: number;
  nextWindowsOrdinal: number;
}
