/** A run in a bucket that is killed, the next one that meets another fault, and a third that nothing disturbs (G1, G3, G13). */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { scenarios } from '../night/scenarios.ts';
import { isDeep, sample } from '../sampling.ts';
import { look } from './s3-reader.ts';
import { checkEnd, faultAt, type Kind, openStage, prefix, type Stage } from './s3-sweep.ts';

interface Pair {
  readonly first: number;
  readonly kind: Kind;
  readonly second: number;
}

const secondKinds: readonly Kind[] = ['fail after', 'lost reply', 'kill before', 'kill after', 'denied for ever'];

/** Steps that share no factor with one another, so that few pairs spread over all. */
function listPairs(requests: number): readonly Pair[] {
  const pairs = Array.from({ length: requests }, (_, first) =>
    secondKinds.flatMap((kind, number) =>
      Array.from({ length: Math.ceil(requests / 11) }, (__, step) => ({
        first: first + 1,
        kind,
        second: ((first * 5 + number * 3 + step * 11) % requests) + 1,
      })),
    ),
  );
  return sample(pairs.flat(), 5);
}

async function playPair({ peer, act }: Stage, { first, kind, second }: Pair): Promise<void> {
  faultAt(peer, 'kill after', first, act);
  await act().catch(() => undefined);
  faultAt(peer, kind, second, act);
  await act().catch(() => undefined);
  peer.setFault(undefined);
}

async function sweepPairs(stage: Stage): Promise<{ pairs: number; violations: string[] }> {
  const { scenario, peer, template, before, requests, ended, act } = stage;
  const violations: string[] = [];
  const pairs = listPairs(requests.length);
  for (const pair of pairs) {
    const problem = (what: string) => violations.push(`${scenario.name}, ${JSON.stringify(pair)}: ${what}`);
    peer.restore(template);
    await playPair(stage, pair);
    const seen = look(peer.objects(), prefix);
    if (!isDeepStrictEqual(seen, before) && !isDeepStrictEqual(seen?.reports, ended.seen?.reports)) {
      problem('a reader saw neither the old run nor the new one');
    }
    const { exit, did } = await act();
    if (exit !== scenario.exit) {
      problem(`undisturbed it ended ${did} with ${exit}`);
    }
    await checkEnd(peer, ended, before, problem);
  }
  return { pairs: pairs.length, violations };
}

const swept = isDeep ? scenarios : scenarios.filter(({ name }) => /second night|removes an old one/.test(name));

test.each(swept)('$name: killed, then met by another fault, and run again it ends the same', async (scenario) => {
  const stage = await openStage(scenario);
  const { pairs, violations } = await sweepPairs(stage).finally(() => stage.peer.close());
  process.stdout.write(`S3 pairs | ${scenario.name} | ${pairs} pairs | ${violations.length} violations\n`);
  expect(violations.slice(0, 20)).toEqual([]);
  expect(pairs).toBeGreaterThan(4);
});
