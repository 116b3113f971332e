/** Invariants of exit codes: each tells truly whether its run published. */
import type { Violation } from './invariants.ts';
import type { GroupOutcome } from './outcome.ts';
import { labelRun } from './play.ts';
import type { Group } from './schedule.ts';

/** A group after it was played. `drafted` holds the labels of its runs that wrote a whole attempt. */
export interface PlayedGroup {
  readonly group: Group;
  readonly index: number;
  readonly outcome: GroupOutcome;
  readonly before: GroupOutcome | undefined;
  readonly drafted: ReadonlySet<string>;
}

/** A run says 0 or 3 only where something of its slot stands, and its commit is there where it published. */
export function checkEnds({ group, index, outcome: { ends, commits }, before, drafted }: PlayedGroup): Violation[] {
  const already = before?.commits.length ?? 0;
  const published = commits.slice(already);
  const retracts = published.some((commit) => commit.retracts !== undefined);
  // A run whose head was let go meanwhile begins anew, and may then find its slot published.
  const letsGo = published.some(({ keptFrom }) => keptFrom !== before?.commits.at(-1)?.keptFrom);
  return ends.flatMap((end, run) => {
    const label = labelRun(index, run);
    const own = commits.filter(({ attempt }) => attempt.replace(/-\d+$/, '') === label);
    const isNotSaid = own.length > 0 && (end === 2 || end === 4);
    const isUnexplained = own.length > 0 && end === 1 && !isDisturbed(group, run);
    const isEmpty = (end === 0 || end === 3) && commits.length === 0;
    const isLost = end === 4 && commits.length === already;
    // A slot that a rival retracted is left alone by all but `muster run --slot`, and a healing start leaves it to rivals.
    const isLeft = retracts || letsGo || group.runs[run]?.kind === 'heal';
    const isBeaten = own.length === 0 && (end === 0 || end === 3) && drafted.has(label) && !isLeft;
    const isFailed = end === 1 && !isDisturbed(group, run);
    return [
      ...(own.length > 1 ? [`ends: ${label} published twice`] : []),
      ...(isNotSaid || isUnexplained ? [`ends: ${label} published and ended with ${end}`] : []),
      ...(isEmpty ? [`ends: ${label} ended with ${end}, and nothing is published`] : []),
      ...(isLost ? [`ends: ${label} ended with 4 without a rival`] : []),
      ...(isBeaten ? [`ends: ${label} ended with ${end}, and a rival has published`] : []),
      ...(isFailed ? [`ends: ${label} failed undisturbed`] : []),
    ];
  });
}

export function isDisturbed({ runs, unwritable }: Group, run: number): boolean {
  return runs[run]?.fault !== undefined || unwritable.length > 0;
}
