/** What verification finds besides damage to files: a pointer set back, a lost manifest, foreign files, and an audit that differs. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { MusterError } from '../../src/errors.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { rebuildNight } from '../../src/storage/runs/rebuild.ts';
import { verifyRuns } from '../../src/storage/runs/verify.ts';
import { needProgram } from '../needs.ts';
import { keysOf, place } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const here = place();
const at = (key: string) => join(here.path, key);
const audit = () => createFolderStore(`${here.path}-audit`);

async function nights(...wanted: readonly string[]): Promise<string[]> {
  const made = company();
  for (const slot of wanted) {
    await runNight(made.order(slot), { ...made.parts(here.store), audit: audit() });
  }
  return (await keysOf(here.store)).filter((key) => /^runs.*manifest\.json$/.test(key));
}

const codes = async (options = {}) => (await verifyRuns(here.store, options)).damage.map(({ code }) => code);

describe('a pointer that was set back', () => {
  test.each([1, 2])('by %i nights is noticed, though all that it leads to is in order', async (back) => {
    const wanted = [first, second, third];
    const pointers: Buffer[] = [];
    for (const slot of wanted) {
      await nights(slot);
      pointers.push(await readFile(at('latest.json')));
    }
    expect(await codes()).toEqual([]);
    await rm(at('.swaps'), { recursive: true, force: true });
    await writeFile(at('latest.json'), pointers[2 - back] ?? '');
    expect(await codes()).toContain('pointer-set-back');
    // Also where the copies were set back with it, while the attempts are left.
    for (const key of (await keysOf(here.store)).filter((one) => /^[a-z-]+\/(date=|manifest)/.test(one))) {
      const slot = /date=([^/]+)/.exec(key)?.[1];
      if (slot === undefined || slot > (wanted[2 - back] ?? '')) {
        await unlink(at(key));
      }
    }
    if (back > 1) {
      expect(await codes()).toContain('pointer-set-back');
    }
    // The audit knows in any case.
    expect(await codes({ audit: audit() })).toContain('audit-only');
  });

  test('with another generation than its manifest has is named', async () => {
    await nights(first, second);
    const pointer = JSON.parse(await readFile(at('latest.json'), 'utf8'));
    await rm(at('.swaps'), { recursive: true, force: true });
    for (const generation of [1, 3]) {
      await writeFile(at('latest.json'), JSON.stringify({ ...pointer, generation }));
      expect(await codes()).toContain('generation-differs');
    }
  });

  test('is none where an attempt was abandoned just before its pointer moved', async () => {
    const made = company();
    await nights(first);
    const dying = { ...here.store, swap: () => Promise.reject(new MusterError('store-unreachable', 'Gone.')) };
    await runNight(made.order(second), made.parts(dying)).catch(() => undefined);
    expect((await keysOf(here.store)).filter((key) => key.startsWith(`runs/${second}/`))).not.toEqual([]);
    expect(await codes()).toEqual([]);
  });
});

describe('behind a lost manifest', () => {
  test.each(['missing', 'damaged'])('(%s) the others are verified each by itself, and rebuilt', async (how) => {
    const manifests = await nights(first, second, third, fourth);
    const lost = manifests.find((key) => key.includes(`/${third}/`)) ?? '';
    if (how === 'missing') {
      await unlink(at(lost));
    } else {
      await writeFile(at(lost), '{}');
    }
    const { damage, outside, nights: count } = await verifyRuns(here.store);
    const code = how === 'missing' ? 'chain-cut' : 'store-damaged';
    expect(damage).toEqual([{ code, message: expect.stringContaining(lost) }]);
    expect(outside).toEqual([second, first]);
    expect(count).toBe(3);
    expect(await verifyRuns(here.store, { slot: first })).toMatchObject({ nights: 1, damage: [], outside: [first] });

    const report =
      manifests.find((key) => key.includes(`/${first}/`))?.replace('manifest.json', 'reports/devices.csv') ?? '';
    const body = await readFile(at(report));
    const target = createFolderStore(join(here.path, '../rebuilt'));
    const rebuilding = { target, tables, rules: sourceRules };
    expect(await rebuildNight(here.store, first, rebuilding)).toMatchObject({ isOutsideChain: true });
    expect((await target.read('devices.csv'))?.body).toEqual(body);
    expect(await rebuildNight(here.store, fourth, rebuilding)).toMatchObject({ isOutsideChain: false });

    await writeFile(at(report), body.subarray(1));
    expect((await verifyRuns(here.store)).damage.map(({ message }) => message).join()).toContain(report);
    expect(await verifyRuns(here.store, { slot: first })).toMatchObject({ damage: [{ code: 'file-damaged' }] });
    expect(await codes({ slot: third })).toEqual([code]);
  });

  test('that the pointer names, or without a pointer, all of them', async () => {
    const manifests = await nights(first, second, third);
    const pointer = await readFile(at('latest.json'));
    await rm(at('.swaps'), { recursive: true, force: true });
    await unlink(at('latest.json'));
    expect(await verifyRuns(here.store)).toMatchObject({
      damage: [{ code: 'store-pointer-lost' }],
      outside: [third, second, first],
    });
    await writeFile(at('latest.json'), pointer);
    await unlink(at(manifests[2] ?? ''));
    expect(await verifyRuns(here.store)).toMatchObject({
      damage: [{ code: 'store-damaged' }],
      outside: [second, first],
    });
  });
});

test('a lost pointer is written anew as docs/aws.md shows', async ({ skip }) => {
  needProgram(skip, 'jq');
  needProgram(skip, 'openssl');
  await nights(first, second);
  await rm(at('.swaps'), { recursive: true, force: true });
  await unlink(at('latest.json'));
  const page = await readFile(join(import.meta.dirname, '../../docs/aws.md'), 'utf8');
  const [script = ''] = /^jq --arg nonce[\s\S]*?> latest\.json$/m.exec(page) ?? [];
  execFileSync('bash', ['-euc', `cp latest/manifest.json . && ${script} && rm manifest.json`], { cwd: here.path });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [], generation: 2 });
  await nights(third);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 3, damage: [] });
});

test('files that query engines would count and that no manifest names are named', async () => {
  await nights(first, second);
  const foreign = [
    `devices/date=${first}/second.csv`,
    'devices/date=1999-01-01/devices.csv',
    'coverage/date=2026-11-30/coverage.csv',
    'groups/beside.csv',
  ];
  const ignored = [`devices/date=${first}/_temporary.csv`, 'notes/date=2026-11-01/mine.csv', 'settings/muster.yaml'];
  for (const key of [...foreign, ...ignored]) {
    await mkdir(dirname(at(key)), { recursive: true });
    await writeFile(at(key), 'x');
  }
  const { damage } = await verifyRuns(here.store);
  expect(damage.map(({ code, message }) => `${code} ${message.split(' ')[0]}`).sort()).toEqual(
    foreign.map((key) => `foreign-file ${key}`).sort(),
  );
  expect(await codes({ slot: first })).toEqual([]);
});

test('latest/ carries the manifest that it is a copy of', async () => {
  const manifests = await nights(first, second);
  expect(await readFile(at('latest/manifest.json'))).toEqual(await readFile(at(manifests[1] ?? '')));
  await cp(at(manifests[0] ?? ''), at('latest/manifest.json'));
  expect(await codes()).toEqual(['copy-differs']);
});

describe('beside the audit copies', () => {
  test('a manifest that differs, one that is missing, and one that the store lost are named, each by its code', async () => {
    const manifests = await nights(first, second, third);
    expect(await codes({ audit: audit() })).toEqual([]);
    const copy = (index: number) => join(`${here.path}-audit`, manifests[index] ?? '');
    const body = await readFile(copy(0));
    await writeFile(copy(0), body.toString().replace('"exit": 0', '"exit": 3'));
    expect((await verifyRuns(here.store, { audit: audit() })).damage).toEqual([
      { code: 'audit-differs', message: expect.stringContaining(manifests[0] ?? '') },
    ]);
    await unlink(copy(0));
    expect(await codes({ audit: audit() })).toEqual(['audit-missing']);
    await writeFile(copy(0), body);
    await mkdir(dirname(copy(0).replace(first, fourth)), { recursive: true });
    await writeFile(copy(0).replace(first, fourth), body);
    expect(await codes({ audit: audit() })).toEqual(['audit-only']);
  });

  test('that cannot be read, nothing is called the same', async () => {
    await nights(first);
    const away = { ...audit(), digest: () => Promise.reject(new MusterError('store-unreachable', 'Access denied.')) };
    expect(await codes({ audit: away })).toEqual(['audit-unreadable']);
  });
});
