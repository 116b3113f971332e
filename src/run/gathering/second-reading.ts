/** Whether a source that was not read completely is asked once more, and which of its two readings counts. */

import { passingErrorCodes } from '../../base/errors.ts';
import type { SourceFacts } from '../../core/facts/facts.ts';
import type { Problem } from '../../core/facts/vocabulary.ts';
import { isInstrumentWrong } from '../../core/source/instrument.ts';

/**
 * Whether a second reading could be complete. One that showed a wrong instrument counts whatever a second one shows, so
 * it is not replaced.
 */
export function mayHavePassed(facts: SourceFacts): facts is SourceFacts & { readonly problem: Problem } {
  const codes: ReadonlySet<string> = passingErrorCodes;
  return facts.problem !== undefined && codes.has(facts.problem.code) && !isInstrumentWrong(facts);
}

/**
 * The second reading, unless it came less far than the first, or failed likewise with less patience, and its instrument
 * was not wrong.
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
