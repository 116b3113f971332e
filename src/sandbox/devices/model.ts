/** What the sandbox knows about its devices: not what a platform tells, but what really happened to each machine. */

/** What the fleet's history did to the agent of a device, in the words of the product's own tables. */
export interface Verdict {
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

interface Machine {
  /** Counts machines of one platform in the order they came; every draw about a machine uses it. */
  readonly ordinal: number;
  readonly serial: string | null;
  readonly user: number;
  readonly enrolledNight: number;
  /** Kept as it was born: a rare kind that tests count on. */
  readonly pinned: boolean;
  name: string | null;
  contact: Contact;
  /** The last night on which something happened that the device reported at once. */
  eventNight: number;
}

export interface Mac extends Machine {
  readonly id: number;
  readonly site: 'headquarters' | 'branch';
  /** A record that never was in touch: no udid, no enrolment, like those that real servers hold. */
  readonly bare: boolean;
  managed: boolean;
  verdict: Verdict;
  /** The attribute's entry as the server holds it; undefined where the entry is absent. */
  answer: { readonly values: readonly string[] | null } | undefined;
}

export interface StateRow {
  readonly state: number;
  readonly detail: number;
  readonly error: number;
  /** 0 is the device's user, 1 another user of the device, null the system context ("No user"). */
  readonly user: 0 | 1 | null;
  /** How long before the device's last sync the state was written; null is a date that is not known. */
  readonly hoursBefore: number | null;
}

export interface WindowsDevice extends Machine {
  readonly id: string;
  readonly owner: 'company' | 'personal' | 'unknown';
  readonly agent: string;
  readonly userless: boolean;
  managementState: string;
  leavesNight: number | undefined;
  /** False for a device whose user never asked for the app: in a tenant with frozen states it has no row. */
  asked: boolean;
  verdict: Verdict;
  rows: readonly StateRow[];
}

export interface OtherDevice {
  readonly id: string;
  readonly name: string;
  readonly system: string;
  readonly serial: string;
  readonly ordinal: number;
}

/** A row that the app report still holds for a device that left. */
export interface Ghost {
  readonly device: WindowsDevice;
  readonly leftNight: number;
}

export interface Fleet {
  readonly seed: number;
  readonly size: number;
  /** Milliseconds of night 0's midnight, UTC. */
  readonly start: number;
  readonly frozenStates: boolean;
  night: number;
  /** Grows with every change, so that sorted lists can be kept. */
  version: number;
  macs: Mac[];
  windows: WindowsDevice[];
  readonly others: OtherDevice[];
  ghosts: Ghost[];
  nextMacId: number;
  nextMac: number;
  nextWindows: number;
}
