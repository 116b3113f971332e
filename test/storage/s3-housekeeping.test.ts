/** A fault at every request of a night's housekeeping, for as long as the night lasts: it changes nothing that is published. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { fakeClock } from '../http/loopback.ts';
import { company, slots } from '../night/small.ts';
import { type Fault, faults } from '../peers/s3/faults.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { sample } from '../sampling.ts';
import { damageIn } from './damage.ts';
import { look } from './s3-reader.ts';
import { heldStore, nameOf, toShape } from './s3-sweep.ts';

const prefix = 'muster/prod/';
const [first = '', second = '', third = '', fourth = ''] = slots;

/** Every request is denied; what a write does before it is answered with a failure matters only for writes. */
const plan: readonly (readonly [kind: string, fault: Fault, isWriteOnly: boolean])[] = [
  ['denied', faults.deny, false],
  ['failing after it is done', faults.failAfter, true],
];

test.each(plan)('%s for ever [S2, S3]', async (kind, fault, isWriteOnly) => {
  const peer = await startS3Peer({ buckets: ['reports', 'audit'] });
  try {
    const client = clientOf(peer);
    const store = storeOf(peer, { client });
    const audit = createS3Store({ bucket: 'audit', prefix: '' }, { client });
    const made = company();
    made.keptNights = 2;
    const channels = [listener('one'), listener('two', true)];
    const clock = fakeClock();
    const night = (slot: string) => runNight(made.order(slot), { ...partsWith(made, store, channels, clock), audit });
    const act = () => night(fourth);

    await night(first);
    await night(second);
    // The third night was killed after its commit: copies, messages, audit and retention are all to be done.
    peer.setFault(({ key, operation, bucket }) =>
      operation === 'CopyObject' || key.includes('claims/') || bucket === 'audit' || operation === 'DeleteObject'
        ? faults.deny
        : undefined,
    );
    expect(await night(third)).toMatchObject({ did: 'published', unfinished: [{}, {}, {}, {}] });
    const template = peer.snapshot();

    const requests = new Map<string, number>();
    peer.setFault((call) => {
      requests.set(nameOf(call), (requests.get(nameOf(call)) ?? 0) + 1);
      return undefined;
    });
    expect(await act()).toMatchObject({ exit: 0, did: 'published' });
    peer.setFault(undefined);
    const wanted = look(peer.objects('reports'), prefix);

    const housekeeping = [...requests.keys()].filter(
      (name) => !isNeeded(name) && !(isWriteOnly && /^(Get|Head|List)/.test(name)),
    );
    const shapes = [...Map.groupBy(housekeeping, toShape).values()].flatMap(([name = '']) => name);
    const swept = sample(shapes, 10);
    const problems: string[] = [];
    const tally = { finished: 0, unfinished: 0 };
    for (const name of swept) {
      peer.restore(template);
      peer.setFault((call) => (nameOf(call) === name ? fault : undefined));
      const outcome: RunOutcome | Error = await act().catch((error: Error) => error);
      peer.setFault(undefined);
      if (outcome instanceof Error || outcome.did !== 'published') {
        problems.push(`${name}: ${outcome instanceof Error ? outcome.message : outcome.did}`);
        continue;
      }
      tally[outcome.exit === 0 ? 'finished' : 'unfinished'] += 1;
      const seen = look(peer.objects('reports'), prefix);
      if (!isDeepStrictEqual(seen?.reports, wanted?.reports) || seen?.number !== wanted?.number) {
        problems.push(`${name}: another night was published`);
      }
      if (outcome.exit === 3 && outcome.unfinished === undefined && outcome.delivery?.undelivered.length === 0) {
        problems.push(`${name}: exit 3, and nobody says why`);
      }
      // What is finished has nothing left to be done.
      const again = outcome.exit === 0 ? { exit: 0, did: 'unchanged' } : await act();
      if (again.exit !== 0 || again.did !== 'unchanged') {
        problems.push(`${name}: run again it ended ${again.did} with ${again.exit}`);
      }
      await checkEnd(peer, problems, name);
    }
    process.stdout.write(
      `S3 housekeeping | ${kind} | ${requests.size} requests, ${housekeeping.length} of them housekeeping of ${shapes.length} shapes, ${swept.length} swept | finished all the same ${tally.finished}, unfinished ${tally.unfinished} | ${problems.length} problems\n`,
    );
    expect(problems).toEqual([]);
    expect(housekeeping.length).toBeGreaterThan(isWriteOnly ? 50 : 100);
    expect(shapes.length).toBeGreaterThan(isWriteOnly ? 20 : 40);
    expect(tally.unfinished).toBeGreaterThan(isWriteOnly ? 2 : 6);

    async function checkEnd(place: S3Peer, found: string[], name: string): Promise<void> {
      const damage = await damageIn(heldStore(place.objects('reports')));
      found.push(...damage.map((sentence) => `${name}: ${sentence}`));
      const kept = [...place.objects('audit').keys()];
      if (!isDeepStrictEqual(kept, [1, 2, 3, 4].map(toCommitKey))) {
        found.push(`${name}: the audit has ${kept.join()}`);
      }
    }
  } finally {
    await peer.close();
  }
});

/** What a night cannot do without: the log, what shows that it is whole, and the state of the run before, and what it writes. */
function isNeeded(name: string): boolean {
  return (
    name.endsWith(`/${prefix}latest.json`) ||
    new RegExp(`^GetObject reports/${prefix}(commits/.*|runs/${third}/ATTEMPT/(state\\.json\\.gz|state/[^/]+))$`).test(
      name,
    ) ||
    /^(ListObjectsV2|PutObject) reports\/.*commits\//.test(name) ||
    // Where traces of runs are looked for that no commit names.
    new RegExp(`^ListObjectsV2 reports/${prefix}(runs|devices)/$`).test(name) ||
    (name.startsWith(`PutObject reports/${prefix}runs/${fourth}/`) && !/\/(claims|delivered)\//.test(name))
  );
}
