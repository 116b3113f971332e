/** How many machines joined and left the count: before + joined − left = after, of the ledger's counted entries. */
import type { GoneMachine, JudgedMachine } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { Coverage } from '../facts/state.ts';
import { isOfSource, type SourceIdentity } from '../record/references.ts';
import { isCountedEntry } from './entries.ts';

interface FlowSource {
  readonly source: SourceIdentity;
  /** `baseline` is undefined before the source's first whole run, and in it. */
  readonly input: { readonly baseline: unknown };
}

interface MovedMachines {
  readonly machines: readonly Pick<JudgedMachine, 'before' | 'after'>[];
  readonly gone: readonly Pick<GoneMachine, 'before'>[];
}

/** Counts the machines that joined and left the sources. Machines of a source without a baseline are its starting count. */
export function countFlow(
  sources: readonly FlowSource[],
  { machines, gone }: MovedMachines,
): Pick<Coverage, 'joined' | 'left'> {
  const known = sources.filter(({ input }) => input.baseline !== undefined).map(({ source }) => source);
  const begun = sources.filter(({ input }) => input.baseline === undefined).map(({ source }) => source);
  let joined = 0;
  let left = 0;
  for (const { before, after } of machines) {
    if (!isCountedIn(begun, after)) {
      const difference = Number(isCountedIn(known, after)) - Number(isCountedIn(known, before));
      joined += Number(difference > 0);
      left += Number(difference < 0);
    }
  }
  left += gone.filter(({ before }) => isCountedIn(known, before)).length;
  return { joined, left };
}

function isCountedIn(sources: readonly SourceIdentity[], entry: Entry | undefined): boolean {
  return isCountedEntry(entry) && sources.some((source) => isOfSource(entry.standing, source));
}
