/** A run in a bucket that is killed, the next one that meets another fault, and a third that nothing disturbs (G1, G3, G13). */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { type Scenario, scenarios } from '../night/scenarios.ts';
import { company } from '../night/small.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { isDeep, sample } from '../sampling.ts';
import { copiesIn, look } from './s3-reader.ts';
import { checkEnd, type Ended, faultAt, type Kind, prefix, requestsOf } from './s3-sweep.ts';

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
  return sample(pairs.flat(), 7);
}

async function playPair(peer: S3Peer, { first, kind, second }: Pair, act: () => Promise<RunOutcome>): Promise<void> {
  faultAt(peer, 'kill after', first, act);
  await act().catch(() => undefined);
  faultAt(peer, kind, second, act);
  await act().catch(() => undefined);
  peer.setFault(undefined);
}

async function sweepPairs(scenario: Scenario): Promise<{ pairs: number; violations: string[] }> {
  const peer = await startS3Peer({ buckets: ['reports'] });
  try {
    const made = company();
    const store = storeOf(peer, { client: clientOf(peer) });
    const act = () => scenario.act(store, made);
    await scenario.prepare(store, made);
    const template = peer.snapshot();
    const before = look(peer.objects(), prefix);
    const requests = await requestsOf(peer, act);
    const wanted: Ended = { seen: look(peer.objects(), prefix), copies: copiesIn(peer.objects(), prefix) };
    const violations: string[] = [];
    const pairs = listPairs(requests.length);
    for (const pair of pairs) {
      const problem = (what: string) => violations.push(`${scenario.name}, ${JSON.stringify(pair)}: ${what}`);
      peer.restore(template);
      await playPair(peer, pair, act);
      const seen = look(peer.objects(), prefix);
      if (!isDeepStrictEqual(seen, before) && !isDeepStrictEqual(seen?.reports, wanted.seen?.reports)) {
        problem('a reader saw neither the old run nor the new one');
      }
      const { exit, did } = await act();
      if (exit !== scenario.exit) {
        problem(`undisturbed it ended ${did} with ${exit}`);
      }
      await checkEnd(peer, wanted, before, problem);
    }
    return { pairs: pairs.length, violations };
  } finally {
    await peer.close();
  }
}

const swept = isDeep ? scenarios : scenarios.filter(({ name }) => /second night|removes an old one/.test(name));

test.each(swept)('$name: killed, then met by another fault, and run again it ends the same', async (scenario) => {
  const { pairs, violations } = await sweepPairs(scenario);
  process.stdout.write(`S3 pairs | ${scenario.name} | ${pairs} pairs | ${violations.length} violations\n`);
  expect(violations.slice(0, 20)).toEqual([]);
  expect(pairs).toBeGreaterThan(6);
});
