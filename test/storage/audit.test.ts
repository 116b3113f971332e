import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MusterError } from '../../src/errors.ts';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { keepManifest, keepManifests } from '../../src/storage/runs/audit.ts';
import { type CurrentRun, readCurrentRun } from '../../src/storage/runs/published-runs.ts';
import type { Store } from '../../src/storage/store.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { listSlots, makeStore, publishRuns, readRunThatStands } from './written-runs.ts';

const [first = '', second = ''] = slots;

describe('manifests for the audit', () => {
  let folder: string;
  let store: Store;
  let audit: Store;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-audit-'));
    store = createFolderStore(join(folder, 'store'));
    audit = createFolderStore(join(folder, 'audit'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function standing(): Promise<CurrentRun> {
    const found = await readCurrentRun(store);
    if (found === undefined) {
      throw new Error('nothing is published');
    }
    return found;
  }

  it('are kept night by night, as they were published, and nothing else is', async () => {
    const made = company();
    for (const slot of [first, second]) {
      await runNight(made.order(slot), { ...made.parts(store), audit });
    }
    const kept = await keysOf(audit);
    expect(kept).toEqual(
      (await keysOf(store)).filter((key) => key.startsWith('runs/') && key.endsWith('manifest.json')),
    );
    expect(kept).toHaveLength(2);
    for (const key of kept) {
      expect(await audit.digest(key)).toBe(await store.digest(key));
    }
  });

  it('are kept later where the audit was away, and the night says that it is not finished', async () => {
    const made = company();
    const away = { ...audit, digest: () => Promise.reject(new Error('the audit is away')) };
    const outcome = await runNight(made.order(first), { ...made.parts(store), audit: away });
    expect(outcome).toMatchObject({ did: 'published', exit: 3 });
    expect(outcome.unfinished).toMatchObject([
      { step: 'audit', message: expect.stringContaining('the audit is away') },
    ]);
    await runNight(made.order(first), { ...made.parts(store), audit });
    expect(await keysOf(audit)).toEqual([(await standing()).link.manifest]);
  });

  it('are kept once by two at once', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(store));
    const run = await standing();
    await Promise.all([keepManifest(store, audit, run), keepManifest(store, audit, run)]);
    await keepManifest(store, audit, run);
    expect(await keysOf(audit)).toEqual([run.link.manifest]);
  });

  it('stay as they are where the store says something else later', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(store));
    const run = await standing();
    await audit.create(run.link.manifest, Buffer.from('another'));
    await expect(keepManifest(store, audit, run)).rejects.toMatchObject({ code: 'audit-differs' });
    expect((await audit.read(run.link.manifest))?.body.toString()).toBe('another');
  });

  it('are not taken from a store whose own is damaged', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(store));
    const run = await standing();
    await store.put(run.link.manifest, Buffer.from('{}'));
    await expect(keepManifest(store, audit, run)).rejects.toMatchObject({ code: 'store-damaged' });
    expect(await keysOf(audit)).toEqual([]);
  });
});

describe('manifests that the audit lacks', () => {
  const slots = listSlots(1, 2, 3);
  const keyOf = (slot: string) => `runs/${slot}/a/manifest.json`;

  async function publishThree(told?: object[], more: Partial<Store> = {}) {
    const store = makeStore();
    const audit = makeStore('/audit');
    await publishRuns(store, slots, () => ({ published: slots, state: told && { told } }));
    const current = await readRunThatStands(store);
    return { store, audit, keep: () => keepManifests(store, { ...audit, ...more }, current) };
  }
  const copyTo = async (store: Store, audit: Store, slot: string) =>
    audit.put(keyOf(slot), (await store.read(keyOf(slot)))?.body ?? Buffer.alloc(0));

  it('are copied oldest first, so that none is missing before one that is there', async () => {
    const created: string[] = [];
    const { audit, keep } = await publishThree(undefined, {
      async create(key, body) {
        created.push(key);
        return audit.create(key, body);
      },
    });
    await keep();
    expect(created).toEqual(slots.map(keyOf));
  });

  it('are those since the last one that is there, and all while an alert says that some could not be copied', async () => {
    const [first = '', second = '', third = ''] = slots;
    const quiet = await publishThree();
    await copyTo(quiet.store, quiet.audit, second);
    await quiet.keep();
    expect(await keysOf(quiet.audit)).toEqual([keyOf(second), keyOf(third)]);

    const open = { key: 'housekeeping:audit', kind: 'housekeeping.unfinished', last: third };
    for (const [since, expected] of [
      [second, slots],
      [third, [second, third]],
    ] as const) {
      const alerted = await publishThree([{ ...open, since }]);
      await copyTo(alerted.store, alerted.audit, second);
      await alerted.keep();
      expect(await keysOf(alerted.audit)).toEqual(expected.map(keyOf));
    }
    expect(first).not.toBe(second);
  });

  it('are copied beside one that differs, or is damaged, which is said at the end', async () => {
    const [first = '', second = '', third = ''] = slots;
    const differing = await publishThree();
    await differing.audit.put(keyOf(first), Buffer.from('another'));
    await expect(differing.keep()).rejects.toMatchObject({
      code: 'audit-differs',
      message: expect.stringContaining(`${keyOf(first)} in /audit is not the manifest that was published in /store`),
    });
    expect(await keysOf(differing.audit)).toEqual(slots.map(keyOf));

    // Nothing leads behind a damaged manifest.
    const damaged = await publishThree();
    await damaged.store.put(keyOf(second), Buffer.from('{}'));
    await expect(damaged.keep()).rejects.toMatchObject({ code: 'store-damaged' });
    expect(await keysOf(damaged.audit)).toEqual([keyOf(third)]);
  });

  it.each(['digest', 'create'] as const)(
    'are left where the audit fails to %s, and none after it is copied',
    async (way) => {
      const error = new MusterError('store-unreachable', 'Away.');
      let asked = 0;
      const failing = async () => {
        asked += 1;
        throw error;
      };
      const { audit, keep } = await publishThree(undefined, { [way]: failing });
      await expect(keep()).rejects.toBe(error);
      expect(await keysOf(audit)).toEqual([]);
      expect(asked).toBe(1);
    },
  );

  it('are left where the store cannot be read, before any is copied', async () => {
    const { store, audit } = await publishThree();
    const current = await readRunThatStands(store);
    const error = new MusterError('store-unreachable', 'Away.');
    const read: Store['read'] = (key) => (key === keyOf(slots[0] ?? '') ? Promise.reject(error) : store.read(key));
    await expect(keepManifests({ ...store, read }, audit, current)).rejects.toBe(error);
    expect(await keysOf(audit)).toEqual([]);
  });

  it('are not read or written again where they are there', async () => {
    const { store, audit, keep } = await publishThree();
    await keep();
    const current = await readRunThatStands(store);
    const refusing = () => Promise.reject(new TypeError('it was asked'));
    await keepManifest({ ...store, read: refusing }, { ...audit, create: refusing }, current);
    expect(await keysOf(audit)).toHaveLength(3);
  });

  it('that the store changed since they were published are named, and not copied', async () => {
    const { store, audit, keep } = await publishThree();
    const key = keyOf(slots[2] ?? '');
    await store.put(key, Buffer.from('{}'));
    await expect(keep()).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.stringContaining(`${key} is damaged: its SHA-256 is not the one that was published.`),
    });
    expect(await keysOf(audit)).not.toContain(key);
  });

  it('are there where the answer of writing them was lost; another error stays what it is', async () => {
    const lost = new MusterError('store-unreachable', 'The answer was lost.');
    const { audit, keep } = await publishThree(undefined, {
      async create(key, body) {
        await audit.create(key, body);
        throw lost;
      },
    });
    await keep();
    expect(await keysOf(audit)).toEqual(slots.map(keyOf));

    const other = Object.assign(new Error('refused'), { code: 'key-taken' });
    const refusing = await publishThree(undefined, { create: () => Promise.reject(other) });
    await expect(refusing.keep()).rejects.toBe(other);
  });
});
