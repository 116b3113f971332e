/** Makes the answers of the function. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { computeInterval } from '../core/source/coverage.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { describeUnfinished } from '../run/finish-run.ts';
import { describeResult, type RunOutcome } from '../run/outcome.ts';
import { formatDamage } from '../storage/damage.ts';
import type { Verification } from '../storage/verify/verify.ts';

/** A short answer for a person who invokes the function; the reports and the log have everything else. */
export interface InvocationSummary extends Pick<RunOutcome, 'exit' | 'did'> {
  /** Missing where nothing is published. */
  readonly slot?: string;
  readonly said: string;
  /** Percent, over all sources: certainly, headline, at most. Missing where nothing was judged. */
  readonly coverage?: { readonly low: string; readonly coverage: string; readonly high: string };
}

export interface VerificationSummary {
  readonly exit: 0 | 3;
  readonly did: 'verified';
  readonly said: string;
  /** The first sentences about damage; the log has all. */
  readonly damage: readonly string[];
}

/** Makes the answer; `result` describes the outcome, unless another run superseded it. */
export function summarizeOutcome(
  slot: string | undefined,
  outcome: RunOutcome,
  result = describeResult(outcome),
): InvocationSummary {
  const { exit, did, night, unfinished, delivery } = outcome;
  const undelivered = (delivery?.undelivered ?? []).map(({ channel }) => channel);
  const notDelivered = undelivered.length === 0 ? [] : [`Not delivered: ${undelivered.join(', ')}.`];
  const first = did === 'superseded' ? describeResult(outcome) : result;
  const said = [first, ...notDelivered, ...(unfinished ?? []).map(describeUnfinished)].join(' ');
  const all = night?.coverage.at(-1);
  return { exit, did, said, ...omitUndefined({ slot, coverage: all && computeInterval(all) }) };
}

const maximumDamageInAnswer = 20;

export function summarizeVerification({ nights, files, damage }: Verification): VerificationSummary {
  const read = `${nights} ${pluralize(nights, 'run')}, ${files} ${pluralize(files, 'file')} and their copies`;
  return {
    exit: damage.length === 0 ? 0 : 3,
    did: 'verified',
    said: damage.length === 0 ? `Sound: ${read}.` : `Not sound: ${damage.length} found in ${read}.`,
    damage: damage.slice(0, maximumDamageInAnswer).map(formatDamage),
  };
}
