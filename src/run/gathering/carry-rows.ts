/**
 * Carries rows over: a run's facts hold the rows of a source's last whole run where the source, or a device of it, was
 * not read, so that judging it again needs no older run. A run whose sources are all whole opens no older facts.
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

/** Reads all rows of the source's last whole run; undefined where it has none. */
export type ReadCarriedRows = (source: Pick<SourceFacts, 'name' | 'kind'>) => Promise<CarriedRows | undefined>;

interface CarryBasis {
  readonly head: Head | undefined;
  /** The published run whose slot is judged once more. */
  readonly repeated: PublishedRun | undefined;
}

/** Makes the reader; `before` is the state with which the run is compared. */
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

/** The run whose state this one is compared with; where that was removed, the repeated run, which has its rows. */
async function findRunBefore(store: Store, { head, repeated }: CarryBasis): Promise<PublishedRun | undefined> {
  if (repeated === undefined) {
    return head?.run;
  }
  const before = head?.state.runs.kept.findLast(({ slot }) => slot < repeated.commit.slot);
  return before === undefined ? repeated : readKeptRun(store, before);
}

/** Adds the rows that judgement needs where a source, or a device of it, was not read. */
export async function carryRows(facts: Facts, read: ReadCarriedRows): Promise<Facts> {
  const sources: SourceFacts[] = [];
  for (const source of facts.sources) {
    sources.push(needsCarriedRows(source) ? addCarriedRows(source, await read(source)) : source);
  }
  return { ...facts, sources };
}

/**
 * Reduces the facts to what the next run needs: all rows of the last whole run where a source turned out not to be
 * whole, otherwise only those of its unread devices.
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
