/** Which device is which edge case: many among the first 250 of a platform, then each once in a thousand. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import type { Contact, EnrollmentDate, MacAgentState, MacContact, WindowsAgentState } from './model.ts';
import { hostileNames } from './names.ts';

export type SerialNumberSpelling = 'lower-case' | 'with-spaces' | 'with-hyphens' | 'same';

interface EdgeCase<Agent> {
  readonly agent?: Agent;
  readonly enrolledNight?: number;
  readonly enrollmentDate?: EnrollmentDate;
  /** A text instead of a serial number of its own, or null. */
  readonly serialNumber?: string | null;
  /** Has the serial number of the edge case before it, written in this way. */
  readonly duplicate?: SerialNumberSpelling;
  readonly nameless?: boolean;
}

export interface MacEdgeCase extends EdgeCase<MacAgentState> {
  readonly contact?: MacContact;
  readonly unmanaged?: boolean;
  /** Never enrolled either: its record has no udid. */
  readonly neverEnrolled?: boolean;
  readonly canary?: boolean;
}

export interface WindowsEdgeCase extends EdgeCase<WindowsAgentState> {
  readonly contact?: Contact;
  readonly managementState?: string;
  readonly managementAgent?: string;
  readonly owner?: 'personal' | 'unknown';
  readonly userless?: boolean;
}

/** So many ordinals lie between two edge cases; a duplicate looks back by it. */
export const edgeCaseSpacing = 3;
const firstEdgeCase = 10;
const hostileNameSpacing = 27;
const firstHostileName = 5;
const denseBlock = 250;
const sparsePeriod = 1000;

const longSilent: Contact = { kind: 'silent', since: -60 };
const inventorySilent: MacContact = { kind: 'inventory-silent', since: -50 };
/** Last heard from two years before night 0. */
const recordTouched: MacContact = { kind: 'record-touched', since: -760 };
const unknownContact: Contact = { kind: 'unknown' };
const regular: Contact = { kind: 'regular' };

/** By ordinal: even among ten devices there is one of each of these. */
const firstMacEdgeCases: Readonly<Record<number, MacEdgeCase>> = {
  1: { canary: true, agent: macAgentStates.installed },
  2: { agent: macAgentStates.missing },
  3: { canary: true, agent: macAgentStates.missing },
  4: { agent: macAgentStates.nothing },
  6: { agent: macAgentStates.installedWithSpace },
  8: { unmanaged: true, agent: macAgentStates.installed },
  9: { contact: inventorySilent, agent: macAgentStates.installed },
};

const firstWindowsEdgeCases: Readonly<Record<number, WindowsEdgeCase>> = {
  2: { agent: windowsAgentStates.missing },
  4: { agent: windowsAgentStates.nothing },
  6: { agent: windowsAgentStates.installedThenMissing },
  8: { managementState: 'retirePending', agent: windowsAgentStates.installed },
  9: { contact: longSilent, agent: windowsAgentStates.installed },
};

interface RecordDates {
  readonly contact: Contact;
  readonly enrolledNight: number;
  readonly enrollmentDate?: EnrollmentDate;
}

/**
 * Two records with one serial number, the one enrolled earlier first. Between the earlier one's last contact and the
 * later one's enrollment a week decides whether they were two machines that lived at once; nights lie up to a day and an
 * hour from each other.
 */
const recordPairs = {
  /** Enrolled again on the night when the earlier record was last heard from. */
  enrolledAgain: [
    { contact: { kind: 'silent', since: -12 }, enrolledNight: -400 },
    { contact: regular, enrolledNight: -12 },
  ],
  /** The earlier record was still heard from for some days, which is no second machine. */
  handedOver: [
    { contact: { kind: 'silent', since: -20 }, enrolledNight: -400 },
    { contact: regular, enrolledNight: -25 },
  ],
  /** The later record fell silent first, so that the earlier one is newer. */
  returned: [
    { contact: { kind: 'silent', since: -8 }, enrolledNight: -400 },
    { contact: { kind: 'silent', since: -11 }, enrolledNight: -14 },
  ],
  /** Nobody knows when the later record was enrolled, but the earlier one is silent for long. */
  undatedAfterSilent: [
    { contact: { kind: 'silent', since: -70 }, enrolledNight: -400 },
    { contact: regular, enrolledNight: -40, enrollmentDate: 'future' },
  ],
  bothLive: [
    { contact: regular, enrolledNight: -400 },
    { contact: regular, enrolledNight: -100 },
  ],
  /** Both lived for more than a week, and one of them is silent since. */
  bothLived: [
    { contact: { kind: 'silent', since: -20 }, enrolledNight: -400 },
    { contact: regular, enrolledNight: -29 },
  ],
  /** Nobody knows when the later record was enrolled, and both are heard from. */
  undatedAndBothLive: [
    { contact: regular, enrolledNight: -400 },
    { contact: regular, enrolledNight: -3, enrollmentDate: 'epoch' },
  ],
} satisfies Record<string, readonly [RecordDates, RecordDates]>;

/** One serial number on three boards of one delivery, one of which is silent for long. */
const deliveredBoards: readonly RecordDates[] = [
  { contact: regular, enrolledNight: -400 },
  { contact: regular, enrolledNight: -300 },
  { contact: longSilent, enrolledNight: -200 },
];

const macEdgeCases: readonly MacEdgeCase[] = [
  ...Object.values(macAgentStates).map((agent) => ({ agent })),
  ...createMacPair('enrolledAgain', 'lower-case'),
  ...createMacPair('bothLive', 'same'),
  ...deliveredBoards.map((dates) => ({ ...dates, serialNumber: 'C02EXAMPLE01' })),
  { contact: recordTouched, enrolledNight: -900, agent: macAgentStates.installed },
  { contact: recordTouched, enrolledNight: -800, agent: macAgentStates.missing },
  { contact: { kind: 'contact-unknown' }, agent: macAgentStates.installed },
  { contact: { kind: 'report-unknown' }, agent: macAgentStates.installed },
  { enrollmentDate: 'epoch' },
  { enrollmentDate: 'future', agent: macAgentStates.missing },
  {
    ...{ unmanaged: true, neverEnrolled: true, enrollmentDate: 'missing', nameless: true },
    ...{ contact: unknownContact, agent: macAgentStates.nothing },
  },
  { unmanaged: true, agent: macAgentStates.missing },
  { unmanaged: true, agent: macAgentStates.nothing },
  { contact: longSilent, agent: macAgentStates.installed },
  { contact: longSilent, agent: macAgentStates.missing },
  { contact: inventorySilent, agent: macAgentStates.missing },
  { contact: unknownContact, agent: macAgentStates.installed },
  { nameless: true },
  ...createMacPair('handedOver', 'with-spaces'),
  ...createMacPair('returned', 'same'),
  ...createMacPair('undatedAfterSilent', 'with-hyphens'),
  ...createMacPair('bothLived', 'with-hyphens'),
  ...createMacPair('undatedAndBothLive', 'same'),
  // An unmanaged record takes no other's place, however new it is.
  ...createMacPair('enrolledAgain', 'same', { unmanaged: true }),
  ...['', '', '0', ' 0 ', 'System Serial Number', 'system serial number', '000000000000', '000000000000'].map(
    (serialNumber) => ({ serialNumber }),
  ),
];

const windowsEdgeCases: readonly WindowsEdgeCase[] = [
  ...Object.values(windowsAgentStates).map((agent) => ({ agent })),
  ...createWindowsPair('enrolledAgain', 'lower-case'),
  ...deliveredBoards.map((dates) => ({ ...dates, serialNumber: 'EXAMPLE12345678901' })),
  // Intune strips the blanks from what the firmware says.
  ...['Defaultstring', 'Defaultstring', 'Defaultstring'].map((serialNumber) => ({ serialNumber })),
  ...['ToBeFilledByO.E.M.', 'ToBeFilledByO.E.M.', 'SystemSerialNumber', 'SystemSerialNumber'].map((serialNumber) => ({
    serialNumber,
  })),
  ...['', '', '0', '0', '0123456789', '0123456789', 'VirtualMachine', 'VirtualMachine'].map((serialNumber) => ({
    serialNumber,
  })),
  { serialNumber: null },
  { serialNumber: null },
  ...createWindowsPair('bothLive', 'same'),
  ...createWindowsPair('handedOver', 'with-spaces'),
  ...createWindowsPair('returned', 'same'),
  ...createWindowsPair('undatedAfterSilent', 'with-hyphens'),
  ...createWindowsPair('bothLived', 'with-hyphens'),
  ...createWindowsPair('undatedAndBothLive', 'same'),
  // A retiring record takes no other's place, however new it is.
  ...createWindowsPair('enrolledAgain', 'same', { managementState: 'retireIssued' }),
  { enrollmentDate: 'future' },
  { enrollmentDate: 'missing', agent: windowsAgentStates.missing },
  ...['retireIssued', 'wipePending', 'wipeIssued', 'deletePending', 'discovered'].map((managementState) => ({
    managementState,
  })),
  ...['retireFailed', 'wipeFailed', 'unhealthy', 'wipeCanceled'].map((managementState) => ({ managementState })),
  { managementAgent: 'msSense', agent: windowsAgentStates.nothing },
  { managementAgent: 'configurationManagerClient', agent: windowsAgentStates.nothing },
  { managementAgent: 'configurationManagerClientMdm' },
  { owner: 'personal', agent: windowsAgentStates.installed },
  { owner: 'personal', agent: windowsAgentStates.missing },
  { owner: 'unknown' },
  { contact: unknownContact, agent: windowsAgentStates.installed },
  { contact: longSilent, agent: windowsAgentStates.missing },
  { nameless: true },
  { userless: true },
];

function createMacPair(
  name: keyof typeof recordPairs,
  duplicate: SerialNumberSpelling,
  later: MacEdgeCase = {},
): MacEdgeCase[] {
  const [first, second] = recordPairs[name];
  return [
    { ...first, agent: macAgentStates.installed },
    { ...second, agent: macAgentStates.missing, duplicate, ...later },
  ];
}

function createWindowsPair(
  name: keyof typeof recordPairs,
  duplicate: SerialNumberSpelling,
  later: WindowsEdgeCase = {},
): WindowsEdgeCase[] {
  const [first, second] = recordPairs[name];
  return [
    { ...first, agent: windowsAgentStates.missing },
    { ...second, agent: windowsAgentStates.installed, duplicate, ...later },
  ];
}

export function findMacEdgeCase(ordinal: number): MacEdgeCase | undefined {
  return firstMacEdgeCases[ordinal] ?? findByOrdinal(macEdgeCases, ordinal, firstEdgeCase, edgeCaseSpacing);
}

export function findWindowsEdgeCase(ordinal: number): WindowsEdgeCase | undefined {
  return firstWindowsEdgeCases[ordinal] ?? findByOrdinal(windowsEdgeCases, ordinal, firstEdgeCase, edgeCaseSpacing);
}

export function findHostileName(ordinal: number): string | undefined {
  return findByOrdinal(hostileNames, ordinal, firstHostileName, hostileNameSpacing);
}

/** Items lie `spacing` ordinals apart from `first` on; an ordinal between two of them is no index and finds nothing. */
function findByOrdinal<Item>(
  items: readonly Item[],
  ordinal: number,
  first: number,
  spacing: number,
): Item | undefined {
  const place = ordinal < denseBlock ? ordinal : ordinal % sparsePeriod;
  return items[(place - first) / spacing];
}
