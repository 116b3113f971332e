import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { keepManifest } from '../../src/storage/runs/audit.ts';
import { type CurrentRun, readCurrentRun } from '../../src/storage/runs/published-runs.ts';
import type { Store } from '../../src/storage/store.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';

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
