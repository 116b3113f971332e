/** What mutation testing found, the last time each group was run whole; `npm run mutation` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import type { GroupName } from './groups.ts';

export interface Survivor {
  /** Its number, while the files of the group are the same. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly instead: string;
  /** `false` where no test of the group comes by the line. */
  readonly reached?: boolean;
}

export interface Counts {
  readonly killed: number;
  /** Killed, too: the change made something run without an end. */
  readonly endless: number;
  readonly survived: number;
  /** Of these: no test of the group comes by. */
  readonly notReached: number;
  /** Not counted: no test noticed, but the change does not compile. */
  readonly refused: number;
  /** Not counted: runs once, while a file is loaded. */
  readonly atLoad: number;
}

export interface Figures extends Counts {
  readonly date: string;
  /** What the group was then. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Every n-th mutant was tried. */
  readonly oneIn: number;
  readonly survivors: readonly Survivor[];
}

const file = join(import.meta.dirname, 'figures.json');

export function readFigures(): Readonly<Partial<Record<GroupName, Figures>>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<GroupName, Figures>>;
}

export function writeFigures(group: GroupName, figures: Figures): void {
  writeFileSync(file, `${JSON.stringify({ ...readFigures(), [group]: figures }, undefined, 2)}\n`);
}

export function countMutants(results: readonly MutantResult[], survivors: readonly Survivor[]): Counts {
  const count = (status: MutantResult['status']): number => results.filter((one) => one.status === status).length;
  return {
    killed: count('Killed'),
    endless: count('Timeout'),
    survived: survivors.length,
    notReached: survivors.filter(({ reached }) => reached === false).length,
    refused: count('Survived') + count('NoCoverage') - survivors.length,
    atLoad: count('Ignored'),
  };
}

/** Killed in per cent of those that some test could kill. */
export function computeScore({ killed, endless, survived }: Counts): number {
  return (100 * (killed + endless)) / (killed + endless + survived);
}

/** What is known after the survivors were tried again. */
export function addKilled(before: Counts, again: Counts): Counts {
  return {
    ...before,
    killed: before.killed + again.killed,
    endless: before.endless + again.endless,
    survived: again.survived,
    notReached: again.notReached,
  };
}

/** In per cent, of all groups as one; where only a sample of a group was tried, each stands for those that were not. */
export function computeOverallScore(all: readonly Figures[]): number {
  const sum = (count: (figures: Figures) => number): number =>
    all.reduce((total, figures) => total + figures.oneIn * count(figures), 0);
  return (100 * sum(countKilled)) / sum((figures) => countKilled(figures) + figures.survived);
}

export function countKilled({ killed, endless }: Counts): number {
  return killed + endless;
}

/** All groups as one. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sum = (key: keyof Counts): number => all.reduce((total, counts) => total + counts[key], 0);
  return {
    killed: sum('killed'),
    endless: sum('endless'),
    survived: sum('survived'),
    notReached: sum('notReached'),
    refused: sum('refused'),
    atLoad: sum('atLoad'),
  };
}
