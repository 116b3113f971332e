/** A machine's first day: everything about it that the seed and its ordinal decide. */
import {
  type MacAgentState,
  macAgentStates,
  neverReported,
  type WindowsAgentState,
  windowsAgentStates,
} from './agent-states.ts';
import {
  edgeCaseSpacing,
  findMacEdgeCase,
  findWindowsEdgeCase,
  type MacEdgeCase,
  type WindowsEdgeCase,
} from './edge-cases.ts';
import type { Contact, Mac, OtherDevice, SimulatedDevices, WindowsDevice } from './model.ts';
import { createMacName, createSerialNumber, createWindowsName, hostileNames } from './names.ts';
import { drawBelow, drawFraction, drawGuid, purpose } from './random.ts';

const macSalt = 101;
const windowsSalt = 202;

const otherOperatingSystems = ['iOS', 'iPadOS', 'Android', 'macOS'] as const;

export function createMac(
  devices: SimulatedDevices,
  enrolledNight: number,
  special = false,
  known?: Pick<Mac, 'serialNumber' | 'userOrdinal' | 'site'>,
): Mac {
  const seed = devices.seed + macSalt;
  const ordinal = devices.nextMacOrdinal;
  devices.nextMacOrdinal += 1;
  const kind = special ? findMacEdgeCase(ordinal) : undefined;
  const agent = kind?.agentState ?? drawMacAgentState(seed, ordinal);
  return {
    ordinal,
    id: takeNextMacId(devices, ordinal),
    serialNumber: known === undefined ? chooseSerialNumber(seed, ordinal, 'C02', kind) : known.serialNumber,
    userOrdinal: known?.userOrdinal ?? ordinal,
    site: known?.site ?? (drawBelow(2, seed, ordinal, purpose.model, 9) === 0 ? 'headquarters' : 'branch'),
    enrolledNight,
    isEdgeCase: kind !== undefined,
    neverEnrolled: kind?.neverEnrolled ?? false,
    name: kind?.nameless
      ? null
      : ((special && !kind ? findHostileName(ordinal) : undefined) ?? createMacName(seed, ordinal)),
    contact: kind?.contact ?? (special && !kind ? drawFirstContact(seed, ordinal) : { kind: 'regular' }),
    lastEventNight: enrolledNight,
    managed: !kind?.unmanaged,
    agentTruth: agent.truth,
    attributeEntry: agent.attributeEntry,
  };
}

function drawMacAgentState(seed: number, ordinal: number): MacAgentState {
  return drawFraction(seed, ordinal, purpose.agent) < 0.88 ? macAgentStates.installed : macAgentStates.missing;
}

function takeNextMacId(devices: SimulatedDevices, ordinal: number): number {
  const id = devices.nextMacId;
  // Ids on real servers have gaps where devices were deleted.
  devices.nextMacId += drawBelow(5, devices.seed, ordinal, purpose.gap) === 0 ? 3 : 1;
  return id;
}

function chooseSerialNumber(
  seed: number,
  ordinal: number,
  prefix: string,
  kind: MacEdgeCase | WindowsEdgeCase | undefined,
): string | null {
  if (kind?.serialNumber !== undefined) {
    return kind.serialNumber;
  }
  if (kind?.twin !== undefined) {
    return writeSerialNumberVariant(createSerialNumber(seed, ordinal - edgeCaseSpacing, prefix), kind.twin);
  }
  return createSerialNumber(seed, ordinal, prefix);
}

function writeSerialNumberVariant(text: string, twin: 'lower-case' | 'spaces' | 'same'): string {
  return twin === 'lower-case' ? text.toLowerCase() : twin === 'spaces' ? ` ${text} ` : text;
}

function findHostileName(position: number): string | undefined {
  const place = position < 250 ? position : position % 1000;
  return place % 28 === 7 ? hostileNames[(place - 7) / 28] : undefined;
}

/** Three in a hundred of the first machines fell silent some time ago, so that some turn stale in the nights to come. */
function drawFirstContact(seed: number, ordinal: number): Contact {
  return drawFraction(seed, ordinal, purpose.silence) < 0.03
    ? { kind: 'silent', since: -1 - drawBelow(45, seed, ordinal, purpose.silence, 1) }
    : { kind: 'regular' };
}

export function createWindowsDevice(
  devices: SimulatedDevices,
  enrolledNight: number,
  special = false,
  known?: Pick<WindowsDevice, 'serialNumber' | 'userOrdinal'>,
): WindowsDevice {
  const seed = devices.seed + windowsSalt;
  const ordinal = devices.nextWindowsOrdinal;
  devices.nextWindowsOrdinal += 1;
  const kind = special ? findWindowsEdgeCase(ordinal) : undefined;
  const agent = kind?.agentState ?? drawWindowsAgentState(seed, ordinal);
  const device: WindowsDevice = {
    ordinal,
    id: drawGuid(seed, ordinal, purpose.guid),
    serialNumber: known === undefined ? chooseSerialNumber(seed, ordinal, 'PF', kind) : known.serialNumber,
    userOrdinal: known?.userOrdinal ?? ordinal,
    owner: kind?.owner ?? 'company',
    managementAgent: kind?.managementAgent ?? 'mdm',
    userless: kind?.userless ?? false,
    enrolledNight,
    isEdgeCase: kind !== undefined,
    name: kind?.nameless
      ? null
      : ((special && !kind ? findHostileName(ordinal) : undefined) ?? createWindowsName(seed, ordinal)),
    contact: kind?.contact ?? (special && !kind ? drawFirstContact(seed, ordinal) : { kind: 'regular' }),
    lastEventNight: enrolledNight,
    managementState: kind?.managementState ?? 'managed',
    removalNight: undefined,
    appRequested: agent !== windowsAgentStates.missing || drawBelow(2, seed, ordinal, purpose.asked) === 0,
    agentTruth: agent.truth,
    stateRows: agent.stateRows,
  };
  setWindowsAgent(devices, device, agent);
  return device;
}

function drawWindowsAgentState(seed: number, ordinal: number): WindowsAgentState {
  return drawFraction(seed, ordinal, purpose.agent) < 0.85 ? windowsAgentStates.installed : windowsAgentStates.missing;
}

/** In a tenant with frozen states there is no row, and so no answer, where nobody asked for the app. */
export function setWindowsAgent(devices: SimulatedDevices, device: WindowsDevice, agent: WindowsAgentState): void {
  const noRow = devices.frozenStates && !device.appRequested;
  device.agentTruth = noRow ? neverReported : agent.truth;
  device.stateRows = noRow ? [] : agent.stateRows;
}

export function createOtherDevice(devices: SimulatedDevices, ordinal: number): OtherDevice {
  return {
    ordinal,
    id: drawGuid(devices.seed, ordinal, 303),
    name: `PHONE-${String(ordinal).padStart(4, '0')}`,
    operatingSystem: otherOperatingSystems[ordinal % otherOperatingSystems.length] ?? 'iOS',
    serialNumber: createSerialNumber(devices.seed, ordinal, 'F9'),
  };
}
