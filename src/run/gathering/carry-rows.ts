/**
 * Carrying rows over: the facts of a run hold the rows of a source's last whole run where the source, or a device of it,
 * was not read, so that no older run is needed to judge it again. A run whose sources are all whole opens no older facts.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CarriedRows, Facts, SourceFacts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import { isWhole } from '../../core/facts/vocabulary.ts';
import { isSameSource } from '../../core/record/references.ts';
import { listShownRows, needsCarriedRows, selectCarriedRows } from '../../core/record/shown-rows.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { readKeptRun } from '../../storage/commits/log.ts';
import { readSourceFacts } from '../../storage/runs/run-files.ts';
import type { StateHead } from '../../storage/runs/state-files.ts';
import type { Store } from '../../storage/store.ts';
import type { Head } from '../head.ts';

/** Reads all rows of the source's last whole run; undefined where it has had none. */
export type ReadCarriedRows = (source: Pick<SourceFacts, 'name' | 'kind'>) => Promise<CarriedRows | undefined>;

interface CarryBasis {
  readonly head: Head | undefined;
  /** The run whose slot is judged once more. */
  readonly repeated: PublishedRun | undefined;
}

/** `before` is the state that the run is compared with. */
export function createCarriedRowsReader(
  store: Store,
  basis: CarryBasis,
  before: Pick<StateHead, 'sources'> | undefined,
): ReadCarriedRows {
  let earlier: Promise<PublishedRun | undefined> | undefined;
  return async (source) => {
    const { baseline } = before?.sources.find((one) => isSameSource(one, source)) ?? {};
    if (baseline === undefined) {
      return undefined;
    }
    earlier ??= findRunBefore(store, basis);
    const run = await earlier;
    const facts = run && (await readSourceFacts(store, run, source));
    if (run === undefined || facts === undefined) {
      return undefined;
    }
    const isOwn = baseline.slot === run.commit.slot;
    const { unlisted } = facts;
    const rows = () => listShownRows(facts, run.commit);
    return isOwn ? { slot: baseline.slot, rows: rows(), ...omitUndefined({ unlisted }) } : facts.carried;
  };
}

/** The run that left the state which this one is compared with; where it was let go, the repeated run has its rows. */
async function findRunBefore(store: Store, { head, repeated }: CarryBasis): Promise<PublishedRun | undefined> {
  if (repeated === undefined) {
    return head?.run;
  }
  const before = head?.state.runs.kept.findLast(({ slot }) => slot < repeated.commit.slot);
  return before === undefined ? repeated : readKeptRun(store, before);
}

/** The facts with the rows that judgement needs where a source, or a device of it, was not read. */
export async function carryRows(facts: Facts, read: ReadCarriedRows): Promise<Facts> {
  const sources: SourceFacts[] = [];
  for (const source of facts.sources) {
    sources.push(needsCarriedRows(source) ? addCarriedRows(source, await read(source)) : source);
  }
  return { ...facts, sources };
}

/**
 * The facts as the next run needs them: all rows of the last whole run of a source that turned out not to be whole, and
 * of one that is whole only those of its unread devices.
 */
export async function settleCarriedRows(
  facts: Facts,
  { sources: judged }: Pick<Night, 'sources'>,
  read: ReadCarriedRows,
): Promise<Facts> {
  const sources: SourceFacts[] = [];
  for (const source of facts.sources) {
    const { soundness = 'missing' } = judged.find(({ name }) => name === source.name) ?? {};
    const isRead = source.reading === 'complete' && !isWhole(soundness);
    const rows = source.carried && selectCarriedRows(source, source.carried);
    sources.push(isRead ? addCarriedRows(source, await read(source)) : addCarriedRows(source, rows));
  }
  return { ...facts, sources };
}

function addCarriedRows({ carried: _, ...source }: SourceFacts, carried: CarriedRows | undefined): SourceFacts {
  return carried === undefined ? source : { ...source, carried };
}
