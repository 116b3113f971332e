/** Which machine is of which rare kind: dense in the first 250 of a platform, then once in a thousand. */
import { type MacAgentState, macAgentStates, type WindowsAgentState, windowsAgentStates } from './agent-states.ts';
import type { Contact } from './model.ts';

interface EdgeCase<Agent> {
  readonly agentState?: Agent;
  readonly contact?: Contact;
  /** A serial number that is no serial number, or null. */
  readonly serialNumber?: string | null;
  /** Shares the serial number of the special machine before it, written in another way. */
  readonly twin?: 'lower-case' | 'spaces' | 'same';
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

const longSilent: Contact = { kind: 'silent', since: -60 };
const inventorySilent: Contact = { kind: 'inventory-silent', since: -50 };
const unknownContact: Contact = { kind: 'unknown' };

/** Even a fleet of ten has one of each of these. */
const firstMacEdgeCases: Readonly<Record<number, MacEdgeCase>> = {
  2: { agentState: macAgentStates.missing },
  4: { agentState: macAgentStates.nothing },
  6: { agentState: macAgentStates.installedWithSpace },
  8: { unmanaged: true, agentState: macAgentStates.installed },
  9: { contact: inventorySilent, agentState: macAgentStates.installed },
};

const firstWindowsEdgeCases: Readonly<Record<number, WindowsEdgeCase>> = {
  2: { agentState: windowsAgentStates.missing },
  4: { agentState: windowsAgentStates.nothing },
  6: { agentState: windowsAgentStates.installedThenMissing },
  8: { managementState: 'retirePending', agentState: windowsAgentStates.installed },
  9: { contact: longSilent, agentState: windowsAgentStates.installed },
};

const macEdgeCases: readonly MacEdgeCase[] = [
  ...Object.values(macAgentStates).map((agentState) => ({ agentState })),
  { unmanaged: true, neverEnrolled: true, nameless: true, contact: unknownContact, agentState: macAgentStates.nothing },
  { unmanaged: true, agentState: macAgentStates.missing },
  { unmanaged: true, agentState: macAgentStates.nothing },
  { contact: longSilent, agentState: macAgentStates.installed },
  { contact: longSilent, agentState: macAgentStates.missing },
  { contact: inventorySilent, agentState: macAgentStates.missing },
  { contact: unknownContact, agentState: macAgentStates.installed },
  { nameless: true },
  // The later machine of each pair has the higher id; who is superseded depends on the dates and on management.
  { agentState: macAgentStates.installed },
  { twin: 'lower-case', contact: { kind: 'silent', since: -12 }, agentState: macAgentStates.missing },
  { agentState: macAgentStates.missing, contact: { kind: 'silent', since: -9 } },
  { twin: 'spaces', agentState: macAgentStates.installed },
  { agentState: macAgentStates.installed, contact: { kind: 'silent', since: -9 } },
  { twin: 'same', unmanaged: true, agentState: macAgentStates.missing },
  { serialNumber: '' },
  { serialNumber: '', agentState: macAgentStates.missing },
  { serialNumber: '0' },
  { serialNumber: ' 0 ' },
  { serialNumber: 'System Serial Number' },
  { serialNumber: 'system serial number', agentState: macAgentStates.missing },
];

const windowsEdgeCases: readonly WindowsEdgeCase[] = [
  ...Object.values(windowsAgentStates).map((agentState) => ({ agentState })),
  ...['retireIssued', 'wipePending', 'wipeIssued', 'deletePending', 'discovered'].map((managementState) => ({
    managementState,
  })),
  ...['retireFailed', 'wipeFailed', 'unhealthy', 'wipeCanceled'].map((managementState) => ({ managementState })),
  { managementAgent: 'msSense', agentState: windowsAgentStates.nothing },
  { managementAgent: 'configurationManagerClient', agentState: windowsAgentStates.nothing },
  { managementAgent: 'configurationManagerClientMdm' },
  { owner: 'personal', agentState: windowsAgentStates.installed },
  { owner: 'personal', agentState: windowsAgentStates.missing },
  { owner: 'unknown' },
  { contact: unknownContact, agentState: windowsAgentStates.installed },
  { contact: longSilent, agentState: windowsAgentStates.missing },
  { nameless: true },
  { userless: true },
  { agentState: windowsAgentStates.installed },
  { twin: 'lower-case', contact: { kind: 'silent', since: -12 }, agentState: windowsAgentStates.missing },
  { agentState: windowsAgentStates.missing, contact: { kind: 'silent', since: -9 } },
  { twin: 'spaces', agentState: windowsAgentStates.installed },
  { agentState: windowsAgentStates.installed, contact: { kind: 'silent', since: -9 } },
  { twin: 'same', managementState: 'retireIssued', agentState: windowsAgentStates.missing },
  ...['', '', '0', '0', 'System Serial Number', 'System Serial Number'].map((serialNumber) => ({ serialNumber })),
  ...['To Be Filled By O.E.M.', 'to be filled by o.e.m. ', 'Default string', 'Default string'].map((serialNumber) => ({
    serialNumber,
  })),
  { serialNumber: null },
  { serialNumber: null },
];

/** Specials stand this far apart; a twin looks back by it. */
export const edgeCaseSpacing = 4;
const firstEdgeCase = 10;
const denseBlock = 250;
const sparsePeriod = 1000;

export function findMacEdgeCase(position: number): MacEdgeCase | undefined {
  return firstMacEdgeCases[position] ?? findByPosition(macEdgeCases, position);
}

function findByPosition<Special>(specials: readonly Special[], position: number): Special | undefined {
  const place = position < denseBlock ? position : position % sparsePeriod;
  const rank = (place - firstEdgeCase) / edgeCaseSpacing;
  return Number.isInteger(rank) && rank >= 0 ? specials[rank] : undefined;
}

export function findWindowsEdgeCase(position: number): WindowsEdgeCase | undefined {
  return firstWindowsEdgeCases[position] ?? findByPosition(windowsEdgeCases, position);
}
