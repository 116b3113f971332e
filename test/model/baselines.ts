/** Looking back: a source's baseline, the record that a device was before, and since when it is Not Installed. */
import type { Facts } from '../../src/core/facts.ts';
import type { ModelNight, Past, Row } from './rows.ts';
import {
  type DeviceRecord,
  isNewer,
  isRetiring,
  isSameMachine,
  isSharedSerial,
  isUnmanaged,
} from './serial-numbers.ts';

/** The published nights in which this source was in the settings without a gap, newest first. */
export function listNights(past: Past, name: string): ModelNight[] {
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

/** Its complete nights, newest first; the first is the baseline. */
export function listBaselines(past: Past, name: string): ModelNight[] {
  return listNights(past, name).filter((night) => findSoundness(night, name) === 'complete');
}

export function findSoundness(night: ModelNight, name: string): string | undefined {
  return night.sources.find(({ facts }) => facts.name === name)?.soundness;
}

/** A device as a baseline knows it. */
export interface KnownDevice {
  row: Row;
  record: DeviceRecord;
  /** 0 is the baseline itself, 1 the one before it, and so on. */
  age: number;
}

/** Every device that a source ever had in a baseline, as it was there last. */
export function listKnownDevices(past: Past, name: string): KnownDevice[] {
  const known: KnownDevice[] = [];
  for (const [age, night] of listBaselines(past, name).entries()) {
    for (const row of night.rows) {
      if (row.source === name && !known.some((one) => one.row.facts.id === row.facts.id)) {
        known.push({ row, record: makeRecord(row, night.facts), age });
      }
    }
  }
  return known;
}

export function makeRecord(row: Pick<Row, 'source' | 'kind' | 'facts'>, facts: Facts): DeviceRecord {
  const ended = facts.sources.find(({ name }) => name === row.source)?.receipt.ended ?? facts.moment;
  return { source: row.source, kind: row.kind, facts: row.facts, readUntil: Date.parse(ended) };
}

/** What a device was before tonight, if it was known; `isMove` when it was known under another id. */
export interface Predecessor {
  known: KnownDevice;
  isMove: boolean;
}

export function findPredecessor(
  record: DeviceRecord,
  tonight: readonly DeviceRecord[],
  known: readonly KnownDevice[],
  moment: number,
  staleAfterDays: number,
): Predecessor | undefined {
  const same = known.find(({ row }) => row.source === record.source && row.facts.id === record.facts.id);
  if (same?.age === 0) {
    return { known: same, isMove: false };
  }
  const from = findMove(record, tonight, known, moment, staleAfterDays);
  if (from !== undefined) {
    return { known: from, isMove: true };
  }
  return same === undefined ? undefined : { known: same, isMove: false };
}

/** The record of the same machine that is gone, or that has a newer record now: the latest of them. */
function findMove(
  record: DeviceRecord,
  tonight: readonly DeviceRecord[],
  known: readonly KnownDevice[],
  moment: number,
  staleAfterDays: number,
): KnownDevice | undefined {
  const machine = tonight.filter(({ facts }) => isSameMachine(facts, record.facts));
  if (machine.some((other) => other !== record && isEligible(other) && isNewer(other, record))) {
    return undefined;
  }
  const candidates = known.filter((one) => {
    if (!isSameMachine(one.row.facts, record.facts) || isSameRecord(one.record, record)) {
      return false;
    }
    const listed = tonight.find((other) => isSameRecord(other, one.record));
    const isReplaced =
      listed === undefined || (machine.includes(listed) && isEligible(record) && isNewer(record, listed));
    const records = listed === undefined ? [...machine, one.record] : machine;
    return isReplaced && !isSharedSerial(records, moment, staleAfterDays);
  });
  return candidates.find((one) =>
    candidates.every(
      (other) => other === one || one.age < other.age || (one.age === other.age && isNewer(one.record, other.record)),
    ),
  );
}

function isEligible({ facts, kind }: DeviceRecord): boolean {
  return !isUnmanaged(facts, kind) && !isRetiring(facts, kind);
}

function isSameRecord(left: DeviceRecord, right: DeviceRecord): boolean {
  return left.source === right.source && left.facts.id === right.facts.id;
}

/** A slot, read "at least since". Nights without tonight's answers do not end it. */
export function findSince(
  past: Past,
  row: Pick<Row, 'source' | 'facts' | 'status'>,
  predecessor: Predecessor | undefined,
  slot: string,
): string | undefined {
  if (row.status === 'Installed') {
    return undefined;
  }
  if (predecessor?.known.row.status === 'Not Installed') {
    return predecessor.known.row.since;
  }
  let since = slot;
  for (const night of listNights(past, row.source)) {
    const soundness = findSoundness(night, row.source);
    if (soundness === 'complete') {
      return since;
    }
    if (soundness === 'suspect' || soundness === 'untrusted') {
      const then = night.rows.find((one) => one.source === row.source && one.facts.id === row.facts.id);
      if (then?.status !== 'Not Installed') {
        return since;
      }
      since = night.facts.slot;
    }
  }
  return since;
}
