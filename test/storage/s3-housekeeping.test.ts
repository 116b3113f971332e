/** A fault at every request of a night's housekeeping, for as long as the night lasts: it changes nothing that is published. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { fakeClock } from '../http/loopback.ts';
import { company, slots } from '../night/small.ts';
import { type Fault, faults } from '../peers/s3/faults.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { isDeep, sample } from '../sampling.ts';
import { damageIn } from './damage.ts';
import { look } from './s3-reader.ts';
import { heldStore, nameOf, toShape } from './s3-sweep.ts';

const prefix = 'muster/prod/';
const [first = '', second = '', third = '', fourth = ''] = slots;

/** The fourth night, which also has to do what the third left undone. */
let stage: Awaited<ReturnType<typeof openNight>>;
beforeAll(async () => {
  stage = await openNight();
});
afterAll(() => stage.peer.close());

async function openNight() {
  const peer = await startS3Peer({ buckets: ['reports', 'audit'] });
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
    operation === 'CopyObject' || key.includes('.claim.json') || bucket === 'audit' || operation === 'DeleteObject'
      ? faults.deny
      : undefined,
  );
  expect(await night(third)).toMatchObject({
    did: 'published',
    unfinished: [{ step: 'copies' }, { step: 'messages' }, { step: 'audit' }],
    // Nothing is removed while readers see the run before.
    owed: [{ work: 'copy' }, { work: 'remove' }],
  });
  const template = peer.snapshot();

  const requests = new Set<string>();
  peer.setFault((call) => {
    requests.add(nameOf(call));
    return undefined;
  });
  expect(await act()).toMatchObject({ exit: 0, did: 'published' });
  peer.setFault(undefined);
  return { peer, template, requests, wanted: look(peer.objects('reports'), prefix), act };
}

/** Every request is denied; what a write does before it is answered with a failure matters only for writes. */
const plan: readonly (readonly [kind: string, fault: Fault, isWriteOnly: boolean])[] = [
  ['denied', faults.deny, false],
  ['failing after it is done', faults.failAfter, true],
];

test.each(plan)('%s for ever [S2, S3]', async (kind, fault, isWriteOnly) => {
  const { peer, template, requests, wanted, act } = stage;
  const housekeeping = [...requests].filter(
    (name) => !isNeeded(name) && !(isWriteOnly && /^(Get|Head|List)/.test(name)),
  );
  const areas = takeLasts(housekeeping, toArea);
  const swept = isDeep ? takeLasts(housekeeping, toShape) : sample(areas, 6);
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
    const damage = await damageIn(heldStore(peer.objects('reports')));
    problems.push(...damage.map((sentence) => `${name}: ${sentence}`));
    const kept = [...peer.objects('audit').keys()];
    if (!isDeepStrictEqual(kept, [1, 2, 3, 4].map(toCommitKey))) {
      problems.push(`${name}: the audit has ${kept.join()}`);
    }
  }
  process.stdout.write(
    `S3 housekeeping | ${kind} | ${requests.size} requests, ${housekeeping.length} of them housekeeping in ${areas.length} areas, ${swept.length} swept | finished all the same ${tally.finished}, unfinished ${tally.unfinished} | ${problems.length} problems\n`,
  );
  expect(problems).toEqual([]);
  expect(housekeeping.length).toBeGreaterThan(isWriteOnly ? 40 : 70);
  expect(areas.length).toBeGreaterThan(isWriteOnly ? 6 : 15);
  expect(tally.unfinished).toBeGreaterThan(isWriteOnly ? 1 : 2);
});

function takeLasts(names: readonly string[], toGroup: (name: string) => string): readonly string[] {
  return [...Map.groupBy(names, toGroup).values()].flatMap((group) => group.at(-1) ?? []);
}

/** What is done in a folder is done by the same lines to each of its files, and in each run. */
function toArea(name: string): string {
  return name.startsWith('DeleteObject')
    ? name.replace(/\/date=.*|\/runs\/.*/, '')
    : name.replace(/[^/]*$/, '').replace(/\d{4}-\d\d-\d\d/, 'SLOT');
}

/** What a night cannot do without: the log, what shows that it is whole, and the state of the run before, and what it writes. */
function isNeeded(name: string): boolean {
  return (
    name.endsWith(`/${prefix}latest.json`) ||
    new RegExp(
      `^(?:Get|Head)Object reports/${prefix}(commits/.*|runs/${third}/ATTEMPT/(state\\.json\\.gz|state/[^/]+))$`,
    ).test(name) ||
    /^(ListObjectsV2|PutObject) reports\/.*commits\//.test(name) ||
    // Where traces of runs are looked for that no commit names, and what their attempts read of the instruments.
    new RegExp(`^ListObjectsV2 reports/${prefix}(runs|runs/${third}|devices)/$`).test(name) ||
    (name.startsWith(`PutObject reports/${prefix}runs/${fourth}/`) && !/\/(claims|delivered)\//.test(name))
  );
}
