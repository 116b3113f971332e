/**
 * Core and model judge the same random histories, cell by cell. `npm run test:deep` looks at many more; `HISTORIES`
 * and `FIRST_SEED` choose others, and a seed that is printed names its history for ever.
 */
import { describe, expect, it } from 'vitest';
import { isDeep } from '../sampling.ts';
import { startModel } from './compare.ts';
import { judgeByModel } from './model.ts';
import type { Judge } from './play.ts';
import type { ModelNight } from './rows.ts';
import { searchDifferences } from './search.ts';

const histories = Number(process.env.HISTORIES ?? (isDeep ? 400 : 60));
const firstSeed = Number(process.env.FIRST_SEED ?? 1);
const blockSize = 200;
const nightsInARow = isDeep ? 400 : 100;

const blocks = Array.from({ length: Math.ceil(histories / blockSize) }, (_, index) => {
  const from = firstSeed + index * blockSize;
  return { from, count: Math.min(blockSize, firstSeed + histories - from) };
});

describe('core and model agree on every cell [D15]', () => {
  it.each(blocks)('of $count histories from seed $from', ({ from, count }) => {
    const { cells, report } = searchDifferences(from, count);
    expect(report).toBe('');
    expect(cells).toBeGreaterThan(100 * count);
  });

  const years = Array.from({ length: isDeep ? 100 : 1 }, (_, index) => firstSeed + index);
  it.each(years)(`of ${nightsInARow} runs in a row, seed %i`, (seed) => {
    const { cells, report } = searchDifferences(seed, 1, { nights: nightsInARow });
    expect(report).toBe('');
    expect(cells).toBeGreaterThan(10_000);
  });
});

/** A model with one rule that is not the design's. */
type Mutation = [rule: string, judge: Judge];

const mutations: Mutation[] = [
  [
    'answers are old a day later',
    (past, earlier, facts) => {
      const policy = { ...facts.policy, staleAfterDays: facts.policy.staleAfterDays + 1 };
      return { ...judgeByModel(past, earlier, { ...facts, policy }), facts };
    },
  ],
  ['only the latest run is remembered', (past, earlier, facts) => judgeByModel(past.slice(-1), earlier, facts)],
  ['canaries are ignored', (past, earlier, facts) => judgeByModel(past, earlier, { ...facts, canaries: [] })],
  ['no earlier attempt at a slot is remembered', (past, _earlier, facts) => judgeByModel(past, [], facts)],
  [
    'attempts that do not stand are forgotten',
    (past, earlier, facts) =>
      judgeByModel(
        past.map((attempts) => attempts.filter(({ isPublished }) => isPublished).slice(-1)),
        earlier,
        facts,
      ),
  ],
  [
    'no change says that a machine moved',
    (past, earlier, facts) => mapNight(judgeByModel(past, earlier, facts), dropMoves),
  ],
  ['shared numbers are forgotten', (past, earlier, facts) => judgeByModel(past.map(forgetShared), earlier, facts)],
  [
    'machines that are gone are forgotten',
    (past, earlier, facts) => judgeByModel(past.map(forgetGone), earlier, facts),
  ],
  ['alerts are forgotten', (past, earlier, facts) => judgeByModel(past.map(forgetAlerts), earlier, facts)],
];

function mapNight(night: ModelNight, change: (night: ModelNight) => Partial<ModelNight>): ModelNight {
  return { ...night, ...change(night) };
}

function dropMoves({ changes }: ModelNight) {
  return { changes: changes.filter(({ kind }) => kind !== 'moved') };
}

function forgetShared(attempts: readonly ModelNight[]) {
  return attempts.map((night) => ({ ...night, sharedOn: {} }));
}

function forgetGone(attempts: readonly ModelNight[]) {
  return attempts.map((night) => ({ ...night, ledger: night.ledger.filter(({ isGone }) => !isGone) }));
}

function forgetAlerts(attempts: readonly ModelNight[]) {
  return attempts.map((night) => ({ ...night, alerts: { ...night.alerts, open: [] } }));
}

describe('the comparison finds a model in which', () => {
  it.each(mutations)('%s', (_rule, judge) => {
    expect(searchDifferences(1, 500, { judge, start: startModel }).report).toMatch(/core says .*, model says /);
  });
});
