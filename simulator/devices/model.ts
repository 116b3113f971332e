/** The simulated devices: what really happened to each, rather than a platform's report of it. */

export interface MacAgentState {
  /** True where the agent really is there, whatever the platform says. */
  readonly hasAgent: boolean;
  /** The extension attribute's entry as the server holds it; undefined where the entry is absent. */
  readonly attributeEntry: { readonly values: readonly string[] | null } | undefined;
}

export interface WindowsAgentState {
  /** True where the agent really is there, whatever the platform says. */
  readonly hasAgent: boolean;
  readonly stateRows: readonly StateRow[];
}

/** A row of the app's install status for one device and user. */
export interface StateRow {
  readonly state: number;
  readonly detail: number;
  readonly error: number;
  /** 0 is the device's user, 1 another user of the device, null the system context ("No user"). */
  readonly user: 0 | 1 | null;
  /** Hours between writing the state and the device's last sync; null where the date is unknown. */
  readonly hoursBeforeSync: number | null;
}

/** The way in which a device reports. Nights are counted from night 0 and may be negative. */
export type Contact =
  | { readonly kind: 'regular' }
  | { readonly kind: 'silent'; readonly since: number }
  | { readonly kind: 'unknown' };

export type MacContact =
  | Contact
  /** Still checks in, but no longer reports its inventory. */
  | { readonly kind: 'inventory-silent'; readonly since: number }
  /** Silent, but an API changes its record every night, which moves the date of the inventory report. */
  | { readonly kind: 'record-touched'; readonly since: number }
  /** The server holds only the date of its inventory report. */
  | { readonly kind: 'contact-unknown' }
  /** The server holds only the date of its last contact. */
  | { readonly kind: 'report-unknown' };

/** A platform's date of enrollment: the true date, none, 1970, or one in the future. */
export type EnrollmentDate = 'known' | 'missing' | 'epoch' | 'future';

export interface Device {
  /** Counts the devices of one platform in the order of their enrollment; every draw about a device uses it. */
  readonly ordinal: number;
  readonly serialNumber: string | null;
  readonly userOrdinal: number;
  readonly enrolledNight: number;
  readonly enrollmentDate: EnrollmentDate;
  /** An edge case stays as it was created: tests count on it. */
  readonly isEdgeCase: boolean;
  name: string | null;
  /** True where the device was enrolled again under another id, so that this record is never heard from again. */
  replaced: boolean;
  /** The last night on which something happened that the device reported at once. */
  lastEventNight: number;
  /** The night on which its record is deleted, where that is certain already. */
  removalNight: number | undefined;
}

export interface Mac extends Device {
  readonly id: number;
  readonly site: 'headquarters' | 'branch';
  /** A record without udid and enrollment date, as real servers hold some. */
  readonly neverEnrolled: boolean;
  /** Set for a machine kept on purpose with or without the agent, so that its answer shows whether everything works. */
  readonly canary: 'Installed' | 'Not Installed' | undefined;
  contact: MacContact;
  managed: boolean;
  agent: MacAgentState;
}

export interface WindowsDevice extends Device {
  readonly id: string;
  readonly owner: 'company' | 'personal' | 'unknown';
  readonly managementAgent: string;
  readonly userless: boolean;
  contact: Contact;
  managementState: string;
  /** False where no user requested the app: in a tenant with frozen states such a device has no row. */
  appRequested: boolean;
  agent: WindowsAgentState;
}

/** A phone, tablet or Mac of the tenant, which also manages other systems than Windows. */
export interface OtherDevice {
  readonly id: string;
  readonly name: string;
  readonly operatingSystem: string;
  readonly serialNumber: string;
  readonly ordinal: number;
}

/** A device that left while the app report still has its rows. */
interface FormerDevice {
  readonly device: WindowsDevice;
  readonly leftNight: number;
}

export type SourceName = 'macs' | 'windows';

export type SourceDevice = Mac | WindowsDevice;

/** Lists of devices by source, for actions that are the same for all. */
export type DeviceLists = Record<SourceName, SourceDevice[]>;

export interface SimulatedDevices {
  macs: Mac[];
  windows: WindowsDevice[];
  readonly seed: number;
  readonly initialCount: number;
  /** Milliseconds of night 0's midnight, UTC. */
  readonly startTime: number;
  readonly frozenStates: boolean;
  /** True where each Windows device has a date of enrollment, even edge cases. */
  readonly datesKnown: boolean;
  night: number;
  readonly others: OtherDevice[];
  departed: FormerDevice[];
  nextMacId: number;
  nextMacOrdinal: number;
  nextWindowsOrdinal: number;
}
