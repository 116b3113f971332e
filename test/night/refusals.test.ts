/** Stores that a night must not touch: written by another Muster, damaged, full, or not to be written (G15). */
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/console/failure.ts';
import { runNight } from '../../src/night.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { damageIn } from '../storage/damage.ts';
import { keysOf, place } from './folder.ts';
import { contentsOf, locateRunFile } from './reader.ts';
import { company, slots } from './small.ts';
import { flipped, packed, rewriteCommit, rewriteFile } from './tamper.ts';

const [first = '', second = '', third = ''] = slots;
const here = place();

type Change = (value: Record<string, unknown>) => Record<string, unknown>;

const anotherSchema: Readonly<Record<string, Change>> = {
  'store-newer': (value) => ({ ...value, schema: Number(value.schema) + 1 }),
  'store-older': (value) => ({ ...value, schema: Number(value.schema) - 1 }),
};

async function rewriteLatest(folder: string, change: (latest: Record<string, unknown>) => unknown): Promise<void> {
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

describe.each(Object.entries(anotherSchema))(
  'what another Muster wrote is refused by name (%s) and never overwritten: [S20]',
  (code, change) => {
    const kinds = [
      { kind: 'latest.json', named: 'latest.json', slot: third, rewrite: () => rewriteLatest(here.path, change) },
      { kind: 'a commit', named: 'commits/', slot: third, rewrite: () => rewriteCommit(here.path, change) },
      ...[
        { kind: 'the state', named: 'state.json.gz', slot: third },
        { kind: 'the facts', named: 'facts/night.json.gz', slot: second },
        { kind: 'what the night was compared with', named: 'facts/before.json.gz', slot: second },
      ].map((one) => ({ ...one, rewrite: () => rewriteFile(here.path, one.named, packed(change)) })),
    ];
    test.each(kinds)('$kind', async ({ rewrite, named, slot }) => {
      await twoNights();
      await rewrite();
      await refused(slot, code, named);
      // Whoever verifies compares the bytes of files with what was published, and does not read them.
      if (named.endsWith('.gz')) {
        expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
      } else {
        const message = expect.stringContaining(named);
        await expect(verifyRuns(here.store)).rejects.toMatchObject({ code, message });
      }
    });
  },
);

test('a state of schema 6 is refused by name [S20]', async () => {
  await twoNights();
  const state = await locateRunFile(here.path, 'state.json.gz');
  const older = packed((value) => ({ ...value, schema: 6 }));
  await rewriteFile(here.path, 'state.json.gz', older);
  await rm(join(here.path, await locateRunFile(here.path, 'ledger.ndjson.gz')));
  const refuses = (what: string, schemas: string) =>
    `${what} was written by a development version of Muster (${schemas}). It is not migrated: name an empty store`;
  await refused(third, 'store-older', refuses(state, 'schema 6; this one knows 7'));
});

test('facts of schema 4 are refused by name [S20]', async () => {
  await twoNights();
  const refuses = (what: string, schemas: string) =>
    `${what} was written by a development version of Muster (${schemas}). It is not migrated: name an empty store`;
  const facts = await locateRunFile(here.path, 'facts/night.json.gz');
  await rewriteFile(
    here.path,
    'facts/night.json.gz',
    packed((value) => ({ ...value, schema: 4 })),
  );
  await refused(second, 'store-older', refuses(facts, 'schema 4; this one knows 5'));
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
    const file = await locateRunFile(here.path, 'state.json.gz');
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

  test.each(['state.json.gz', 'ledger.ndjson.gz'])('%s is missing [S18]', async (name) => {
    await twoNights();
    await rm(join(here.path, await locateRunFile(here.path, name)));
    await refused(third, 'store-damaged', name);
  });

  const lines: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    'cut off': (body) => body.subarray(0, body.length / 2),
    'a last line without its end': (body) => gzipSync(gunzipSync(body).subarray(0, -1)),
    'a line that is no JSON': (body) => gzipSync(`${gunzipSync(body)}{"name":\n`),
    'a line of nothing known': (body) => gzipSync(`${gunzipSync(body)}{"schema":3}\n`),
  };
  test.each(Object.keys(lines))('lines of the ledger: %s', async (damage) => {
    await twoNights();
    await rewriteFile(here.path, 'ledger.ndjson.gz', lines[damage] ?? ((body) => body));
    await refused(third, 'store-damaged', 'ledger.ndjson.gz');
  });
});

describe('a log that no run builds on:', () => {
  const remove = (...parts: string[]) => rm(join(here.path, ...parts), { recursive: true });
  const commit = (number: number) => `commits/${String(number).padStart(10, '0')}.json`;

  const harms: readonly (readonly [what: string, named: string, harm: () => Promise<unknown>])[] = [
    ['it is gone, and latest.json names it [S8]', commit(2), () => remove('commits')],
    [
      'it and latest.json are gone, and copies are left [S8]',
      'of a run that was published',
      () => Promise.all(['commits', 'latest.json', 'runs'].map((name) => remove(name))),
    ],
    [
      'it is gone, and a run that was compared with another is left [S8]',
      'facts/before.json.gz',
      async () => {
        for (const key of await keysOf(here.store)) {
          await (key.startsWith(`runs/${second}`) ? undefined : rm(join(here.path, key)));
        }
      },
    ],
    ['its first commit is gone', commit(1), () => remove(commit(1))],
    ['its end is gone, and latest.json names it', commit(2), () => remove(commit(2))],
    [
      'its end is gone, latest.json was set back, and copies are left [R2]',
      `date=${second}`,
      async () => {
        await remove(commit(2));
        await remove('latest.json');
      },
    ],
    [
      'a commit was changed',
      commit(1),
      async () => {
        const path = join(here.path, commit(1));
        await writeFile(path, (await readFile(path, 'utf8')).replace('"exit": 0', '"exit": 3'));
      },
    ],
    ['a commit was cut off', commit(2), () => writeFile(join(here.path, commit(2)), '{"schema": 1,')],
  ];
  test.each(harms)('%s', async (_, named, harm) => {
    const made = await twoNights();
    await harm();
    await refused(third, 'log-damaged', named);
    await expect(acceptRun(second, 'somebody', made.parts(here.store))).rejects.toMatchObject({
      code: 'log-damaged',
    });
    expect((await damageIn(here.store)).join()).toContain(named);
  });

  test('none where another run publishes the first night between two looks [C7]', async () => {
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

  test('none where only attempts of a first night are', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    for (const key of await keysOf(here.store)) {
      await (key.startsWith('runs/') ? undefined : rm(join(here.path, key)));
    }
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 0, files: 0, damage: [] });
    expect(await runNight(made.order(first), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [] });
  });

  test('none where latest.json is lost or damaged: it is a copy, and made again', async () => {
    await twoNights();
    for (const harm of [() => remove('latest.json'), () => writeFile(join(here.path, 'latest.json'), '{')]) {
      await harm();
      const { damage, behind } = await verifyRuns(here.store);
      expect([...damage.map(({ message }) => message), ...behind].join()).toContain('latest.json');
      const made = company();
      expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 0 });
      expect(await damageIn(here.store)).toEqual([]);
    }
  });
});

test('R12: a folder that a symbolic link leads to is no part of the store: no run, and no word that it is sound [R12]', async () => {
  await twoNights();
  await rename(join(here.path, 'runs'), join(here.path, '..', 'elsewhere'));
  await symlink('../elsewhere', join(here.path, 'runs'));
  await refused(third, 'store-unsuited', 'runs in the folder');
  await expect(verifyRuns(here.store)).rejects.toMatchObject({ code: 'store-unsuited' });
});

test('a damaged report is not copied over a lost copy, and stops no night [S10]', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  const report = await locateRunFile(here.path, 'reports/devices.csv');
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
