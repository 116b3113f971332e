/** What changed since the baseline: rows that together explain why the count and its two halves are what they are. */

import type { Change, JudgedDevice } from './judged.ts';
import { type Ancestor, deviceKey } from './match-devices.ts';
import { byCodePoint } from './order.ts';
import type { KnownDevice, SourceState } from './state.ts';
import { type ChangeKind, changeKinds } from './vocabulary.ts';

/** The change rows of one source that has a baseline and answered completely. */
export function changesOf(
  state: SourceState,
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>,
  movedAway: ReadonlySet<string>,
): Change[] {
  // Of a machine that moved, the story is told under the id that it came back with.
  const livesOn = (id: string) => movedAway.has(deviceKey(state.name, id));
  const changes = devices.flatMap((device) => {
    const ancestor = ancestorOf.get(device);
    if (ancestor?.how === 'same' && livesOn(device.facts.id)) return [];
    return kindsOf(device, ancestor).map((kind) => row(kind, device, ancestor?.known));
  });
  const present = new Set(devices.map((device) => device.facts.id));
  for (const known of state.baseline?.devices ?? []) {
    const { id } = known.facts;
    if (known.counted && !present.has(id) && !livesOn(id)) changes.push(removal(state, known));
  }
  return changes.sort(
    (left, right) =>
      byCodePoint(left.device.id, right.device.id) || changeKinds.indexOf(left.kind) - changeKinds.indexOf(right.kind),
  );
}

function kindsOf(device: JudgedDevice, ancestor: Ancestor | undefined): ChangeKind[] {
  // The same id back after it was reported as removed is new again, with its old history.
  if (ancestor === undefined || ancestor.how === 'back') {
    if (!device.counted) return [];
    return [device.status === 'Installed' ? 'new-installed' : 'new-not-installed'];
  }
  const before = ancestor.known;
  const wasCounted = before.counted && !ancestor.wasAway;
  const kinds: ChangeKind[] = [];
  if (ancestor.how === 'moved' && (wasCounted || device.counted)) kinds.push('moved');
  if (wasCounted && !device.counted) kinds.push('excluded');
  if (!before.counted && device.counted) kinds.push('included');
  if (before.counted && device.counted && before.status !== device.status) {
    kinds.push(device.status === 'Installed' ? 'recovered' : 'lost');
  }
  return kinds;
}

function row(kind: ChangeKind, device: JudgedDevice, before: KnownDevice | undefined): Change {
  const isNew = kind === 'new-installed' || kind === 'new-not-installed';
  return {
    source: device.source,
    platform: device.platform,
    device: device.facts,
    kind,
    from: isNew ? undefined : before?.status,
    to: device.status,
    reason: reasonOf(kind, device, before),
  };
}

/** For a device that left or entered the count: why it is, or was, not counted. */
function reasonOf(kind: ChangeKind, device: JudgedDevice, before: KnownDevice | undefined): Change['reason'] {
  if (kind === 'excluded') return device.excludedBecause ?? device.reason;
  if (kind === 'included') return before?.excludedBecause ?? device.reason;
  return device.reason;
}

function removal({ name }: SourceState, known: KnownDevice): Change {
  const { facts: device, status: from, reason } = known;
  return { source: name, platform: device.platform, device, kind: 'removed', from, to: undefined, reason };
}
