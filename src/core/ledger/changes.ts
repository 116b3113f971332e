/** Changes: the differences between entries and their machines, in rows that explain the count and its two halves. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { DeviceIdentity } from '../facts/device-places.ts';
import { pickPlaces } from '../facts/device-places.ts';
import type { Change, JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import type { CountLetter, Entry, StandingRecord } from '../facts/ledger.ts';
import type { DifferenceKind } from '../facts/vocabulary.ts';
import { isAnswerProven } from '../record/proof.ts';
import { compareCodePoints } from '../text/order.ts';
import { type CountLetterPair, toCountLetter } from './letters.ts';

/** A machine beside its entry; `device` is missing where it is gone. */
export interface MachinePair extends CountLetterPair {
  readonly name: string;
  readonly device: JudgedDevice | undefined;
  readonly before: Entry | undefined;
  /** True where another machine has its record, or its number. */
  readonly isTaken?: true;
}

/** The letter before the run; a hyphen for an entry that is new or gone. */
function readLetterBefore(before: Entry | undefined): CountLetter {
  return before === undefined || before.isGone ? '-' : toCountLetter(before, before.proven === true);
}

export function pairMachine(
  { name, device, before, isOlderAnswer }: Omit<JudgedMachine, 'after'>,
  moved: boolean,
): MachinePair {
  const is = toCountLetter(device.judgement, isAnswerProven(device.judgement));
  return { name, device, before, was: readLetterBefore(before), is, moved, isOlderAnswer };
}

/** Pairs a gone machine with its entry. Where another machine has its record or number, it left the count as superseded. */
export function pairGoneMachine(before: Entry, isTaken: boolean): MachinePair {
  const pair = { name: before.name, device: undefined, before, was: readLetterBefore(before), moved: false };
  return isTaken ? { ...pair, is: before.status === 'Installed' ? 'X' : 'x', isTaken } : { ...pair, is: '-' };
}

/** The rows of the pairs of one source, by device id. */
export function listChanges<Kind extends DifferenceKind>(
  pairs: readonly MachinePair[],
  decideKinds: (pair: MachinePair) => readonly Kind[],
): Change<Kind>[] {
  return pairs
    .flatMap((pair) => decideKinds(pair).flatMap((kind) => toChange(kind, pair)))
    .sort((left, right) => compareCodePoints(left.device.id, right.device.id));
}

function toChange<Kind extends DifferenceKind>(kind: Kind, pair: MachinePair): Change<Kind>[] {
  const { device, before } = pair;
  const source = device?.source ?? before?.standing.source;
  const reason = findReason(kind, pair);
  if (source === undefined || reason === undefined) {
    return [];
  }
  const isNew = kind === 'new-installed' || kind === 'new-not-installed';
  return [
    {
      source,
      operatingSystem: device?.facts.operatingSystem ?? before?.standing.operatingSystem ?? '',
      device: device ? device.facts : toStandingIdentity(before?.standing),
      kind,
      from: isNew ? undefined : before?.status,
      to: device?.judgement.status,
      reason,
      flow: decideFlow(kind, pair),
    },
  ];
}

/** The identity of a machine that is gone, for a row about it, from its last standing record. */
export function toStandingIdentity(standing: StandingRecord | undefined): DeviceIdentity {
  const { id = '', name, serialNumber, heardAt: lastSeenAt } = standing ?? {};
  return { id, ...omitUndefined({ name, serialNumber, lastSeenAt, ...pickPlaces(standing ?? {}) }) };
}

/** The reason why a machine that left or entered the count is, or was, not counted. */
function findReason(kind: DifferenceKind, { device, before, isTaken }: MachinePair): Change['reason'] | undefined {
  if (isTaken) {
    return 'superseded';
  }
  const because =
    kind === 'excluded'
      ? device?.judgement.excludedBecause
      : kind === 'included'
        ? before?.standing.excludedBecause
        : undefined;
  return because ?? device?.judgement.reason ?? before?.standing.reason;
}

const flows: Readonly<Partial<Record<DifferenceKind, Change['flow']>>> = {
  'new-installed': 'joined',
  'new-not-installed': 'joined',
  included: 'joined',
  excluded: 'left',
  removed: 'left',
};

/** The side of the count that a row changes; a machine that came from another source has one row for both counts. */
function decideFlow(kind: DifferenceKind, { device, before }: MachinePair): Change['flow'] {
  if (kind !== 'moved') {
    return flows[kind];
  }
  const isCountedInBoth = before?.counted === true && device?.judgement.counted === true;
  return isCountedInBoth && before.standing.source !== device.source ? 'both' : undefined;
}
