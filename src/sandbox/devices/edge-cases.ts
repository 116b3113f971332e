/** Which device is which edge case: many among the first 250 of a platform, then each once in a thousand. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import type { Contact, MacAgentState, WindowsAgentState } from './model.ts';
import { hostileNames } from './names.ts';

export type SerialNumberSpelling = 'lower-case' | 'with-spaces' | 'same';

interface EdgeCase<Agent> {
  readonly agent?: Agent;
  readonly contact?: Contact;
  /** A placeholder instead of a serial number, or null. */
  readonly serialNumber?: string | null;
  /** Has the serial number of the edge case before it, written in this way. */
  readonly duplicate?: SerialNumberSpelling;
  readonly nameless?: boolean;
}

export interface MacEdgeCase extends EdgeCase<MacAgentState> {
  readonly unmanaged?: boolean;
  readonly neverEnrolled?: boolean;
}

export interface WindowsEdgeCase extends EdgeCase<WindowsAgentState> {
  readonly managementState?: string;
  readonly managementAgent?: string;
  readonly owner?: 'personal' | 'unknown';
  readonly userless?: boolean;
}

/** So many ordinals lie between two edge cases; a duplicate looks back by it. */
export const edgeCaseSpacing = 4;
const firstEdgeCase = 10;
const hostileNameSpacing = 28;
const firstHostileName = 7;
const denseBlock = 250;
const sparsePeriod = 1000;

const longSilent: Contact = { kind: 'silent', since: -60 };
const inventorySilent: Contact = { kind: 'inventory-silent', since: -50 };
const unknownContact: Contact = { kind: 'unknown' };

/** By ordinal: even among ten devices there is one of each of these. */
const firstMacEdgeCases: Readonly<Record<number, MacEdgeCase>> = {
  2: { agent: macAgentStates.missing },
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

const macEdgeCases: readonly MacEdgeCase[] = [
  ...Object.values(macAgentStates).map((agent) => ({ agent })),
  { unmanaged: true, neverEnrolled: true, nameless: true, contact: unknownContact, agent: macAgentStates.nothing },
  { unmanaged: true, agent: macAgentStates.missing },
  { unmanaged: true, agent: macAgentStates.nothing },
  { contact: longSilent, agent: macAgentStates.installed },
  { contact: longSilent, agent: macAgentStates.missing },
  { contact: inventorySilent, agent: macAgentStates.missing },
  { contact: unknownContact, agent: macAgentStates.installed },
  { nameless: true },
  // The later device of each pair has the higher id; which is superseded depends on the dates and on management.
  { agent: macAgentStates.installed },
  { duplicate: 'lower-case', contact: { kind: 'silent', since: -12 }, agent: macAgentStates.missing },
  { agent: macAgentStates.missing, contact: { kind: 'silent', since: -9 } },
  { duplicate: 'with-spaces', agent: macAgentStates.installed },
  { agent: macAgentStates.installed, contact: { kind: 'silent', since: -9 } },
  { duplicate: 'same', unmanaged: true, agent: macAgentStates.missing },
  { serialNumber: '' },
  { serialNumber: '', agent: macAgentStates.missing },
  { serialNumber: '0' },
  { serialNumber: ' 0 ' },
  { serialNumber: 'System Serial Number' },
  { serialNumber: 'system serial number', agent: macAgentStates.missing },
];

const windowsEdgeCases: readonly WindowsEdgeCase[] = [
  ...Object.values(windowsAgentStates).map((agent) => ({ agent })),
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
  { agent: windowsAgentStates.installed },
  { duplicate: 'lower-case', contact: { kind: 'silent', since: -12 }, agent: windowsAgentStates.missing },
  { agent: windowsAgentStates.missing, contact: { kind: 'silent', since: -9 } },
  { duplicate: 'with-spaces', agent: windowsAgentStates.installed },
  { agent: windowsAgentStates.installed, contact: { kind: 'silent', since: -9 } },
  { duplicate: 'same', managementState: 'retireIssued', agent: windowsAgentStates.missing },
  ...['', '', '0', '0', 'System Serial Number', 'System Serial Number'].map((serialNumber) => ({ serialNumber })),
  ...['To Be Filled By O.E.M.', 'to be filled by o.e.m. ', 'Default string', 'Default string'].map((serialNumber) => ({
    serialNumber,
  })),
  { serialNumber: null },
  { serialNumber: null },
];

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
