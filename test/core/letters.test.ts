/** The letters of a machine’s history: what each means, and which rows and reasons two of them make. */
import { describe, expect, it } from 'vitest';
import type { CountLetter, HistoryStep } from '../../src/core/facts/ledger.ts';
import {
  type CountLetterPair,
  decideChangeKinds,
  decideDifferenceKinds,
  decideShareKind,
  findLetter,
  findPair,
  isCounted,
  isInstalled,
  isProven,
  listTransitions,
  toCountLetter,
} from '../../src/core/ledger/letters.ts';

const letters = [...'IiNnXx-'] as CountLetter[];
const [installed, missing] = ['Installed', 'Not Installed'] as const;

it.each([
  [true, installed, true, 'I'],
  [true, installed, false, 'i'],
  [true, missing, true, 'N'],
  [true, missing, false, 'n'],
  [false, installed, true, 'X'],
  [false, installed, false, 'X'],
  [false, missing, true, 'x'],
  [false, missing, false, 'x'],
] as const)('counted %s, %s, proven %s is %s', (counted, status, proven, letter) => {
  expect(toCountLetter({ counted, status }, proven)).toBe(letter);
});

it.each([
  ['counted', isCounted, 'IiNn'],
  ['Installed', isInstalled, 'IiX'],
  ['proven', isProven, 'IN'],
] as const)('what is %s', (_, test, expected) => {
  expect(letters.filter(test).join('')).toBe(expected);
});

describe('two letters', () => {
  const pair = (text: string, more: Partial<CountLetterPair> = {}): CountLetterPair => {
    const [was, is] = [...text] as [CountLetter, CountLetter];
    return { was, is, moved: false, ...more };
  };

  it.each([
    ['lost', 'IN In iN in'],
    ['recovered', 'NI Ni nI ni'],
    ['new-installed', '-I -i'],
    ['new-not-installed', '-N -n'],
    ['removed', 'I- i- N- n-'],
    ['excluded', 'IX Ix iX ix NX Nx nX nx'],
    ['included', 'XI Xi XN Xn xI xi xN xn'],
    ['proven', 'iI nN'],
    ['unproven', 'Ii Nn'],
    [undefined, 'II ii NN nn XX xx -- Xx xX X- x- -X -x'],
  ])('have the reason %s: %s', (kind, pairs) => {
    for (const text of pairs.split(' ')) {
      const row = kind === undefined ? [] : [kind];
      expect(decideShareKind(pair(text)), text).toBe(kind);
      expect(decideDifferenceKinds(pair(text)), text).toEqual(row);
      expect(decideChangeKinds(pair(text)), text).toEqual(kind === 'proven' || kind === 'unproven' ? [] : row);
      // Beside the row of the move there is at most the one that there is without it.
      expect(decideChangeKinds(pair(text, { moved: true })), text).toEqual(['moved', ...decideChangeKinds(pair(text))]);
    }
  });

  it.each([
    ['II', undefined],
    ['Ii', 'moved'],
    ['nN', 'moved'],
    ['IN', 'lost'],
    ['Nx', 'excluded'],
    ['X-', undefined],
  ])('of a machine that moved, %s, have the reason %s', (text, kind) => {
    expect(decideShareKind(pair(text, { moved: true }))).toBe(kind);
  });

  it.each([
    ['IN', []],
    ['ni', []],
    ['I-', ['removed']],
    ['Nx', ['excluded']],
    ['xN', ['included']],
  ])('of an answer that is older, %s, are no news of a status: %j', (text, rows) => {
    expect(decideChangeKinds(pair(text, { isOlderAnswer: true }))).toEqual(rows);
    expect(decideChangeKinds(pair(text, { isOlderAnswer: true, moved: true }))).toEqual(['moved', ...rows]);
    expect(decideShareKind(pair('IN', { isOlderAnswer: true, moved: true }))).toBe('moved');
  });

  it.each([
    ['II', 'moved'],
    ['IN', 'lost'],
    ['I-', undefined],
    ['Ix', undefined],
    ['XX', undefined],
    ['XI', 'included'],
  ])('of a machine that the figures before do not have, %s, have the reason %s', (text, kind) => {
    expect(decideShareKind(pair(text, { moved: true, isNewToFigures: true }))).toBe(kind);
  });

  it('have each machine under the reason of its share in a comparison', () => {
    const pairs = letters.flatMap((was) => letters.flatMap((is) => [true, false].map((moved) => ({ was, is, moved }))));
    for (const one of pairs) {
      const share = decideShareKind(one);
      expect(share === undefined || decideDifferenceKinds(one).includes(share as 'lost')).toBe(true);
    }
  });
});

describe('a history', () => {
  const history: HistoryStep[] = [
    ['2026-11-03', 'I'],
    ['2026-11-05', '-'],
    ['2026-11-07', 'N'],
  ];

  it.each([
    ['2026-11-02', '-'],
    ['2026-11-03', 'I'],
    ['2026-11-04', 'I'],
    ['2026-11-05', '-'],
    ['2026-11-07', 'N'],
    ['2026-12-31', 'N'],
  ])('says what the machine was after the run of %s: %s', (slot, letter) => {
    expect(findLetter(history, slot)).toBe(letter);
  });

  it('says what it was in two runs', () => {
    expect(findPair(history, '2026-11-04', '2026-11-08')).toEqual({ was: 'I', is: 'N', moved: false });
    expect(findPair([], '2026-11-04', '2026-11-08')).toEqual({ was: '-', is: '-', moved: false });
  });

  it.each<[string, string, string[]]>([
    ['a status that is another', 'I N i', ['1 to I', '2 I to N', '3 N to I']],
    ['no proof and no count', 'I i X I', ['1 to I']],
    ['what it was before it was gone', 'I - N', ['1 to I', '2 I to', '3 I to N']],
    ['nothing where it comes back as it was', 'N - x', ['1 to N', '2 N to']],
    ['nothing before it was listed', '- I', ['1 to', '2 to I']],
  ])('has as its transitions %s', (_, steps, expected) => {
    const all = steps.split(' ').map((letter, index): HistoryStep => [String(index + 1), letter as CountLetter]);
    const short = { [installed]: 'I', [missing]: 'N' };
    const told = listTransitions(all).map(({ slot, from, to }) => [slot, from && short[from], 'to', to && short[to]]);
    expect(told.map((words) => words.filter(Boolean).join(' '))).toEqual(expected);
  });
});
