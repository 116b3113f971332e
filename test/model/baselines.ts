/** Looking back: a source's baseline, the record that a device was before, and since when it is Not Installed. */
import { isBlank, isCounted, type ModelNight, type Past, type Row } from './rows.ts';
import { type DeviceRecord, filterSameMachine, isNewer, isSharedSerial } from './serial-numbers.ts';

/** The published nights in which this source was in the settings without a gap, newest first. */
function listNights(past: Past, name: string): ModelNight[] {
  const nights: ModelNight[] = [];
  for (const attempts of [...past].reverse()) {
    const night = attempts.at(-1);
    if (night === undefined || !night.sources.some(({ facts }) => facts.name === name)) {
      return nights;
    }
    nights.push(night);
  }
  return nights;
}

/** Its complete and partial nights, newest first; the first is the baseline. */
export function listBaselines(past: Past, name: string): ModelNight[] {
  return listNights(past, name).filter((night) => isWholeNight(night, name));
}

function isWholeNight(night: ModelNight, name: string): boolean {
  return ['complete', 'partial'].includes(findSoundness(night, name) ?? '');
}

/** What a baseline holds of a source: not the devices of which it knows the id alone. */
export function listBaselineRows(baseline: ModelNight | undefined, name: string): Row[] {
  return baseline?.rows.filter((row) => row.source === name && !isBlank(row)) ?? [];
}

function findSoundness(night: ModelNight, name: string): string | undefined {
  return night.sources.find(({ facts }) => facts.name === name)?.soundness;
}

/** A device as a baseline knows it. */
export interface KnownDevice {
  row: Row;
  /** 0 is the baseline itself, 1 the one before it, and so on. */
  age: number;
  /** The slot of the baseline that missed it first; of one that is in the baseline, later than any. */
  leftOn: string;
}

/** Every device that a source ever had in a baseline, as it was there last. */
export function listKnownDevices(past: Past, name: string): KnownDevice[] {
  const known: KnownDevice[] = [];
  const baselines = listBaselines(past, name);
  for (const [age, night] of baselines.entries()) {
    const leftOn = baselines[age - 1]?.facts.slot ?? 'not yet';
    for (const row of listBaselineRows(night, name)) {
      if (!known.some((one) => one.row.facts.id === row.facts.id)) {
        known.push({ row, age, leftOn });
      }
    }
  }
  return known;
}

/** What a device was before tonight, if it was known; `isMove` when it was known under another id. */
export interface Predecessor {
  known: KnownDevice;
  isMove: boolean;
}

export function findPredecessor(
  row: Row,
  tonight: readonly Row[],
  known: readonly KnownDevice[],
  taken: readonly Predecessor[],
  moment: number,
  staleAfterDays: number,
): Predecessor | undefined {
  const same = known.find((one) => isSameRecord(one.row, row));
  if (same?.age === 0) {
    return { known: same, isMove: false };
  }
  const free = known.filter((one) => !taken.some((other) => other.known === one));
  const from = findMove(row, tonight, known, free, moment, staleAfterDays);
  // A device that is back under its old id is new, and goes on from what its machine was last, under whatever id.
  const isItself = same !== undefined && filterSameMachine([same.row], row.facts).length > 0;
  if (from !== undefined && (!isItself || from.leftOn > same.leftOn)) {
    return { known: from, isMove: !isItself || from.age === 0 };
  }
  return same === undefined ? undefined : { known: same, isMove: false };
}

/** A complete night after its baseline has reported that its machine went on in another source. */
export function hasGoneOnElsewhere(old: Row, past: Past, tonight: readonly Row[]): boolean {
  const listed = tonight.find((row) => isSameRecord(row, old));
  if (listed !== undefined && !listed.isSuperseded) {
    return false;
  }
  const slot = listBaselines(past, old.source)[0]?.facts.slot ?? '';
  return past.some((attempts) => {
    const night = attempts.at(-1);
    return (
      night !== undefined &&
      night.facts.slot > slot &&
      night.moves.some(
        ({ from, to }) => isSameRecord(from, old) && isWholeNight(night, to) && listNights(past, to).includes(night),
      )
    );
  });
}

/** Known records of the machine that are gone tonight, or have a newer one. */
function listReplaced(device: Row, tonight: readonly Row[], known: readonly KnownDevice[]): KnownDevice[] {
  return known.filter(({ row }) => {
    const listed = tonight.find((other) => isSameRecord(other, row));
    return filterSameMachine([row], device.facts).length > 0 && (listed === undefined || listed.isSuperseded);
  });
}

/** Those of them that are not among tonight's records of the machine, as they were last known. */
function listGone(replaced: readonly KnownDevice[], machine: readonly Row[]): DeviceRecord[] {
  return replaced
    .filter(({ row }) => !machine.some((other) => isSameRecord(other, row)))
    .map(({ row }) => ({ ...row, isGone: true }));
}

/** The record of the same machine that is gone, or that has a newer record now: the best of them. */
function findMove(
  row: Row,
  tonight: readonly Row[],
  known: readonly KnownDevice[],
  free: readonly KnownDevice[],
  moment: number,
  staleAfterDays: number,
): KnownDevice | undefined {
  if (row.isSuperseded) {
    return undefined;
  }
  const machine = filterSameMachine(tonight, row.facts);
  const replaced = listReplaced(row, tonight, known).filter((one) => !isSameRecord(one.row, row));
  if (isSharedSerial([...machine, ...listGone(replaced, machine)], moment, staleAfterDays)) {
    return undefined;
  }
  const candidates = replaced.filter((one) => free.includes(one));
  return candidates.find((one) =>
    candidates.every((other) => other === one || isBetterCandidate(one, other, row.source)),
  );
}

/** The one that left last; then one that was counted, one of the same source, and the newest. */
function isBetterCandidate(one: KnownDevice, other: KnownDevice, source: string): boolean {
  if (one.leftOn !== other.leftOn) {
    return one.leftOn > other.leftOn;
  }
  const rank = ({ row }: KnownDevice) => 2 * Number(!isCounted(row)) + Number(row.source !== source);
  return rank(one) === rank(other) ? isNewer(one.row, other.row) : rank(one) < rank(other);
}

export function isSameRecord(left: Pick<Row, 'source' | 'facts'>, right: Pick<Row, 'source' | 'facts'>): boolean {
  return left.source === right.source && left.facts.id === right.facts.id;
}

/**
 * A slot, read "at least since": as the baseline says, unless a suspect night showed it Installed after that; otherwise
 * the first of the latest nights that showed it Not Installed. Carried nights show nothing of tonight.
 */
export function findSince(
  past: Past,
  row: Pick<Row, 'source' | 'facts' | 'status'>,
  predecessor: Predecessor | undefined,
  slot: string,
): string | undefined {
  if (row.status === 'Installed') {
    return undefined;
  }
  const old = predecessor?.known.row;
  const shown = listShown(past, row, old);
  const wasShownInstalled = shown.some((one) => one.status === 'Installed' && one.soundness === 'suspect');
  if (old?.status === 'Not Installed' && !wasShownInstalled) {
    return old.since;
  }
  let since = slot;
  for (const one of shown) {
    if (one.status !== 'Not Installed') {
      return since;
    }
    since = one.slot;
  }
  return since;
}

interface Shown {
  slot: string;
  soundness: string | undefined;
  /** Undefined where it was not there. */
  status: Row['status'] | undefined;
}

/** How suspect and untrusted nights since the baseline showed a device, newest first. */
function listShown(past: Past, row: Pick<Row, 'source' | 'facts'>, old: Row | undefined): Shown[] {
  const own = listRecordNights(past, row);
  if (old === undefined || isSameRecord(old, row)) {
    return own;
  }
  // Before its first night it is the record whose place it took.
  const first = own.findLast(({ status }) => status !== undefined);
  const replaced = listRecordNights(past, old);
  return first === undefined
    ? replaced
    : [...own.slice(0, own.indexOf(first) + 1), ...replaced.filter(({ slot }) => slot < first.slot)];
}

function listRecordNights(past: Past, record: Pick<Row, 'source' | 'facts'>): Shown[] {
  const nights = listNights(past, record.source);
  const baseline = nights.findIndex((night) => isWholeNight(night, record.source));
  return nights.slice(0, baseline === -1 ? nights.length : baseline).flatMap((night): Shown[] => {
    const soundness = findSoundness(night, record.source);
    const { status } = night.rows.find((one) => isSameRecord(one, record)) ?? { status: undefined };
    const isOfThatNight = soundness === 'suspect' || soundness === 'untrusted';
    return isOfThatNight ? [{ slot: night.facts.slot, soundness, status }] : [];
  });
}
