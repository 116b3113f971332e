/** Stores that a night must not touch: written by a newer Muster, damaged, full, or not to be written (G15). */
import { readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/failure.ts';
import { acceptNight, runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/runs/verify.ts';
import type { Store } from '../../src/storage/store.ts';
import { damageIn } from '../storage/damage.ts';
import { around, memoryDisk, systemError } from '../storage/disks.ts';
import { keysOf, place } from './folder.ts';
import { contentsOf, look } from './reader.ts';
import { company, slots } from './small.ts';
import { packed, rewriteFile, rewriteManifest } from './tamper.ts';

const [first = '', second = '', third = ''] = slots;
const here = place();

const newer = (value: Record<string, unknown>) => ({ ...value, schema: Number(value.schema) + 1 });

async function rewritePointer(folder: string, change: (pointer: Record<string, unknown>) => unknown): Promise<void> {
  const path = join(folder, 'latest.json');
  await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')))));
}

/** A whole night and a partial one, so that running the second again reads everything. */
async function twoNights() {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.away.add('windows');
  await runNight(made.order(second), made.parts(here.store));
  return made;
}

async function refused(slot: string, code: string, named: string): Promise<void> {
  const made = company();
  const before = await contentsOf(here.path, true);
  const error: unknown = await runNight(made.order(slot), made.parts(here.store)).catch((reason) => reason);
  expect(error).toMatchObject({ code, message: expect.stringContaining(named) });
  expect(toExitCode(error)).toBe(1);
  expect(await contentsOf(here.path, true)).toEqual(before);
}

describe('what a newer Muster wrote is refused by name and never overwritten: [S20]', () => {
  const kinds = [
    { kind: 'the pointer', named: 'latest.json', slot: third, change: () => rewritePointer(here.path, newer) },
    { kind: 'the manifest', named: 'manifest.json', slot: third, change: () => rewriteManifest(here.path, newer) },
    {
      kind: 'the state',
      named: 'state.json.gz',
      slot: third,
      change: () => rewriteFile(here.path, 'state.json.gz', packed(newer)),
    },
    {
      kind: 'the facts',
      named: 'facts/night.json.gz',
      slot: second,
      change: () => rewriteFile(here.path, 'facts/night.json.gz', packed(newer)),
    },
    {
      kind: 'what the night was compared with',
      named: 'facts/before.json.gz',
      slot: second,
      change: () => rewriteFile(here.path, 'facts/before.json.gz', packed(newer)),
    },
  ];
  test.each(kinds)('$kind', async ({ change, named, slot }) => {
    await twoNights();
    await change();
    await refused(slot, 'store-newer', named);
    // Whoever verifies compares the bytes of facts with what was published, and does not read them.
    if (named.startsWith('facts/')) {
      expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
    } else {
      await expect(verifyRuns(here.store)).rejects.toMatchObject({
        code: 'store-newer',
        message: expect.stringContaining(named),
      });
    }
  });

  test('a manifest in a store without a pointer', async () => {
    await twoNights();
    await rewriteManifest(here.path, newer);
    for (const key of await keysOf(here.store)) {
      if (!key.startsWith('runs/')) {
        await rm(join(here.path, key));
      }
    }
    await rm(join(here.path, `runs/${first}`), { recursive: true });
    await refused(third, 'store-newer', 'manifest.json');
  });
});

describe('a damaged state is refused, and never taken for a first night: [S19]', () => {
  const damages: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    'cut off': (body) => body.subarray(0, body.length / 2),
    empty: () => Buffer.alloc(0),
    'one byte else': (body) => flipped(body, body.length >> 1),
    'no gzip': () => Buffer.from('{}'),
    'no JSON': () => gzipSync('{"schema":1,'),
    'no state': () => gzipSync('[]'),
    'no schema': packed(({ schema: _, ...rest }) => rest),
    'a schema in words': packed((value) => ({ ...value, schema: '1' })),
    'half a schema': packed((value) => ({ ...value, schema: 0.5 })),
  };
  test.each(Object.keys(damages))('%s', async (damage) => {
    await twoNights();
    const change = damages[damage] ?? ((body) => body);
    const { manifest } = JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
    const file = manifest.replace('manifest.json', 'state.json.gz');
    const original = await readFile(join(here.path, file));
    // As damage does it, with the hash of what was there.
    await writeFile(join(here.path, file), change(original));
    await refused(third, 'store-damaged', file);
    expect((await damageIn(here.store)).join()).toContain(file);
    await writeFile(join(here.path, file), original);
    // As a mistaken writer would do it, with the right hash.
    await rewriteFile(here.path, 'state.json.gz', change);
    await refused(third, 'store-damaged', file);
  });

  test.each(['state.json.gz', 'state/macs.ndjson.gz'])('%s is missing [S18]', async (name) => {
    await twoNights();
    const { manifest } = JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
    await rm(join(here.path, manifest.replace('manifest.json', name)));
    await refused(third, 'store-damaged', name);
  });

  const lines: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    'cut off': (body) => body.subarray(0, body.length / 2),
    'a last line without its end': (body) => gzipSync(gunzipSync(body).subarray(0, -1)),
    'a line that is no JSON': (body) => gzipSync(`${gunzipSync(body)}{"facts":\n`),
    'a line of nothing known': (body) => gzipSync(`${gunzipSync(body)}{"schema":3}\n`),
  };
  test.each(Object.keys(lines))('lines of devices: %s', async (damage) => {
    await twoNights();
    await rewriteFile(here.path, 'state/macs.ndjson.gz', lines[damage] ?? ((body) => body));
    await refused(third, 'store-damaged', 'state/macs.ndjson.gz');
  });
});

describe('a lost pointer', () => {
  test('is refused while there are copies [S8]', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    await unlink(join(here.path, 'latest.json'));
    await refused(second, 'store-pointer-lost', 'latest.json');
    await rm(join(here.path, 'runs'), { recursive: true });
    await refused(second, 'store-pointer-lost', 'latest.json');
    const accepted = acceptNight(first, 'somebody', made.parts(here.store));
    await expect(accepted).rejects.toMatchObject({ code: 'store-pointer-lost' });
    expect(await damageIn(here.store)).toEqual([expect.stringContaining('latest.json')]);
  });

  test('is refused where a manifest follows another, though nothing else is left [S8]', async () => {
    await twoNights();
    for (const key of await keysOf(here.store)) {
      if (!key.startsWith(`runs/${second}`)) {
        await rm(join(here.path, key));
      }
    }
    await refused(third, 'store-pointer-lost', 'manifest.json');
  });

  test('is none where another run publishes the first night between two looks [C7]', async () => {
    const made = company();
    let looks = 0;
    const store: Store = {
      ...here.store,
      async read(key) {
        looks += key === 'latest.json' ? 1 : 0;
        if (key === 'latest.json' && looks === 1) {
          await runNight(made.order(first), made.parts(here.store));
          return undefined;
        }
        return here.store.read(key);
      },
    };
    const mine = company();
    expect(await runNight(mine.order(second), mine.parts(store))).toMatchObject({ exit: 0, did: 'published' });
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
  });

  test('is none where only attempts of a first night are', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    const { manifest } = JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
    for (const key of await keysOf(here.store)) {
      if (!key.startsWith('runs/')) {
        await rm(join(here.path, key));
      }
    }
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 0, files: 0, damage: [] });
    expect(await runNight(made.order(first), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
    expect(await look(here.path)).toMatchObject({ slot: first });
    expect(await keysOf(here.store)).toContain(manifest);
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [] });
  });
});

test('a damaged report is not copied over a lost copy, and stops no night [S10]', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  const { manifest } = JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
  const report = manifest.replace('manifest.json', 'reports/devices.csv');
  await writeFile(join(here.path, report), flipped(await readFile(join(here.path, report)), 5));
  await rm(join(here.path, `devices/date=${first}/devices.csv`));
  const damaged = { step: 'copies', code: 'store-damaged', message: expect.stringContaining(report) };
  for (const slot of [second, third]) {
    expect(await runNight(made.order(slot), made.parts(here.store))).toMatchObject({
      ...{ exit: 3, did: 'published', unfinished: [damaged] },
    });
  }
  expect(await keysOf(here.store)).not.toContain(`devices/date=${first}/devices.csv`);
  // Repaired, it is copied by the next night, though two others were published since.
  await writeFile(join(here.path, report), flipped(await readFile(join(here.path, report)), 5));
  expect(await runNight(made.order(third), made.parts(here.store))).toMatchObject({ exit: 0, did: 'unchanged' });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 3, damage: [] });
});

describe('a file system that refuses', () => {
  test.each(['ENOSPC', 'EROFS', 'EACCES'])(
    '%s at any write: nothing is published, or all of it [S2, S15, C22]',
    async (code) => {
      let published = 0;
      let unfinished = 0;
      for (let at = 1; ; at += 1) {
        const memory = memoryDisk();
        const made = company();
        await runNight(made.order(first), made.parts(createFolderStore('/store', memory)));
        let writes = 0;
        // Full is full: from then on no write succeeds.
        const full = around(memory, async (effect, run) => {
          if (effect === 'write') {
            writes += 1;
          }
          if (effect === 'write' && writes >= at) {
            throw systemError(code);
          }
          return run();
        });
        const outcome = await runNight(made.order(second), made.parts(createFolderStore('/store', full))).catch(
          (error: unknown) => error,
        );
        const store = createFolderStore('/store', memory);
        const standing = JSON.parse((await store.read('latest.json'))?.body.toString() ?? '{}');
        if (outcome instanceof Error) {
          expect(outcome).toMatchObject({ code: 'store-unreachable', message: expect.stringContaining(code) });
          expect(toExitCode(outcome)).toBe(1);
          expect(standing.slot).toBe(first);
        } else {
          expect(standing.slot).toBe(second);
          published += 1;
          if (writes >= at) {
            unfinished += 1;
            expect(outcome).toMatchObject({ exit: 3, did: 'published', unfinished: [{ code: 'store-unreachable' }] });
          }
        }
        const again = await runNight(made.order(second, { began: new Date() }), made.parts(store));
        expect(again.exit).toBe(0);
        expect(await verifyRuns(store)).toMatchObject({ nights: 2, damage: [] });
        if (writes < at) {
          break;
        }
      }
      expect(unfinished).toBeGreaterThan(10);
      expect(published).toBe(unfinished + 1);
    },
  );
});

function flipped(body: Buffer, at: number): Buffer {
  const copy = Buffer.from(body);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
