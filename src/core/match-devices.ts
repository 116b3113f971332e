/** Which device of the baseline a device of tonight is: by id, or by serial number when it came back under a new id. */
import { machineKey } from './duplicates.ts';
import type { DeviceFacts } from './facts.ts';
import { byCodePoint, byId } from './order.ts';
import type { Departed, KnownDevice, SourceState } from './state.ts';

export interface Tonight {
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly counted: boolean;
  /** A newer record of the same machine took its place. */
  readonly replaced: boolean;
}

export interface Ancestor {
  readonly source: string;
  readonly known: KnownDevice;
  /** The same id as in the baseline; or moved here under a new id; or back under its old id. */
  readonly how: 'same' | 'moved' | 'back';
  /** It had left the picture before, and was reported as removed then. */
  readonly wasAway: boolean;
}

/** What the last nights left of a source. */
export interface Past {
  readonly state: SourceState;
  /** Asked tonight; a source that was taken out of the settings is not, and its devices may turn up elsewhere. */
  readonly asked: boolean;
}

interface Candidate {
  readonly source: string;
  readonly known: KnownDevice | Departed;
  readonly wasAway: boolean;
}

export interface Lineage<T> {
  readonly ancestorOf: ReadonlyMap<T, Ancestor>;
  /** `deviceKey` of devices that live on under another id: nothing is told of the old one. */
  readonly movedAway: ReadonlySet<string>;
}

export function trace<T extends Tonight>(devices: readonly T[], pasts: readonly Past[]): Lineage<T> {
  const here = new Map(devices.map((device) => [deviceKey(device.source, device.facts.id), device]));
  const ancestorOf = new Map<T, Ancestor>();
  const away = new Map<string, KnownDevice>();
  const homeless = new Map<string, Candidate[]>();
  for (const { state, asked } of pasts) {
    const { name: source } = state;
    const offer = (known: KnownDevice, wasAway: boolean) => {
      const machine = machineKey(known.facts);
      if (machine !== undefined) push(homeless, machine, { source, known, wasAway });
    };
    for (const known of state.baseline?.devices ?? []) {
      const now = asked ? here.get(deviceKey(source, known.facts.id)) : undefined;
      if (now) ancestorOf.set(now, { source, known, how: 'same', wasAway: false });
      // Of a carried source nothing is absent: its rows tonight are its baseline's.
      if (now === undefined || now.replaced) offer(known, false);
    }
    for (const known of state.departed) {
      if (asked) away.set(deviceKey(source, known.facts.id), known);
      offer(known, true);
    }
  }
  const movedAway = new Set<string>();
  const newcomers = devices.filter((device) => !ancestorOf.has(device)).sort(byClaim);
  for (const device of newcomers) {
    const key = deviceKey(device.source, device.facts.id);
    // A record that is itself already replaced is not the machine coming back.
    const candidate = device.replaced ? undefined : takeBest(homeless.get(machineOf(device)) ?? [], device);
    const before = away.get(key);
    if (candidate) {
      const old = deviceKey(candidate.source, candidate.known.facts.id);
      const { source, known, wasAway } = candidate;
      ancestorOf.set(device, { source, known, wasAway, how: old === key ? 'back' : 'moved' });
      movedAway.add(old);
    } else if (before) {
      ancestorOf.set(device, { source: device.source, known: before, how: 'back', wasAway: true });
    }
  }
  for (const key of toldBefore(devices, ancestorOf, homeless)) movedAway.add(key);
  return { ancestorOf, movedAway };
}

export function deviceKey(source: string, id: string): string {
  return `${source}\u0000${id}`;
}

/** Whether a device was in that source's baseline, under this id or an older one. */
export function wasIn(source: string, ancestor: Ancestor | undefined): ancestor is Ancestor {
  return ancestor?.source === source && !ancestor.wasAway;
}

/**
 * Two baselines of different nights can both count one machine: it moved while the source that it left gave none. It
 * was told as moved then, so it is no removal now.
 */
function toldBefore<T extends Tonight>(
  devices: readonly T[],
  ancestorOf: ReadonlyMap<T, Ancestor>,
  homeless: ReadonlyMap<string, readonly Candidate[]>,
): string[] {
  const keys: string[] = [];
  for (const device of devices) {
    const ancestor = ancestorOf.get(device);
    if (ancestor?.how !== 'same' || !ancestor.known.counted) continue;
    for (const { source, known, wasAway } of homeless.get(machineOf(device)) ?? []) {
      if (!wasAway && known !== ancestor.known) keys.push(deviceKey(source, known.facts.id));
    }
  }
  return keys;
}

/** Of two newcomers that are the same machine, the one that is counted comes first. */
function byClaim(left: Tonight, right: Tonight): number {
  return (
    Number(right.counted) - Number(left.counted) ||
    byCodePoint(left.source, right.source) ||
    byCodePoint(left.facts.id, right.facts.id)
  );
}

/** The latest home first: one that is left tonight and was counted, then the last one left; each is taken once. */
function takeBest(candidates: Candidate[], device: Tonight): Candidate | undefined {
  const isOwn = ({ source, known }: Candidate) => source === device.source && known.facts.id === device.facts.id;
  candidates.sort(
    (left, right) =>
      Number(right.wasAway) - Number(left.wasAway) ||
      Number(left.known.counted) - Number(right.known.counted) ||
      Number(isOwn(left)) - Number(isOwn(right)) ||
      byCodePoint(leftOn(left), leftOn(right)) ||
      Number(left.source === device.source) - Number(right.source === device.source) ||
      byId(left.known.facts.id, right.known.facts.id) ||
      byCodePoint(left.source, right.source),
  );
  return candidates.pop();
}

function leftOn({ known }: Candidate): string {
  return 'leftOn' in known ? known.leftOn : '';
}

function machineOf(device: Tonight): string {
  return machineKey(device.facts) ?? '';
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
