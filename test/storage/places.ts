/** The same company over a folder and over a bucket, with an audit or without: for what must hold in each. */
import type { Clock } from '../../src/http/clock.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { acceptRun, findHeldBackRuns, pruneRuns } from '../../src/run/corrections/republish.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import type { Parts, RunRequest } from '../../src/run/parts.ts';
import type { Commit } from '../../src/storage/commits/commit.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { company } from '../night/small.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { makeSigning } from './make-signing.ts';
import { makeStore } from './written-runs.ts';

export type PlaceKind = 'a folder' | 'a bucket';

interface OpenPlace {
  readonly store: Store;
  readonly audit: Store;
  close(): Promise<void>;
}

const openers: Readonly<Record<PlaceKind, () => Promise<OpenPlace>>> = {
  'a folder': async () => ({ store: makeStore(), audit: makeStore('/audit'), close: async () => undefined }),
  'a bucket': async () => {
    const peer = await startS3Peer({ buckets: ['reports', 'audit'] });
    const client = clientOf(peer);
    const audit = createS3Store({ bucket: 'audit', prefix: '' }, { client });
    return { store: storeOf(peer, { client }), audit, close: () => peer.close() };
  },
};

export type StoreSetup = Awaited<ReturnType<typeof openStoreSetup>>;

export async function openStoreSetup(kind: PlaceKind, { hasAudit = false, isSigned = false } = {}) {
  const { store, audit, close } = await openers[kind]();
  const made = company();
  const channel = listener('one', true);
  const signing = makeSigning();
  const clock = { ahead: 0 };
  const own: Clock = { ...systemClock, now: () => new Date(Date.now() + clock.ahead) };
  const parts = (on: Store = store): Parts => ({
    ...partsWith(made, on, [channel], own),
    clock: own,
    ...(hasAudit ? { audit } : {}),
    ...(isSigned ? { signing } : {}),
  });
  const read = async (key: string) => (await store.read(key))?.toString() ?? '';
  return {
    store,
    audit,
    made,
    channel,
    clock,
    signing,
    close,
    parts,
    night: (slot: string, on?: Store, more?: Partial<RunRequest>) => runNight(made.order(slot, more), parts(on)),
    accept: (slot: string) => acceptRun(slot, 'ada', parts()),
    retract: (slot: string, on?: Store) => retractRun({ slot, by: 'ada', why: 'wrong clock' }, parts(on)),
    async prune() {
      const held = await findHeldBackRuns(parts(), made.keptNights);
      return held === undefined || held.slots.length === 0
        ? undefined
        : pruneRuns(held, made.keptNights, 'ada', parts());
    },
    async codes(keys = isSigned) {
      const options = { ...(hasAudit ? { audit } : {}), ...(keys ? { keys: await signing.readKeys() } : {}) };
      return (await verifyRuns(store, options)).damage.map(({ code }) => code);
    },
    commit: async (number: number) => JSON.parse(await read(toCommitKey(number))) as Commit,
    write: (key: string, value: object) => store.put(key, serializeRecord(value)),
    latest: async () => JSON.parse(await read('latest.json')) as Record<string, unknown>,
  };
}
