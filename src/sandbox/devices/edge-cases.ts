/** Which machine is of which rare kind: dense in the first 250 of a platform, then once in a thousand. */

import { type MacAgent, macAgents, type WindowsAgent, windowsAgents } from './agent-states.ts';
import type { Contact } from './model.ts';

interface Kind<Agent> {
  readonly agent?: Agent;
  readonly contact?: Contact;
  /** A serial number that is no serial number, or null. */
  readonly serial?: string | null;
  /** Shares the serial number of the special machine before it, written in another way. */
  readonly twin?: 'lower-case' | 'spaces' | 'same';
  readonly nameless?: boolean;
}

export interface MacKind extends Kind<MacAgent> {
  readonly unmanaged?: boolean;
  readonly bare?: boolean;
}

export interface WindowsKind extends Kind<WindowsAgent> {
  readonly managementState?: string;
  readonly managementAgent?: string;
  readonly owner?: 'personal' | 'unknown';
  readonly userless?: boolean;
}

const longSilent: Contact = { kind: 'silent', since: -60 };
const inventorySilent: Contact = { kind: 'inventory-silent', since: -50 };
const unknownContact: Contact = { kind: 'unknown' };

/** Even a fleet of ten has one of each of these. */
const smallMacs: Readonly<Record<number, MacKind>> = {
  2: { agent: macAgents.missing },
  4: { agent: macAgents.nothing },
  6: { agent: macAgents.installedWithSpace },
  8: { unmanaged: true, agent: macAgents.installed },
  9: { contact: inventorySilent, agent: macAgents.installed },
};

const smallWindows: Readonly<Record<number, WindowsKind>> = {
  2: { agent: windowsAgents.missing },
  4: { agent: windowsAgents.nothing },
  6: { agent: windowsAgents.installedThenMissing },
  8: { managementState: 'retirePending', agent: windowsAgents.installed },
  9: { contact: longSilent, agent: windowsAgents.installed },
};

const rareMacs: readonly MacKind[] = [
  ...Object.values(macAgents).map((agent) => ({ agent })),
  { unmanaged: true, bare: true, nameless: true, contact: unknownContact, agent: macAgents.nothing },
  { unmanaged: true, agent: macAgents.missing },
  { unmanaged: true, agent: macAgents.nothing },
  { contact: longSilent, agent: macAgents.installed },
  { contact: longSilent, agent: macAgents.missing },
  { contact: inventorySilent, agent: macAgents.missing },
  { contact: unknownContact, agent: macAgents.installed },
  { nameless: true },
  // The later machine of each pair has the higher id; who is superseded depends on the dates and on management.
  { agent: macAgents.installed },
  { twin: 'lower-case', contact: { kind: 'silent', since: -12 }, agent: macAgents.missing },
  { agent: macAgents.missing, contact: { kind: 'silent', since: -9 } },
  { twin: 'spaces', agent: macAgents.installed },
  { agent: macAgents.installed, contact: { kind: 'silent', since: -9 } },
  { twin: 'same', unmanaged: true, agent: macAgents.missing },
  { serial: '' },
  { serial: '', agent: macAgents.missing },
  { serial: '0' },
  { serial: ' 0 ' },
  { serial: 'System Serial Number' },
  { serial: 'system serial number', agent: macAgents.missing },
];

const rareWindows: readonly WindowsKind[] = [
  ...Object.values(windowsAgents).map((agent) => ({ agent })),
  ...['retireIssued', 'wipePending', 'wipeIssued', 'deletePending', 'discovered'].map((managementState) => ({
    managementState,
  })),
  ...['retireFailed', 'wipeFailed', 'unhealthy', 'wipeCanceled'].map((managementState) => ({ managementState })),
  { managementAgent: 'msSense', agent: windowsAgents.nothing },
  { managementAgent: 'configurationManagerClient', agent: windowsAgents.nothing },
  { managementAgent: 'configurationManagerClientMdm' },
  { owner: 'personal', agent: windowsAgents.installed },
  { owner: 'personal', agent: windowsAgents.missing },
  { owner: 'unknown' },
  { contact: unknownContact, agent: windowsAgents.installed },
  { contact: longSilent, agent: windowsAgents.missing },
  { nameless: true },
  { userless: true },
  { agent: windowsAgents.installed },
  { twin: 'lower-case', contact: { kind: 'silent', since: -12 }, agent: windowsAgents.missing },
  { agent: windowsAgents.missing, contact: { kind: 'silent', since: -9 } },
  { twin: 'spaces', agent: windowsAgents.installed },
  { agent: windowsAgents.installed, contact: { kind: 'silent', since: -9 } },
  { twin: 'same', managementState: 'retireIssued', agent: windowsAgents.missing },
  ...['', '', '0', '0', 'System Serial Number', 'System Serial Number'].map((serial) => ({ serial })),
  ...['To Be Filled By O.E.M.', 'to be filled by o.e.m. ', 'Default string', 'Default string'].map((serial) => ({
    serial,
  })),
  { serial: null },
  { serial: null },
];

/** Specials stand this far apart; a twin looks back by it. */
export const spacing = 4;
const firstSpecial = 10;
const denseBlock = 250;
const sparsePeriod = 1000;

function rankIn<Special>(specials: readonly Special[], position: number): Special | undefined {
  const place = position < denseBlock ? position : position % sparsePeriod;
  const rank = (place - firstSpecial) / spacing;
  return Number.isInteger(rank) && rank >= 0 ? specials[rank] : undefined;
}

export function macKind(position: number): MacKind | undefined {
  return smallMacs[position] ?? rankIn(rareMacs, position);
}

export function windowsKind(position: number): WindowsKind | undefined {
  return smallWindows[position] ?? rankIn(rareWindows, position);
}
