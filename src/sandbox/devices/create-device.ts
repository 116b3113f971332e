/** A machine's first day: everything about it that the seed and its ordinal decide. */

import { type MacAgent, macAgents, neverReported, type WindowsAgent, windowsAgents } from './agent-states.ts';
import { type MacKind, macKind, spacing, type WindowsKind, windowsKind } from './edge-cases.ts';
import type { Contact, Fleet, Mac, OtherDevice, WindowsDevice } from './model.ts';
import { hostileNames, macName, serial, windowsName } from './names.ts';
import { below, guid, purpose, share } from './random.ts';

const macSalt = 101;
const windowsSalt = 202;

function hostileName(position: number): string | undefined {
  const place = position < 250 ? position : position % 1000;
  return place % 28 === 7 ? hostileNames[(place - 7) / 28] : undefined;
}

function writtenAnotherWay(text: string, twin: 'lower-case' | 'spaces' | 'same'): string {
  return twin === 'lower-case' ? text.toLowerCase() : twin === 'spaces' ? ` ${text} ` : text;
}

function serialOf(
  seed: number,
  ordinal: number,
  prefix: string,
  kind: MacKind | WindowsKind | undefined,
): string | null {
  if (kind?.serial !== undefined) {
    return kind.serial;
  }
  if (kind?.twin !== undefined) {
    return writtenAnotherWay(serial(seed, ordinal - spacing, prefix), kind.twin);
  }
  return serial(seed, ordinal, prefix);
}

/** Three in a hundred of the first machines fell silent some time ago, so that some turn stale in the nights to come. */
function firstContact(seed: number, ordinal: number): Contact {
  return share(seed, ordinal, purpose.silence) < 0.03
    ? { kind: 'silent', since: -1 - below(45, seed, ordinal, purpose.silence, 1) }
    : { kind: 'regular' };
}

function plainMacAgent(seed: number, ordinal: number): MacAgent {
  return share(seed, ordinal, purpose.agent) < 0.88 ? macAgents.installed : macAgents.missing;
}

function plainWindowsAgent(seed: number, ordinal: number): WindowsAgent {
  return share(seed, ordinal, purpose.agent) < 0.85 ? windowsAgents.installed : windowsAgents.missing;
}

function takeMacId(fleet: Fleet, ordinal: number): number {
  const id = fleet.nextMacId;
  // Ids on real servers have gaps where devices were deleted.
  fleet.nextMacId += below(5, fleet.seed, ordinal, purpose.gap) === 0 ? 3 : 1;
  return id;
}

export function bearMac(
  fleet: Fleet,
  enrolledNight: number,
  special = false,
  known?: Pick<Mac, 'serial' | 'user' | 'site'>,
): Mac {
  const seed = fleet.seed + macSalt;
  const ordinal = fleet.nextMac;
  fleet.nextMac += 1;
  const kind = special ? macKind(ordinal) : undefined;
  const agent = kind?.agent ?? plainMacAgent(seed, ordinal);
  return {
    ordinal,
    id: takeMacId(fleet, ordinal),
    serial: known === undefined ? serialOf(seed, ordinal, 'C02', kind) : known.serial,
    user: known?.user ?? ordinal,
    site: known?.site ?? (below(2, seed, ordinal, purpose.model, 9) === 0 ? 'headquarters' : 'branch'),
    enrolledNight,
    pinned: kind !== undefined,
    bare: kind?.bare ?? false,
    name: kind?.nameless ? null : ((special && !kind ? hostileName(ordinal) : undefined) ?? macName(seed, ordinal)),
    contact: kind?.contact ?? (special && !kind ? firstContact(seed, ordinal) : { kind: 'regular' }),
    eventNight: enrolledNight,
    managed: !kind?.unmanaged,
    verdict: agent.verdict,
    answer: agent.answer,
  };
}

/** In a tenant with frozen states there is no row, and so no answer, where nobody asked for the app. */
export function equipWindows(fleet: Fleet, device: WindowsDevice, agent: WindowsAgent): void {
  const noRow = fleet.frozenStates && !device.asked;
  device.verdict = noRow ? neverReported : agent.verdict;
  device.rows = noRow ? [] : agent.rows;
}

export function bearWindows(
  fleet: Fleet,
  enrolledNight: number,
  special = false,
  known?: Pick<WindowsDevice, 'serial' | 'user'>,
): WindowsDevice {
  const seed = fleet.seed + windowsSalt;
  const ordinal = fleet.nextWindows;
  fleet.nextWindows += 1;
  const kind = special ? windowsKind(ordinal) : undefined;
  const agent = kind?.agent ?? plainWindowsAgent(seed, ordinal);
  const device: WindowsDevice = {
    ordinal,
    id: guid(seed, ordinal, purpose.guid),
    serial: known === undefined ? serialOf(seed, ordinal, 'PF', kind) : known.serial,
    user: known?.user ?? ordinal,
    owner: kind?.owner ?? 'company',
    agent: kind?.managementAgent ?? 'mdm',
    userless: kind?.userless ?? false,
    enrolledNight,
    pinned: kind !== undefined,
    name: kind?.nameless ? null : ((special && !kind ? hostileName(ordinal) : undefined) ?? windowsName(seed, ordinal)),
    contact: kind?.contact ?? (special && !kind ? firstContact(seed, ordinal) : { kind: 'regular' }),
    eventNight: enrolledNight,
    managementState: kind?.managementState ?? 'managed',
    leavesNight: undefined,
    asked: agent !== windowsAgents.missing || below(2, seed, ordinal, purpose.asked) === 0,
    verdict: agent.verdict,
    rows: agent.rows,
  };
  equipWindows(fleet, device, agent);
  return device;
}

const otherSystems = ['iOS', 'iPadOS', 'Android', 'macOS'] as const;

export function bearOther(fleet: Fleet, ordinal: number): OtherDevice {
  return {
    ordinal,
    id: guid(fleet.seed, ordinal, 303),
    name: `PHONE-${String(ordinal).padStart(4, '0')}`,
    system: otherSystems[ordinal % otherSystems.length] ?? 'iOS',
    serial: serial(fleet.seed, ordinal, 'F9'),
  };
}
