/** What the core remembers of each machine, counted up again for an earlier run: it must be that run's figures. */
import type { State } from '../../src/core/facts/state.ts';
import { findPair, toCountLetter } from '../../src/core/ledger/letters.ts';
import { isBlank, type ModelNight, type Past } from './rows.ts';

/** Every source answered, and nothing is known by its id alone. */
function isFull({ sources, rows }: ModelNight): boolean {
  return sources.every(({ soundness }) => ['complete', 'partial'].includes(soundness)) && !rows.some(isBlank);
}

const nameSources = ({ sources }: ModelNight) => sources.map(({ facts }) => facts.name).join();

/** The last 30 runs that can be counted up from tonight's state, since the sources are the same in all runs from there on. */
export function listCountableRuns(past: Past, tonight: ModelNight): ModelNight[] {
  const runs = [...past.map((attempts) => attempts.at(-1) as ModelNight), tonight].slice(-30);
  const other = runs.findLastIndex((run) => nameSources(run) !== nameSources(tonight));
  return isFull(tonight) ? runs.slice(other + 1).filter(isFull) : [];
}

const counts = { installed: /[Ii]/, notInstalled: /[Nn]/, provenInstalled: /I/, provenNotInstalled: /N/ };

export function countRemembered(state: State, slot: string): Record<string, number> {
  const letters = state.sources.flatMap(({ baseline, departed }) => [
    ...(baseline?.devices ?? []).map(
      ({ past = [], ...device }) => findPair(past, toCountLetter(device), slot, slot).was,
    ),
    ...departed.map(({ past = [] }) => findPair(past, '-', slot, slot).was),
  ]);
  return Object.fromEntries(
    Object.entries(counts).map(([name, letter]) => [name, letters.filter((one) => letter.test(one)).length]),
  );
}

export function countModelled(run: ModelNight): Record<string, number> {
  const { installed, notInstalled, provenInstalled, provenNotInstalled } =
    run.coverage.at(-1) ?? run.coverage[0] ?? fail();
  return { installed, notInstalled, provenInstalled, provenNotInstalled };
}

function fail(): never {
  throw new Error('A night without figures.');
}
