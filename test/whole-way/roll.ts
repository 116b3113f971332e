/**
 * What two nights' truths say should be reported, written from the design's words alone: it shares nothing with the
 * core, so that both can be wrong only in different ways.
 */
import type { Sandbox } from '../../simulator/sandbox.ts';
import { momentOf, type Row } from './way.ts';

export type Truth = ReturnType<Sandbox['truth']>[number];

/** A device as one night knew it, with since when it has been Not Installed. */
interface Known {
  readonly truth: Truth;
  readonly since: string;
}

export interface Roll {
  readonly devices: ReadonlyMap<string, Known>;
  /** Devices that left the picture, each as it was last known. */
  readonly away: ReadonlyMap<string, Known>;
}

export interface Expected {
  readonly roll: Roll;
  readonly changes: readonly string[];
  /** `source id status`: who came into that half of the picture, and who went. */
  readonly joined: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

const keyOf = ({ source, device_id }: Pick<Truth, 'source' | 'device_id'>): string => `${source} ${device_id}`;
/** Folded: the placeholders of the simulated devices. */
const notSerials = /^(.{0,4}|(.)\2*|0123456789|systemserialnumber|tobefilledbyoem|defaultstring|virtualmachine)$/;

/** What several machines have, or no machine, says of none which it is. */
function machineOf(truth: Truth): string | undefined {
  const serial = truth.serial_number.toLowerCase().replace(/[^a-z0-9]/g, '');
  return notSerials.test(serial) || truth.shares_serial ? undefined : `${truth.source} ${serial}`;
}

export function changeLine(row: Row): string {
  const { source, device_id, change, from_status, to_status, reason } = row;
  return [source, device_id, change, from_status, to_status, reason].join(' | ');
}

/** Compares a night with the one that it is to be compared with; `before` is undefined on a first night. */
export function compare(before: Roll | undefined, truths: readonly Truth[], slot: string): Expected {
  const now = new Map(truths.map((truth) => [keyOf(truth), truth]));
  const known = before?.devices ?? new Map<string, Known>();
  const away = new Map(before?.away);
  const homeless = new Map<string, string[]>();
  const offer = (key: string, { truth }: Known) => {
    const machine = machineOf(truth);
    if (machine !== undefined) {
      homeless.set(machine, [...(homeless.get(machine) ?? []), key]);
    }
  };
  for (const [key, device] of away) {
    offer(key, device);
  }
  for (const [key, device] of known) {
    const tonight = now.get(key);
    if (tonight === undefined || tonight.excluded_because === 'superseded') {
      offer(key, device);
    }
  }

  const lines: string[] = [];
  const joined = new Set<string>();
  const left = new Set<string>();
  const devices = new Map<string, Known>();
  const movedFrom = new Set<string>();
  const say = (truth: Truth, change: string, from: string, to: string, reason: string) =>
    lines.push([truth.source, truth.device_id, change, from, to, reason].join(' | '));

  for (const [key, truth] of now) {
    let past = known.get(key);
    let how: 'same' | 'moved' | 'new' = past === undefined ? 'new' : 'same';
    const machine = machineOf(truth);
    if (past === undefined && machine !== undefined && truth.excluded_because !== 'superseded') {
      const old = (homeless.get(machine) ?? []).find((candidate) => candidate !== key);
      if (old !== undefined) {
        past = known.get(old) ?? away.get(old);
        how = 'moved';
        movedFrom.add(old);
      }
    }
    if (how === 'new') {
      past = away.get(key);
    }
    const since = past?.truth.status === 'Not Installed' && truth.status === 'Not Installed' ? past.since : slot;
    devices.set(key, { truth, since });
    if (before === undefined) {
      continue;
    }
    const old = past === undefined ? '' : keyOf(past.truth);
    // Where the old record of a machine is still listed, it keeps its place, and the new one joins.
    const stayed = known.has(old) && (how === 'same' || !now.has(old));
    if (!stayed || past?.truth.status !== truth.status) {
      joined.add(`${key} ${truth.status}`);
    }
    if (stayed && past !== undefined && past.truth.status !== truth.status) {
      left.add(`${key} ${past.truth.status}`);
    }
    if (how === 'new') {
      const change = truth.status === 'Installed' ? 'new-installed' : 'new-not-installed';
      if (truth.counted) {
        say(truth, change, '', truth.status, truth.reason);
      }
      continue;
    }
    if (past === undefined) {
      continue;
    }
    const was = past.truth;
    if (how === 'moved') {
      say(truth, 'moved', was.status, truth.status, truth.reason);
    }
    if (was.counted && truth.counted && was.status !== truth.status) {
      say(truth, truth.status === 'Installed' ? 'recovered' : 'lost', was.status, truth.status, truth.reason);
    }
    if (was.counted && !truth.counted) {
      say(truth, 'excluded', was.status, truth.status, truth.excluded_because);
    }
    if (!was.counted && truth.counted) {
      say(truth, 'included', was.status, truth.status, was.excluded_because);
    }
  }
  for (const [key, device] of known) {
    if (now.has(key)) {
      continue;
    }
    if (!movedFrom.has(key)) {
      left.add(`${key} ${device.truth.status}`);
      if (device.truth.counted) {
        say(device.truth, 'removed', device.truth.status, '', device.truth.reason);
      }
    }
    away.set(key, device);
  }
  for (const key of devices.keys()) {
    away.delete(key);
  }
  // The old record of a machine that came back under a new id has its story told there.
  const told = new Set([...movedFrom].filter((key) => now.has(key)).map((key) => key.replace(' ', ' | ')));
  const changes = lines.filter((line) => ![...told].some((start) => line.startsWith(`${start} | `)));
  return { roll: { devices, away }, changes: changes.sort(), joined, left };
}

const columns = [
  ...(['source', 'device_id', 'status', 'reason', 'proven', 'stale', 'counted', 'excluded_because'] as const),
  ...(['last_seen_at', 'enrolled_at'] as const),
] as const;

/** The columns of devices.csv that the truth knows. */
export function deviceLine(row: Row): string {
  return columns.map((column) => row[column]).join(' | ');
}

export function truthLines(truths: readonly Truth[]): string[] {
  return truths.map((truth) => columns.map((column) => truth[column]).join(' | ')).sort();
}

export function truthAt(sandbox: Sandbox, slot: string): Truth[] {
  return sandbox.truth(momentOf(slot));
}
