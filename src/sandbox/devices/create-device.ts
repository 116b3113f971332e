/** Enrolls a device: everything about it that the seed and its ordinal decide. */
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
  Mac,
  MacAgentState,
  MacContact,
  OtherDevice,
  SimulatedDevices,
  WindowsAgentState,
  WindowsDevice,
} from './model.ts';
import { createMacName, createSerialNumber, createWindowsName } from './names.ts';
import { probability } from './probabilities.ts';
import { drawBelow, drawChance, drawGuid, purpose, salt } from './random.ts';

interface Enrollment<Known> {
  /** One of the first devices: it may be an edge case, have a hostile name, or be silent already. */
  readonly initial?: boolean;
  /** The record of the same device under its earlier id. */
  readonly replaces?: Known;
}

const longestFirstSilence = 45;
const otherOperatingSystems = ['iOS', 'iPadOS', 'Android', 'macOS'] as const;

export function createMac(
  devices: SimulatedDevices,
  drawnNight: number,
  { initial = false, replaces }: Enrollment<Mac> = {},
): Mac {
  const seed = devices.seed + salt.macEnrollment;
  const ordinal = devices.nextMacOrdinal;
  devices.nextMacOrdinal += 1;
  const edgeCase = initial ? findMacEdgeCase(ordinal) : undefined;
  const isOrdinary = initial && edgeCase === undefined;
  const contact = edgeCase?.contact ?? (isOrdinary ? drawFirstContact(seed, ordinal) : { kind: 'regular' });
  const enrolledNight = edgeCase?.enrolledNight ?? chooseEnrolledNight(drawnNight, contact);
  const agent = edgeCase?.agent ?? drawMacAgent(seed, ordinal);
  return {
    ordinal,
    id: takeNextMacId(devices, ordinal),
    serialNumber: replaces === undefined ? chooseSerialNumber(seed, ordinal, 'C02', edgeCase) : replaces.serialNumber,
    userOrdinal: replaces?.userOrdinal ?? ordinal,
    // An account that is limited to headquarters finds the canaries too.
    site: edgeCase?.canary ? 'headquarters' : (replaces?.site ?? drawSite(seed, ordinal)),
    canary: edgeCase?.canary ? agent.truth.status : undefined,
    enrolledNight,
    enrollmentDate: edgeCase?.enrollmentDate ?? 'known',
    isEdgeCase: edgeCase !== undefined,
    neverEnrolled: edgeCase?.neverEnrolled ?? false,
    name: edgeCase?.nameless
      ? null
      : ((isOrdinary ? findHostileName(ordinal) : undefined) ?? createMacName(seed, ordinal)),
    contact,
    replaced: false,
    lastEventNight: enrolledNight,
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

function drawMacAgent(seed: number, ordinal: number): MacAgentState {
  const hasAgent = drawChance(probability.macHasAgent, seed, ordinal, purpose.agent);
  return hasAgent ? macAgentStates.installed : macAgentStates.missing;
}

export function createWindowsDevice(
  devices: SimulatedDevices,
  drawnNight: number,
  { initial = false, replaces }: Enrollment<WindowsDevice> = {},
): WindowsDevice {
  const seed = devices.seed + salt.windowsEnrollment;
  const ordinal = devices.nextWindowsOrdinal;
  devices.nextWindowsOrdinal += 1;
  const edgeCase = initial ? findWindowsEdgeCase(ordinal) : undefined;
  const isOrdinary = initial && edgeCase === undefined;
  const contact = edgeCase?.contact ?? (isOrdinary ? drawFirstContact(seed, ordinal) : { kind: 'regular' });
  const enrolledNight = edgeCase?.enrolledNight ?? chooseEnrolledNight(drawnNight, contact);
  const agent = edgeCase?.agent ?? drawWindowsAgent(seed, ordinal);
  const device: WindowsDevice = {
    ordinal,
    id: drawGuid(seed, ordinal, purpose.windowsDeviceId),
    serialNumber: replaces === undefined ? chooseSerialNumber(seed, ordinal, 'PF', edgeCase) : replaces.serialNumber,
    userOrdinal: replaces?.userOrdinal ?? ordinal,
    owner: edgeCase?.owner ?? 'company',
    managementAgent: edgeCase?.managementAgent ?? 'mdm',
    userless: edgeCase?.userless ?? false,
    enrolledNight,
    enrollmentDate: edgeCase?.enrollmentDate ?? 'known',
    isEdgeCase: edgeCase !== undefined,
    name: edgeCase?.nameless
      ? null
      : ((isOrdinary ? findHostileName(ordinal) : undefined) ?? createWindowsName(seed, ordinal)),
    contact,
    replaced: false,
    lastEventNight: enrolledNight,
    managementState: edgeCase?.managementState ?? 'managed',
    removalNight: undefined,
    appRequested: agent !== windowsAgentStates.missing || drawAppRequest(seed, ordinal),
    agent,
  };
  setWindowsAgent(devices, device, agent);
  return device;
}

function drawWindowsAgent(seed: number, ordinal: number): WindowsAgentState {
  const hasAgent = drawChance(probability.windowsDeviceHasAgent, seed, ordinal, purpose.agent);
  return hasAgent ? windowsAgentStates.installed : windowsAgentStates.missing;
}

function chooseSerialNumber(
  seed: number,
  ordinal: number,
  prefix: string,
  edgeCase: MacEdgeCase | WindowsEdgeCase | undefined,
): string | null {
  if (edgeCase?.serialNumber !== undefined) {
    return edgeCase.serialNumber;
  }
  if (edgeCase?.duplicate !== undefined) {
    return respellSerialNumber(createSerialNumber(seed, ordinal - edgeCaseSpacing, prefix), edgeCase.duplicate);
  }
  return createSerialNumber(seed, ordinal, prefix);
}

function respellSerialNumber(serialNumber: string, spelling: SerialNumberSpelling): string {
  switch (spelling) {
    case 'lower-case':
      return serialNumber.toLowerCase();
    case 'with-spaces':
      return ` ${serialNumber} `;
    case 'with-hyphens':
      return `${serialNumber.slice(0, 3)}-${serialNumber.slice(3, 7)}-${serialNumber.slice(7)}`;
    case 'same':
      return serialNumber;
  }
}

/** A silent device was enrolled before it fell silent. */
function chooseEnrolledNight(drawnNight: number, contact: MacContact): number {
  return 'since' in contact ? Math.min(drawnNight, contact.since - 1) : drawnNight;
}

function drawFirstContact(seed: number, ordinal: number): Contact {
  return drawChance(probability.silentAtStart, seed, ordinal, purpose.silence)
    ? { kind: 'silent', since: -1 - drawBelow(longestFirstSilence, seed, ordinal, purpose.silence, 1) }
    : { kind: 'regular' };
}

function drawAppRequest(seed: number, ordinal: number): boolean {
  return drawChance(probability.appRequestedWhereMissing, seed, ordinal, purpose.appRequest);
}

/** In a tenant with frozen states a device has no row where no user requested the app. */
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
