/** Stores that a writer without a key attacks while a run is under way: in a folder or a bucket, with a life behind them. */
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import type { TrustedKeys } from '../../src/storage/signing/trusted-keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { type Verification, verifyRuns } from '../../src/storage/verify/verify.ts';
import { type Listener, listener, partsWith } from '../alerts/listeners.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { memoryDisk } from '../storage/disks.ts';
import { makeSigning } from '../storage/make-signing.ts';
import type { PlaceKind } from '../storage/places.ts';
import { type Company, company, slots } from './small.ts';
import { watching } from './watching.ts';

const [first = '', second = '', third = '', fourth = '', fifth = ''] = slots;
const wrong = [{ result: 'fail' as const }];

interface Life {
  /** Lives it, but for the run that is attacked. */
  live(run: (slot: string) => Promise<RunOutcome>, made: Company): Promise<unknown>;
  /** The slot of the run that is attacked. */
  readonly attacked: string;
}

async function livePartly(run: (slot: string) => Promise<RunOutcome>, made: Company): Promise<void> {
  await run(first);
  await run(second);
  made.away.add('windows');
  await run(third);
  made.away.clear();
}

const lives = {
  'after three runs': {
    attacked: fourth,
    async live(run) {
      await run(first);
      await run(second);
      await run(third);
    },
  },
  'after a healing': {
    attacked: fourth,
    async live(run, made) {
      await livePartly(run, made);
      await run(third);
    },
  },
  'while it heals': { attacked: third, live: livePartly },
  'after a wrong instrument': {
    attacked: fourth,
    async live(run, made) {
      await run(first);
      await run(second);
      made.instruments.set('macs', wrong);
      await run(third);
      made.instruments.clear();
    },
  },
} as const satisfies Readonly<Record<string, Life>>;

export interface Setting {
  readonly kind: PlaceKind;
  readonly life: keyof typeof lives;
  /** At three the run that is attacked, or the next one, removes an earlier one. */
  readonly keptNights: 3 | 400;
  readonly hasAudit: boolean;
  /** Requests that `npm test` attacks in each way. */
  readonly daily: number;
  /** Every ninth way from this one on, in the daily run; all ways without it. */
  readonly dailyWays?: number;
  /** Every third way from this one on, in the deep run, as a bucket takes its time; all ways without it. */
  readonly deepWays?: 0 | 1 | 2;
}

export const settings: readonly Setting[] = [
  { kind: 'a folder', life: 'after three runs', keptNights: 3, hasAudit: true, daily: 1 },
  { kind: 'a folder', life: 'after a healing', keptNights: 3, hasAudit: false, daily: 1, dailyWays: 0 },
  { kind: 'a folder', life: 'while it heals', keptNights: 3, hasAudit: true, daily: 1, dailyWays: 1 },
  { kind: 'a folder', life: 'after a wrong instrument', keptNights: 400, hasAudit: false, daily: 1, dailyWays: 2 },
  { kind: 'a bucket', life: 'after three runs', keptNights: 3, hasAudit: false, daily: 1, dailyWays: 3, deepWays: 0 },
  { kind: 'a bucket', life: 'after a healing', keptNights: 3, hasAudit: true, daily: 1, dailyWays: 4, deepWays: 1 },
  { kind: 'a bucket', life: 'while it heals', keptNights: 400, hasAudit: true, daily: 1, dailyWays: 5, deepWays: 2 },
];

interface Place {
  readonly store: Store;
  readonly audit: Store;
  /** Remembers all that is there, which `reset` leads back to. */
  keep(): void;
  reset(): void;
  /** The store for a run, where something is done before each request. */
  watch(before: (request: number) => Promise<unknown>): Store;
  close(): Promise<void>;
}

const openers: Readonly<Record<PlaceKind, () => Promise<Place>>> = {
  async 'a folder'() {
    let [disk, auditDisk] = [memoryDisk(), memoryDisk()];
    let kept = [disk, auditDisk] as const;
    return {
      get store() {
        return createFolderStore('/store', disk);
      },
      get audit() {
        return createFolderStore('/audit', auditDisk);
      },
      keep() {
        kept = [disk.clone(), auditDisk.clone()];
      },
      reset() {
        [disk, auditDisk] = [kept[0].clone(), kept[1].clone()];
      },
      watch: (before) =>
        watching(createFolderStore('/store', disk), async (request) => {
          await before(request);
        }),
      close: async () => undefined,
    };
  },
  async 'a bucket'() {
    const peer = await startS3Peer({ buckets: ['reports', 'audit'] });
    const client = clientOf(peer);
    const store = storeOf(peer, { client });
    const { name: watched } = peer.bucket();
    let kept = peer.snapshot();
    return {
      store,
      audit: createS3Store({ bucket: 'audit', prefix: '' }, { client }),
      keep() {
        kept = peer.snapshot();
      },
      reset() {
        peer.setFault(undefined);
        peer.restore(kept);
      },
      watch(before) {
        let requests = 0;
        let isActing = false;
        peer.setFault(async ({ bucket }) => {
          // Requests of whoever acts are none of the run's.
          if (bucket === watched && !isActing) {
            requests += 1;
            isActing = true;
            await before(requests);
            isActing = false;
          }
          return undefined;
        });
        return store;
      },
      close: () => peer.close(),
    };
  },
};

/** Requests and tables of two runs that nobody attacks: the one that is attacked else, and the next. */
interface Unharmed {
  readonly requests: number;
  readonly devices: readonly [attacked: string, next: string];
}

export interface Attacked {
  readonly place: Place;
  readonly keys: TrustedKeys;
  /** The slot of the run that is attacked. */
  readonly slot: string;
  /** The last slot before it. */
  readonly earlier: string;
  readonly unharmed: Unharmed;
  /** Takes it back to the moment before the run. */
  reset(): Listener;
  run(slot: string, store?: Store): Promise<RunOutcome>;
  verify(): Promise<Verification>;
  readDevices(slot: string): Promise<string>;
  close(): Promise<void>;
}

/** The slot of the run after the one that is attacked. */
export const nextSlot = fifth;

export async function openAttacked({ kind, life, keptNights, hasAudit }: Setting): Promise<Attacked> {
  const place = await openers[kind]();
  const made = company();
  made.keptNights = keptNights;
  const signing = makeSigning();
  const keys = await signing.readKeys();
  let channel = listener('people');
  const run = (slot: string, store = place.store) => {
    const parts = { ...partsWith(made, store, [channel], systemClock), signing };
    return runNight(made.order(slot), { ...parts, ...(hasAudit ? { audit: place.audit } : {}) });
  };
  const readDevices = async (slot: string) => String(await place.store.read(`devices/date=${slot}/devices.csv`));
  const reset = () => {
    place.reset();
    channel = listener('people');
    return channel;
  };
  const { attacked, live } = lives[life];
  await live(run, made);
  place.keep();
  let requests = 0;
  const counting = place.watch(async (request) => {
    requests = request;
  });
  const outcome = await run(attacked, counting);
  if (outcome.exit !== 0 || outcome.did !== 'published') {
    throw new Error(`The run that nobody attacks ended ${outcome.did} with ${outcome.exit}.`);
  }
  const counted = requests;
  const devices = await readDevices(attacked);
  await run(nextSlot);
  const unharmed = { requests: counted, devices: [devices, await readDevices(nextSlot)] } as const;
  const audit = hasAudit ? place.audit : undefined;
  return {
    place,
    keys,
    slot: attacked,
    earlier: attacked === third ? second : third,
    unharmed,
    reset,
    run,
    verify: () => verifyRuns(place.store, { keys, audit: audit && place.audit }),
    readDevices,
    close: place.close,
  };
}
