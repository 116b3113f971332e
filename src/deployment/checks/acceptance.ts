/** Scripts and detection rules that a person has read and accepted in `deployment.accepted`, by SHA-256. */
import { computeSha256 } from '../../sha256.ts';
import type { Acceptance } from '../deployment-settings.ts';
import { judgeStatement, type SlotTime } from './statement.ts';

export interface Acceptances extends SlotTime {
  readonly accepted: readonly Acceptance[];
}

export interface Review {
  readonly accepted: boolean;
  /** The hash, and who accepted it when: follows what was found. */
  readonly words: string;
  /** The line for the settings that accepts it. */
  readonly line: string;
}

/** Of several acceptances of one text, one that still counts is sufficient. */
export function reviewText(text: string, { accepted, slot, moment }: Acceptances): Review {
  const sha256 = computeSha256(text);
  const judged = accepted
    .filter((entry) => entry.sha256 === sha256)
    .map((entry) => ({ entry, statement: judgeStatement(entry.on, moment) }));
  const found = judged.find(({ statement }) => statement.counts) ?? judged[0];
  const hash = `(SHA-256 ${sha256})`;
  const line = `- { sha256: ${sha256}, by: YOUR NAME, on: ${slot} }`;
  if (found === undefined) {
    return { accepted: false, words: hash, line };
  }
  const { entry, statement } = found;
  const by = `${hash}, accepted by ${entry.by} on ${entry.on}`;
  if (statement.counts) {
    return { accepted: true, words: by, line };
  }
  return { accepted: false, words: `${by}, ${statement.why}, which does not count`, line };
}
