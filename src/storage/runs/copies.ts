/** Copies of published runs, for people and for query engines. */

import { type MusterError, toMusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import type { OwedWork } from '../../core/facts/operations.ts';
import { listReports, type PublishedRun } from '../commits/commit.ts';
import { formatLatest } from '../commits/latest.ts';
import { readKeptRun } from '../commits/log.ts';
import { latestKey } from '../keys.ts';
import { runSideBySide } from '../side-by-side.ts';
import type { Store } from '../store.ts';
import { createDamageError, ignoreDamage } from '../stored-json.ts';

/** Files copied at once; the copies of one file are also made together. */
const copiesAtOnce = 4;

/** `dated`: a folder for each slot; `latest`: the current run alone. */
type CopyPlace = 'dated' | 'latest';

/** Reads and checks the commit after a checked one. */
export type ReadNextCommit = (run: PublishedRun) => Promise<PublishedRun | undefined>;

/**
 * Makes `latest.json` and the copies of a run, and of runs that were published in the meantime, whose copies ours may
 * overwrite. Returns the last of these runs. Skips damaged reports, and throws the first one's error at the end.
 */
export async function updateCopies(
  store: Store,
  run: PublishedRun,
  readNextCommit: ReadNextCommit,
): Promise<PublishedRun> {
  let damaged: MusterError[] = [];
  const runs = [run];
  for (let copied = 0; copied < runs.length; ) {
    await addLaterRuns(runs, readNextCommit);
    copied = runs.length;
    // A report that a later run removed in the meantime is not damage.
    damaged = [];
    for (const one of runs) {
      damaged.push(...(await copyRun(store, one, runs)));
    }
    await addLaterRuns(runs, readNextCommit);
  }
  if (damaged[0] !== undefined) {
    throw damaged[0];
  }
  return runs.at(-1) ?? run;
}

async function addLaterRuns(runs: PublishedRun[], readNextCommit: ReadNextCommit): Promise<void> {
  for (let last = runs.at(-1); last !== undefined; ) {
    last = await readNextCommit(last);
    if (last !== undefined) {
      runs.push(last);
    }
  }
}

/** Copies a run that counts for its slot while its slot is kept; removes the dated copies of a retracted one. */
async function copyRun(store: Store, run: PublishedRun, runs: readonly PublishedRun[]): Promise<MusterError[]> {
  const { number, slot } = run.commit;
  const later = runs.filter(({ commit }) => commit.number > number);
  if (later.some(({ commit }) => commit.retracts?.slot === slot)) {
    await removeDatedCopies(store, run);
    return [];
  }
  if (later.length > 0) {
    const isOver = later.some(({ commit }) => commit.slot === slot || (commit.keptFrom ?? '') > slot);
    return isOver ? [] : copyReports(store, run, ['dated']);
  }
  const latest = formatLatest(run);
  if ((await store.digest(latestKey)) !== computeSha256(latest)) {
    await store.put(latestKey, latest);
  }
  return copyReports(store, run, ['dated', 'latest']);
}

/** Makes the copies that earlier runs owe, and removes those of retracted runs. Returns the work that is left. */
export async function settleOwedCopies(
  store: Store,
  owed: readonly OwedWork[],
): Promise<{ readonly left: readonly OwedWork[]; readonly problem: MusterError | undefined }> {
  const left: OwedWork[] = [];
  let problem: MusterError | undefined;
  for (const one of owed) {
    try {
      const run = await readKeptRun(store, one.run);
      const [damaged] = one.work === 'copy' ? await copyReports(store, run, ['dated']) : [];
      if (damaged !== undefined) {
        throw damaged;
      }
      if (one.work === 'retract') {
        await removeDatedCopies(store, run);
      }
    } catch (error) {
      problem ??= toMusterError(error, `The copies of ${one.run.slot}`);
      left.push(one);
    }
  }
  return { left, problem };
}

export async function removeDatedCopies(store: Store, run: PublishedRun): Promise<void> {
  const removals = listReports(run).map(
    ({ dated }) =>
      () =>
        store.remove(dated),
  );
  await runSideBySide(removals, copiesAtOnce);
}

/** Copies the reports, and returns an error for each damaged one. */
async function copyReports(store: Store, run: PublishedRun, places: readonly CopyPlace[]): Promise<MusterError[]> {
  const copies = listReports(run).map((report) => () => copyReport(store, report, places));
  return (await runSideBySide(copies, copiesAtOnce)).flatMap((damaged) => damaged ?? []);
}

async function copyReport(
  store: Store,
  { key, bytes, sha256, ...copies }: ReturnType<typeof listReports>[number],
  places: readonly CopyPlace[],
): Promise<MusterError | undefined> {
  const found = await runSideBySide(
    places.map((place) => () => store.digest(copies[place], bytes)),
    places.length,
  );
  const missing = places.filter((_, index) => found[index] !== sha256);
  if (missing.length === 0) {
    return undefined;
  }
  // Reads the file once for all its copies.
  const isSound = (await store.digest(key, bytes)) === sha256;
  const make = (place: CopyPlace) => ignoreDamage(() => copy(store, key, copies[place]));
  const copying = isSound ? missing.map((place) => () => make(place)) : [];
  const made = await runSideBySide(copying, places.length);
  return isSound && made.every(Boolean)
    ? undefined
    : createDamageError(key, 'its SHA-256 is not the one that was published');
}

/** Copies a file; throws `store-damaged` where another run has removed it. */
async function copy(store: Store, from: string, to: string): Promise<true> {
  await store.copy(from, to);
  return true;
}
