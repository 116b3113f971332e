/** Why a status is not proven: the design's list, of which "the first that holds" is printed. */
import type { Facts } from '../../src/core/facts/facts.ts';
import { type InstrumentPast, isSoundInstrument, isTakenBeforeRepair } from './instrument.ts';
import type { Row } from './rows.ts';

/** In the design's order and words. */
const order = [
  'unread',
  'method-not-sound',
  'canary-wrong',
  'list-contradicts',
  'no-answer',
  'not-clear',
  'contradicted',
  'before-repair',
  'old-answer',
];

export function findWhyUnproven({ against }: Pick<Row, 'against'>): string | undefined {
  return order.find((reason) => against.includes(reason));
}

export function isProven({ against }: Pick<Row, 'against'>): boolean {
  return against.length === 0;
}

/** All that speaks against a record by itself: its answer, its dates, and what produced the answer. */
export function listOwnDoubts(row: Row, instrument: InstrumentPast, facts: Facts): string[] {
  const source = facts.sources.find(({ name }) => name === row.source);
  // "It did not answer": what was read then is judged by what is known of the instrument.
  const isSound = source?.reading === 'incomplete' || isSoundInstrument(source?.findings ?? []);
  // "`no-answer` (never-reported, managed-elsewhere), `not-clear` (any other reason that proves nothing)"
  const isSilent = ['never-reported', 'managed-elsewhere'].includes(row.answerReason);
  const doubts: Record<string, boolean> = {
    unread: row.isUnread,
    'method-not-sound': instrument.isBroken || !isSound,
    'no-answer': !row.canBeProven && isSilent,
    'not-clear': !row.canBeProven && !isSilent,
    contradicted: row.isDoubted,
    'before-repair': isTakenBeforeRepair(row, instrument, facts.policy),
    'old-answer': row.stale || row.isTooOld,
  };
  return Object.keys(doubts).filter((doubt) => doubts[doubt]);
}
