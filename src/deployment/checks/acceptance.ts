/** What a person accepted under `deployment.accepted` after reading it: a script or a detection rule, by its SHA-256. */
import { createHash } from 'node:crypto';
import type { Acceptance } from '../deployment-settings.ts';
import { judgeStatement, type SlotTime } from './statement.ts';

export interface Acceptances extends SlotTime {
  readonly accepted: readonly Acceptance[];
}

export interface Review {
  readonly accepted: boolean;
  /** The hash, and who accepted it when; follows what was found. */
  readonly words: string;
  /** The line that accepts it. */
  readonly line: string;
}

/** Of several acceptances of one text, one that still counts is enough. */
export function reviewText(text: string, { accepted, slot, moment }: Acceptances): Review {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const judged = accepted
    .filter((entry) => entry.sha256 === sha256)
    .map((entry) => ({ entry, standing: judgeStatement(entry.on, moment) }));
  const found = judged.find(({ standing }) => standing.counts) ?? judged[0];
  const hash = `(SHA-256 ${sha256})`;
  const line = `- { sha256: ${sha256}, by: YOUR NAME, on: ${slot} }`;
  if (found === undefined) {
    return { accepted: false, words: hash, line };
  }
  const { entry, standing } = found;
  const by = `${hash}, accepted by ${entry.by} on ${entry.on}`;
  if (standing.counts) {
    return { accepted: true, words: by, line };
  }
  return { accepted: false, words: `${by}, ${standing.why}: that does not count`, line };
}
