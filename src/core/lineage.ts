/** Which device of the baseline a device of tonight is: by id, or by serial number when it came back under a new id. */
import { machineKey } from './duplicates.ts';
import type { DeviceFacts, Platform } from './facts.ts';
import { byCodePoint } from './order.ts';
import type { ExcludedBecause } from './rules.ts';
import type { KnownDevice, SourceState } from './state.ts';

export interface Tonight {
  readonly source: string;
  readonly platform: Platform;
  readonly facts: DeviceFacts;
  readonly excludedBecause: ExcludedBecause | undefined;
}

export interface Ancestor {
  readonly source: string;
  readonly known: KnownDevice;
  /** The same id as in the baseline; or moved here under a new id; or back under its old id. */
  readonly how: 'same' | 'moved' | 'back';
  /** It had left the picture before, and was reported as removed then. */
  readonly wasAway: boolean;
}

type Candidate = Omit<Ancestor, 'how'>;

export interface Lineage<T> {
  readonly ancestorOf: ReadonlyMap<T, Ancestor>;
  /** `source NUL id` of baseline devices that live on under another id. */
  readonly movedAway: ReadonlySet<string>;
}

/**
 * `compared` names the sources whose reading is complete tonight: only they can lose or gain a device. A carried
 * source's devices are their own ancestors.
 */
export function trace<T extends Tonight>(
  devices: readonly T[],
  states: readonly SourceState[],
  compared: ReadonlySet<string>,
): Lineage<T> {
  const here = new Map(devices.map((device) => [deviceKey(device.source, device.facts.id), device]));
  const known = new Map<string, KnownDevice>();
  const homeless = new Map<string, Candidate[]>();
  const away = new Map<string, KnownDevice>();
  for (const state of states) {
    for (const device of state.departed) {
      away.set(deviceKey(state.name, device.facts.id), device);
      if (compared.has(state.name)) offer(homeless, state, device, true);
    }
    for (const device of state.baseline?.devices ?? []) {
      const key = deviceKey(state.name, device.facts.id);
      known.set(key, device);
      const now = here.get(key);
      const gone = now === undefined || now.excludedBecause === 'superseded';
      if (compared.has(state.name) && gone) offer(homeless, state, device, false);
    }
  }
  const ancestorOf = new Map<T, Ancestor>();
  const movedAway = new Set<string>();
  const orphans: T[] = [];
  for (const device of devices) {
    const key = deviceKey(device.source, device.facts.id);
    const same = known.get(key);
    if (same) ancestorOf.set(device, { source: device.source, known: same, how: 'same', wasAway: false });
    else orphans.push(device);
  }
  for (const device of orphans) {
    const key = deviceKey(device.source, device.facts.id);
    const machine = machineKey(device.platform, device.facts);
    // A record that is itself already replaced is not the machine coming back.
    const candidates =
      machine === undefined || device.excludedBecause === 'superseded' ? [] : (homeless.get(machine) ?? []);
    const candidate = takeBest(candidates, device.source, key);
    if (candidate) {
      const left = deviceKey(candidate.source, candidate.known.facts.id);
      ancestorOf.set(device, { ...candidate, how: left === key ? 'back' : 'moved' });
      movedAway.add(left);
      continue;
    }
    const before = away.get(key);
    if (before) ancestorOf.set(device, { source: device.source, known: before, how: 'back', wasAway: true });
  }
  return { ancestorOf, movedAway };
}

export function deviceKey(source: string, id: string): string {
  return `${source}\u0000${id}`;
}

function offer(homeless: Map<string, Candidate[]>, state: SourceState, known: KnownDevice, wasAway: boolean): void {
  const machine = machineKey(state.platform, known.facts);
  if (machine === undefined) return;
  const ancestor = { source: state.name, known, wasAway };
  const others = homeless.get(machine);
  if (others) others.push(ancestor);
  else homeless.set(machine, [ancestor]);
}

/** Its own old id first, then one of the same source, then the last one listed; each ancestor is taken once. */
function takeBest(candidates: Candidate[], source: string, key: string): Candidate | undefined {
  candidates.sort(
    (left, right) =>
      Number(deviceKey(left.source, left.known.facts.id) === key) -
        Number(deviceKey(right.source, right.known.facts.id) === key) ||
      Number(left.source === source) - Number(right.source === source) ||
      byCodePoint(left.known.facts.id, right.known.facts.id),
  );
  return candidates.pop();
}
