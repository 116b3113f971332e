/** The contents of every run that was found. */
import type { Store } from '../../store.ts';
import { checkCopies, checkFiles } from './check-files.ts';
import type { Damage } from './damage.ts';
import { type FoundRuns, listLostSlots, listStandingRuns } from './find-runs.ts';

/** Every file, and the copies of the run that stands for its slot. */
export async function checkRuns(store: Store, found: FoundRuns): Promise<Damage[]> {
  const { chain, outside, retractedRuns, current } = found;
  const standing = new Set(listStandingRuns(found));
  const lost = listLostSlots(found);
  const damage: Damage[] = [];
  for (const run of [...chain, ...outside]) {
    damage.push(...(await checkFiles(store, run.manifest.files)));
    // Where a slot's manifest is lost, nobody knows what its copies were.
    const isUncertain = outside.includes(run) && lost.has(run.manifest.slot);
    if (standing.has(run) && !isUncertain) {
      damage.push(...(await checkCopies(store, run, run === current)));
    }
  }
  for (const run of retractedRuns) {
    damage.push(...(await checkFiles(store, run.manifest.files)));
  }
  return damage;
}
