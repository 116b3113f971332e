/** Attacks on a store that once went unseen, by their numbers: each with an audit, after healing, at the retention limit. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { Commit } from '../../src/storage/commits/commit.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Signing } from '../../src/storage/signing/signing.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { slots } from '../night/small.ts';
import { isDeep } from '../sampling.ts';
import { openStoreSetup, type PlaceKind, type StoreSetup } from './places.ts';
import { readObjects } from './written-runs.ts';

const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = slots;

/** Four slots; the last of them has two attempts where it was healed or accepted. */
const histories: Readonly<Record<string, (setup: StoreSetup) => Promise<unknown>>> = {
  plain: async ({ night }) => {
    for (const slot of [first, second, third, fourth]) {
      await night(slot);
    }
  },
  healed: async ({ made, night }) => {
    await night(first);
    await night(second);
    await night(third);
    made.away.add('windows');
    await night(fourth);
    made.away.clear();
    expect(await night(fourth)).toMatchObject({ exit: 0, did: 'published' });
  },
  accepted: async ({ made, night, accept }) => {
    await night(first);
    await night(second);
    await night(third);
    made.shrunk.add('macs');
    await night(fourth);
    expect(await accept(fourth)).toMatchObject({ exit: 0, did: 'published' });
    made.shrunk.clear();
  },
  'at the retention limit': async (setup) => {
    setup.made.keptNights = 2;
    await histories.plain?.(setup);
  },
  'healed at the retention limit': async (setup) => {
    setup.made.keptNights = 2;
    await histories.healed?.(setup);
  },
};

type Objects = ReadonlyMap<string, Buffer>;

interface Left {
  readonly signing: Signing;
  readonly keptNights: number;
  readonly objects: Objects;
  readonly audited: Objects;
}

async function writeAll(store: Store, objects: Objects): Promise<void> {
  await Promise.all([...objects].map(([key, body]) => store.put(key, body)));
}

const places: readonly (readonly [kind: PlaceKind, history: string, hasAudit: boolean])[] = [
  ['a folder', 'plain', false],
  ['a folder', 'healed', true],
  ['a folder', 'accepted', false],
  ['a folder', 'at the retention limit', true],
  ['a folder', 'healed at the retention limit', true],
  ['a bucket', 'healed at the retention limit', true],
];

describe.each(places)('in %s, %s (audit: %s)', (kind, history, hasAudit) => {
  let setup: StoreSetup;
  /** What the history left, signed or not: it is lived once, and each attack meets a store with the same objects. */
  const left = new Map<boolean, Left>();
  const open = async (isSigned = false) => {
    setup = await openStoreSetup(kind, { hasAudit, isSigned });
    const known = left.get(isSigned);
    if (known === undefined) {
      await histories[history]?.(setup);
      expect(await setup.codes()).toEqual([]);
      const { signing, made, store, audit } = setup;
      const objects = await readObjects(store);
      left.set(isSigned, { signing, keptNights: made.keptNights, objects, audited: await readObjects(audit) });
      return;
    }
    Object.assign(setup.signing, known.signing);
    setup.made.keptNights = known.keptNights;
    await writeAll(setup.store, known.objects);
    await writeAll(setup.audit, known.audited);
  };
  /** What is attacked is the log, wherever it lies: of these, only `npm run test:deep` attacks one in a bucket. */
  const attack = kind === 'a folder' || isDeep ? test : () => undefined;
  beforeEach(() => open());
  afterEach(() => setup.close());

  const newest = async () => (await readCurrentRun(setup.store))?.commit.number ?? 0;
  const refused = async () => {
    const before = await newest().catch(() => -1);
    await expect(setup.night(fifth)).rejects.toMatchObject({ code: 'log-damaged' });
    expect(await newest().catch(() => -1)).toBe(before);
  };

  /** Every commit anew, each naming the one before it, and latest.json. */
  async function rewriteLog(change: (commit: Commit) => object): Promise<void> {
    let previous: Commit['previous'] = null;
    const last = await newest();
    for (let number = 1; number <= last; number += 1) {
      const body = serializeRecord({ ...change(await setup.commit(number)), previous });
      await setup.store.put(toCommitKey(number), body);
      previous = { number, sha256: computeSha256(body) };
    }
    await setup.write('latest.json', { ...(await setup.latest()), sha256: previous?.sha256 });
  }

  attack('R1: a history made anew without its signatures is named, and no run builds on it [R1]', async () => {
    await setup.close();
    await open(true);
    await rewriteLog(({ signature: _, ...commit }) => commit);
    await refused();
    expect(await setup.codes(true)).toContain('signature-missing');
    expect((await setup.codes(false)).includes('audit-differs')).toBe(hasAudit);
  });

  test('R2: a latest.json that was set back changes nothing: the log says what stands [R2]', async () => {
    const number = await newest();
    const earlier = await setup.commit(number - 1);
    const sha256 = computeSha256(serializeRecord(earlier));
    const { slot, attempt } = earlier;
    await setup.write('latest.json', {
      schema: 3,
      slot,
      attempt,
      number: number - 1,
      manifest: toCommitKey(number - 1),
      sha256,
    });
    // Verification says that it is behind.
    expect(await setup.codes()).toEqual([]);
    expect(await setup.night(fifth)).toMatchObject({ exit: 0, did: 'published' });
    expect(await newest()).toBe(number + 1);
    expect(await setup.codes()).toEqual([]);
  });

  attack('R2: a log whose end was removed, with latest.json, is named, and no run builds on it [R2]', async () => {
    await setup.store.remove(toCommitKey(await newest()));
    await setup.store.remove('latest.json');
    // A second attempt of the slot leaves no later trace: without an audit its copies alone tell of it.
    const isTold = hasAudit || history !== 'accepted';
    await (isTold ? refused() : undefined);
    const code = hasAudit ? 'audit-only' : isTold ? 'log-damaged' : 'copy-differs';
    expect(await setup.codes()).toEqual(expect.arrayContaining([code]));
  });

  attack('R3, R4: a run that is taken back leaves a sound store, and its slot may be run again [R3, R4]', async () => {
    const retracted = { exit: 0, did: 'published', night: { slot: third } };
    expect(await setup.retract(fourth)).toMatchObject(retracted);
    expect(await setup.codes()).toEqual([]);
    expect(await setup.night(fourth)).toMatchObject({ exit: 0, did: 'unchanged', isRetracted: true });
    expect(await setup.night(fourth, undefined, { isChosen: true })).toMatchObject({ exit: 0, did: 'published' });
    expect(await setup.codes()).toEqual([]);
    expect(await setup.retract(fourth)).toMatchObject(retracted);
    expect(await setup.night(fifth)).toMatchObject({ exit: 0, did: 'published' });
    expect(await setup.codes()).toEqual([]);
  });

  attack('R5: a number that nothing signs is believed nowhere [R5]', async () => {
    await setup.close();
    await open(true);
    await setup.retract(fourth);
    const number = await newest();
    await setup.write('latest.json', { ...(await setup.latest()), number: 4711 });
    await refused();
    expect(await setup.codes()).toContain('log-damaged');
    await setup.store.remove('latest.json');
    // The signed retraction once more, as if it were a later one.
    await setup.store.copy(toCommitKey(number), toCommitKey(number + 1));
    await refused();
    expect(await setup.codes()).toContain('log-damaged');
  });

  attack(
    'R9: a healing on a machine whose clock is behind, or a day ahead, replaces what it is better than [R9]',
    async () => {
      for (const [index, ahead] of [1_800_000, -1_800_000, 86_000_000].entries()) {
        const slot = [fifth, sixth, slots[6] ?? ''][index] ?? '';
        setup.made.away.add('windows');
        setup.clock.ahead = ahead;
        expect(await setup.night(slot)).toMatchObject({ exit: 3, did: 'published' });
        setup.made.away.clear();
        setup.clock.ahead = -ahead;
        expect(await setup.night(slot)).toMatchObject({ exit: 0, did: 'published' });
      }
      expect(await setup.codes()).toEqual([]);
    },
  );

  attack(
    'R13: a foreign dated copy is named whatever its date, though there is a folder of that date [R13]',
    async () => {
      const planted = { '2020-01-01': 'devices', [second]: 'planted', '2026-11-02x': 'devices' };
      for (const [date, name] of Object.entries(planted)) {
        await setup.store.put(`devices/date=${date}/${name}.csv`, Buffer.from('slot\n'));
        await setup.store.put(`runs/${date}/x/planted`, Buffer.from('x'));
      }
      expect(await setup.codes()).toEqual(Object.keys(planted).map(() => 'foreign-file'));
    },
  );

  attack('R13: a copy of a slot after the last one is a trace of a run whose commit is gone [R13]', async () => {
    await setup.store.put('devices/date=2030-01-01/devices.csv', Buffer.from('slot\n'));
    expect(await setup.codes()).toEqual(['log-damaged']);
    await refused();
  });

  test('R14: a run whose files the winner’s retention removed ends with 4 [R14]', async () => {
    setup.made.keptNights = 1;
    let isOver = false;
    const racing: Store = {
      ...setup.store,
      async create(key, body) {
        if (!isOver && key.startsWith(`runs/${fifth}/`)) {
          isOver = true;
          expect(await setup.night(fifth)).toMatchObject({ exit: 0, did: 'published' });
          await setup.prune();
        }
        return setup.store.create(key, body);
      },
    };
    expect(await setup.night(fifth, racing)).toMatchObject({ exit: 4, did: 'superseded' });
    expect(await setup.codes()).toEqual([]);
  });

  attack('R16: a commit of another store, signed by the same key, holds nowhere else [R16]', async () => {
    await setup.close();
    await open(true);
    const other = await openStoreSetup('a folder', { isSigned: true });
    Object.assign(other.signing, setup.signing);
    await histories[history]?.(other);
    const number = await newest();
    const body = (await other.store.read(toCommitKey(number))) ?? Buffer.alloc(0);
    await setup.store.put(toCommitKey(number), body);
    await setup.store.remove('latest.json');
    await refused();
    expect(await setup.codes()).toContain('log-damaged');
    if (hasAudit) {
      // All of the other store in this one's place, which only the audit can tell from this one.
      for (const key of await Array.fromAsync(setup.store.list(''))) {
        await setup.store.remove(key);
      }
      await writeAll(setup.store, await readObjects(other.store));
      await refused();
      expect(new Set(await setup.codes())).toEqual(new Set(['audit-differs']));
    }
  });
});
