/** Decides whether an incompletely read source is read once more, and which of its two readings counts. */

import { passingErrorCodes } from '../../base/errors.ts';
import type { SourceFacts } from '../../core/facts/facts.ts';
import type { Problem } from '../../core/facts/vocabulary.ts';
import { isInstrumentWrong } from '../../core/source/instrument.ts';

/**
 * Whether a second reading may be complete. A reading of a wrong instrument is never repeated, since it counts either
 * way.
 */
export function mayHavePassed(facts: SourceFacts): facts is SourceFacts & { readonly problem: Problem } {
  const codes: ReadonlySet<string> = passingErrorCodes;
  return facts.problem !== undefined && codes.has(facts.problem.code) && !isInstrumentWrong(facts);
}

/**
 * Chooses the second reading, unless it is incomplete and either got less far or failed alike; a second reading of a
 * wrong instrument always counts.
 */
export function chooseReading(first: SourceFacts, second: SourceFacts): SourceFacts {
  const difference = second.receipt.received - first.receipt.received;
  const hasSameProblem = second.problem?.code === first.problem?.code;
  const isWorse = second.reading === 'incomplete' && (difference < 0 || (difference === 0 && hasSameProblem));
  const chosen = isWorse && !isInstrumentWrong(second) ? first : second;
  const { started } = first.receipt;
  const { ended } = second.receipt;
  return { ...chosen, receipt: { ...chosen.receipt, readings: 2, started, ended } };
}
