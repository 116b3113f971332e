/** How many machines joined and left the count: before + joined − left = after, of the ledger's counted entries. */
import type { Entry } from '../facts/ledger.ts';
import type { Coverage } from '../facts/state.ts';
import { toSourceKey } from '../record/references.ts';

interface FlowSource {
  /** As entries of the ledger name it. */
  readonly key: string;
  /** Its baseline is missing before its first whole run, and in it. */
  readonly input: { readonly baseline: unknown };
}

/** Of entries whose record stands in one of the sources; what a source counts while it has no baseline is its before. */
export function countFlow(
  sources: readonly FlowSource[],
  { before, after }: { readonly before: readonly Entry[]; readonly after: readonly Entry[] },
): Pick<Coverage, 'joined' | 'left'> {
  const known = new Set(sources.filter(({ input }) => input.baseline !== undefined).map(({ key }) => key));
  const begun = new Set(sources.filter(({ input }) => input.baseline === undefined).map(({ key }) => key));
  const listNames = (ledger: readonly Entry[], keys: ReadonlySet<string>) =>
    ledger.flatMap(({ name, counted, isGone, standing }) =>
      counted && !isGone && keys.has(toSourceKey(standing)) ? name : [],
    );
  const own = listNames(after, begun);
  const was = new Set([...listNames(before, known), ...own]);
  const is = new Set([...listNames(after, known), ...own]);
  return { joined: countOthers(is, was), left: countOthers(was, is) };
}

function countOthers(names: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...names].filter((name) => !others.has(name)).length;
}
