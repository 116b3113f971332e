/** Compares what a subject left after each group with what the model left. */
import type { GroupOutcome } from './outcome.ts';
import type { Verdict } from './verify.ts';

/** One sentence for each group and part in which they differ; verdicts are compared by their worst word. */
export function compareOutcomes(expected: readonly GroupOutcome[], found: readonly GroupOutcome[]): string[] {
  return expected.flatMap((outcome, group) => {
    const other = found[group];
    return other === undefined
      ? [`group ${group} was not played`]
      : parts.flatMap((part) => {
          const [one, two] = [outcome, other].map((side) => JSON.stringify(simplify(side)[part]));
          return one === two ? [] : [`group ${group}, ${part}: the model has ${one}, the subject ${two}`];
        });
  });
}

const parts = ['ends', 'commits', 'keptRuns', 'audit', 'dated', 'latest', 'verdict'] as const;

function simplify(outcome: GroupOutcome): Omit<GroupOutcome, 'verdict'> & { readonly verdict: string } {
  return { ...outcome, verdict: findWord(outcome.verdict) };
}

function findWord({ damage, behind }: Verdict): string {
  return damage.length > 0 ? 'damaged' : behind.length > 0 ? 'behind' : 'sound';
}
