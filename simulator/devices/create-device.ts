/** Enrolls a device; the seed and its ordinal decide everything about it. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import {
  edgeCaseSpacing,
  findHostileName,
  findMacEdgeCase,
  findWindowsEdgeCase,
  type MacEdgeCase,
  type SerialNumberSpelling,
  type WindowsEdgeCase,
} from './edge-cases.ts';
import type {
  Contact,
  Device,
  Mac,
  MacContact,
  OtherDevice,
  SimulatedDevices,
  WindowsAgentState,
  WindowsDevice,
} from './model.ts';
import { createMacName, createSerialNumber, createWindowsName } from './names.ts';
import { probability } from './probabilities.ts';
import { drawBelow, drawChance, drawGuid, purpose, salt } from './random.ts';

export interface Enrollment<Known> {
  /** True for one of the first devices: it may be an edge case, have a hostile name, or be silent already. */
  readonly initial?: boolean;
  /** The record of the same device under its earlier id. */
  readonly replaces?: Known;
}

const longestFirstSilence = 45;
const otherOperatingSystems = ['iOS', 'iPadOS', 'Android', 'macOS'] as const;

export function createMac(
  devices: SimulatedDevices,
  drawnNight: number,
  { initial = false, replaces }: Enrollment<Mac>,
): Mac {
  const seed = devices.seed + salt.macEnrollment;
  const ordinal = devices.nextMacOrdinal;
  devices.nextMacOrdinal += 1;
  const edgeCase = initial ? findMacEdgeCase(ordinal) : undefined;
  const contact = edgeCase?.contact ?? chooseFirstContact(seed, ordinal, initial && edgeCase === undefined);
  const agent = macAgentStates[edgeCase?.agent ?? drawAgent(probability.macHasAgent, seed, ordinal)];
  return {
    ...createRecord({ seed, ordinal, drawnNight, initial, edgeCase, replaces, contact, prefix: 'C02' }),
    id: takeNextMacId(devices, ordinal),
    // An account that is limited to headquarters also sees the canaries.
    site: edgeCase?.canary ? 'headquarters' : (replaces?.site ?? drawSite(seed, ordinal)),
    canary: edgeCase?.canary ? (agent.hasAgent ? 'Installed' : 'Not Installed') : undefined,
    neverEnrolled: edgeCase?.neverEnrolled ?? false,
    contact,
    managed: !edgeCase?.unmanaged,
    agent,
  };
}

function takeNextMacId(devices: SimulatedDevices, ordinal: number): number {
  const id = devices.nextMacId;
  devices.nextMacId += drawChance(probability.gapBeforeNextMacId, devices.seed, ordinal, purpose.macIdGap) ? 3 : 1;
  return id;
}

function drawSite(seed: number, ordinal: number): Mac['site'] {
  return drawChance(probability.macAtHeadquarters, seed, ordinal, purpose.model, 9) ? 'headquarters' : 'branch';
}

function drawAgent(hasAgent: number, seed: number, ordinal: number): 'installed' | 'missing' {
  return drawChance(hasAgent, seed, ordinal, purpose.agent) ? 'installed' : 'missing';
}

export function createWindowsDevice(
  devices: SimulatedDevices,
  drawnNight: number,
  { initial = false, replaces }: Enrollment<WindowsDevice>,
): WindowsDevice {
  const seed = devices.seed + salt.windowsEnrollment;
  const ordinal = devices.nextWindowsOrdinal;
  devices.nextWindowsOrdinal += 1;
  const edgeCase = initial ? findWindowsEdgeCase(ordinal) : undefined;
  const contact = edgeCase?.contact ?? chooseFirstContact(seed, ordinal, initial && edgeCase === undefined);
  const agent = windowsAgentStates[edgeCase?.agent ?? drawAgent(probability.windowsDeviceHasAgent, seed, ordinal)];
  const device: WindowsDevice = {
    ...createRecord({ seed, ordinal, drawnNight, initial, edgeCase, replaces, contact, prefix: 'PF' }),
    ...(devices.datesKnown && { enrollmentDate: 'known' }),
    id: drawGuid(seed, ordinal, purpose.windowsDeviceId),
    owner: edgeCase?.owner ?? 'company',
    managementAgent: edgeCase?.managementAgent ?? 'mdm',
    userless: edgeCase?.userless ?? false,
    contact,
    managementState: edgeCase?.managementState ?? 'managed',
    appRequested: agent !== windowsAgentStates.missing || drawAppRequest(seed, ordinal),
    agent,
  };
  setWindowsAgent(devices, device, agent);
  return device;
}

interface RecordFacts {
  readonly seed: number;
  readonly ordinal: number;
  readonly drawnNight: number;
  readonly initial: boolean;
  readonly edgeCase: MacEdgeCase | WindowsEdgeCase | undefined;
  readonly replaces: Device | undefined;
  readonly contact: MacContact;
  /** Prefix of serial numbers, which also decides the names. */
  readonly prefix: keyof typeof nameMakers;
}

const nameMakers = { C02: createMacName, PF: createWindowsName };

/** Makes the fields that records of both platforms have. */
function createRecord(facts: RecordFacts): Device {
  const { seed, ordinal, edgeCase, replaces, contact, prefix } = facts;
  const enrolledNight = edgeCase?.enrolledNight ?? chooseEnrolledNight(facts.drawnNight, contact);
  const hostileName = facts.initial && edgeCase === undefined ? findHostileName(ordinal) : undefined;
  return {
    ordinal,
    serialNumber: replaces === undefined ? chooseSerialNumber(facts) : replaces.serialNumber,
    userOrdinal: replaces?.userOrdinal ?? ordinal,
    enrolledNight,
    enrollmentDate: edgeCase?.enrollmentDate ?? 'known',
    isEdgeCase: edgeCase !== undefined,
    name: edgeCase?.nameless ? null : (hostileName ?? nameMakers[prefix](seed, ordinal)),
    replaced: false,
    lastEventNight: enrolledNight,
    removalNight: undefined,
  };
}

function chooseSerialNumber({ seed, ordinal, prefix, edgeCase }: RecordFacts): string | null {
  if (edgeCase?.serialNumber !== undefined) {
    return edgeCase.serialNumber;
  }
  if (edgeCase?.duplicate !== undefined) {
    return spellings[edgeCase.duplicate](createSerialNumber(seed, ordinal - edgeCaseSpacing, prefix));
  }
  return createSerialNumber(seed, ordinal, prefix);
}

const spellings: Readonly<Record<SerialNumberSpelling, (serialNumber: string) => string>> = {
  same: (serialNumber) => serialNumber,
  'lower-case': (serialNumber) => serialNumber.toLowerCase(),
  'with-spaces': (serialNumber) => ` ${serialNumber} `,
  'with-hyphens': (serialNumber) => serialNumber.replace(/^(...)(....)/, '$1-$2-'),
};

/** The night of enrollment; a silent device was enrolled before it fell silent. */
function chooseEnrolledNight(drawnNight: number, contact: MacContact): number {
  return 'since' in contact ? Math.min(drawnNight, contact.since - 1) : drawnNight;
}

function chooseFirstContact(seed: number, ordinal: number, maybeSilent: boolean): Contact {
  return maybeSilent && drawChance(probability.silentAtStart, seed, ordinal, purpose.silence)
    ? { kind: 'silent', since: -1 - drawBelow(longestFirstSilence, seed, ordinal, purpose.silence, 1) }
    : { kind: 'regular' };
}

function drawAppRequest(seed: number, ordinal: number): boolean {
  return drawChance(probability.appRequestedWhereMissing, seed, ordinal, purpose.appRequest);
}

/** Sets the agent's state. In a tenant with frozen states, a device has no row unless its user requested the app. */
export function setWindowsAgent(devices: SimulatedDevices, device: WindowsDevice, agent: WindowsAgentState): void {
  device.agent = devices.frozenStates && !device.appRequested ? windowsAgentStates.nothing : agent;
}

export function createOtherDevice(devices: SimulatedDevices, ordinal: number): OtherDevice {
  return {
    ordinal,
    id: drawGuid(devices.seed, ordinal, purpose.otherDeviceId),
    name: `PHONE-${String(ordinal).padStart(4, '0')}`,
    operatingSystem: otherOperatingSystems[ordinal % otherOperatingSystems.length] ?? 'iOS',
    serialNumber: createSerialNumber(devices.seed, ordinal, 'F9'),
  };
}
