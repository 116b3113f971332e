/** What verification makes of the chain, of what lies outside it, and of a pointer that was set back. */
import { describe, expect, it, test } from 'vitest';
import { MusterError } from '../../src/errors.ts';
import { findKeptRun } from '../../src/storage/runs/outside-chain.ts';
import type { ManifestLink } from '../../src/storage/runs/records.ts';
import { type VerifyOptions, verifyRuns } from '../../src/storage/runs/verify.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  listSlots,
  makeStore,
  pointTo,
  publishRuns,
  type WrittenRun,
  writeRetraction,
  writeRun,
} from './written-runs.ts';

const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = listSlots(1, 2, 3, 4, 5, 6);

async function codes(store: Store, options: VerifyOptions = {}): Promise<string[]> {
  return (await verifyRuns(store, options)).damage.map(({ code }) => code);
}

/** What was found by itself, as day and attempt. */
async function listOutside(store: Store): Promise<string[]> {
  return (await verifyRuns(store)).outside.map((slot) => slot.slice(-2));
}

const report: WrittenRun = { files: { 'reports/devices.csv': 'id\n1\n' } };
const copyOf = (slot: string) => `devices/date=${slot}/devices.csv`;
const text = Buffer.from('x');

/** With one report each, and its copies. */
async function publishReports(slots: readonly string[], more: WrittenRun = {}) {
  const store = makeStore();
  const linkOf = await publishRuns(store, slots, () => ({ ...report, ...more }));
  for (const slot of slots) {
    await store.copy(`runs/${slot}/a/reports/devices.csv`, copyOf(slot));
  }
  await store.copy(`runs/${slots.at(-1)}/a/reports/devices.csv`, 'latest/devices.csv');
  return { store, linkOf };
}

describe('the chain', () => {
  it('that is whole has no damage; its manifests count as files', async () => {
    const { store } = await publishReports([first, second, third]);
    expect(await verifyRuns(store)).toEqual({
      nights: 3,
      files: 6,
      damage: [],
      outside: [],
      retracted: [],
      generation: 3,
    });
    expect(await verifyRuns(store, { slot: second })).toMatchObject({ nights: 1, files: 2, damage: [] });
  });

  it.each([
    [undefined, []],
    [1, []],
    [2, ['chain-cut']],
  ])('that ends with a run that was published as number %s: %j', async (generation, expected) => {
    const store = makeStore();
    const link = await writeRun(store, first, generation === undefined ? {} : { generation });
    await pointTo(store, link);
    const { damage } = await verifyRuns(store);
    expect(damage.map(({ code }) => code)).toEqual(expected);
    expect(damage.map(({ message }) => message).join()).toBe(
      expected.length === 0
        ? ''
        : `${link.manifest} names no run before it, but it was published as number ${generation}.`,
    );
  });

  it.each([
    ['an earlier slot and generation', [first, 1], [second, 2], []],
    ['the same slot and an earlier generation', [first, 1], [first, 2], []],
    ['a later slot', [third, 1], [second, 2], ['chain-reordered']],
    ['the same generation', [first, 2], [second, 2], ['chain-reordered']],
    ['a later generation', [first, 3], [second, 2], ['chain-reordered']],
    ['a generation that nobody wrote down', [first, undefined], [second, 2], []],
    ['a generation, though its own is not known', [first, 3], [second, undefined], []],
  ] as const)('with a run before it that has %s', async (_, [slotBefore, before], [slot, own], expected) => {
    const store = makeStore();
    const previous = await writeRun(
      store,
      slotBefore,
      before === undefined ? {} : { generation: before, previous: null },
    );
    const ends = before !== undefined && before > 1;
    await pointTo(
      store,
      await writeRun(store, slot, { attempt: 'b', previous, ...(own === undefined ? {} : { generation: own }) }),
    );
    expect((await codes(store)).filter((code) => !ends || code !== 'chain-cut')).toEqual(expected);
  });

  it('has the baseline nights beyond retention, with their attempts, and names the one that is gone', async () => {
    const store = makeStore();
    const before = await writeRun(store, first, { generation: 1 });
    const replaced = await writeRun(store, second, { generation: 2, previous: before, ...report });
    const baseline = await writeRun(store, second, { attempt: 'b', generation: 3, previous: replaced });
    const left = await writeRun(store, third, { generation: 4, previous: baseline });
    const last = { generation: 5, previous: left, published: [fourth], baselines: [baseline] };
    await pointTo(store, await writeRun(store, fourth, last));
    await store.remove(before.manifest);
    await store.remove(left.manifest);
    expect(await verifyRuns(store)).toMatchObject({ nights: 2, files: 5, damage: [] });

    await store.remove(replaced.manifest);
    expect((await verifyRuns(store)).damage).toEqual([
      { code: 'chain-cut', message: expect.stringContaining(replaced.manifest) },
    ]);
    await store.remove(baseline.manifest);
    expect(await verifyRuns(store)).toMatchObject({ nights: 1, damage: [{ code: 'chain-cut' }] });
  });
});

describe('runs outside the chain', () => {
  const published = [second, third, fourth, fifth, sixth];

  it('are those within retention before the break, newest first, and no attempt after it', async () => {
    const { store, linkOf } = await publishReports([first, ...published], { published });
    await writeRun(store, sixth, { attempt: 'z', generation: 7, previous: linkOf(fifth) });
    await writeRun(store, fourth, { attempt: 'z' });
    expect(await codes(store)).toEqual([]);
    expect(await listOutside(store)).toEqual([]);

    await store.remove(linkOf(fourth).manifest);
    expect(await codes(store)).toEqual(['chain-cut']);
    expect(await listOutside(store)).toEqual(['03', '02']);
  });

  it('are before the newest of several breaks', async () => {
    const kept = [third, fourth, fifth, sixth];
    const store = makeStore();
    const linkOf = await publishRuns(store, [first, second, ...kept]);
    const last = { generation: 6, previous: linkOf(fifth), published: kept, baselines: [linkOf(first)] };
    await pointTo(store, await writeRun(store, sixth, last));
    await store.remove(linkOf(fifth).manifest);
    await store.remove(linkOf(first).manifest);
    expect(await codes(store)).toEqual(['chain-cut', 'chain-cut']);
    expect(await listOutside(store)).toEqual(['04', '03']);
  });

  it('are of each slot the attempt whose reports were copied, or else the last one', async () => {
    const { store, linkOf } = await publishReports([first, second, third]);
    const abandoned = { files: { 'reports/devices.csv': 'id\n2\n' } };
    await writeRun(store, first, { attempt: 'b', ...abandoned });
    await store.remove(linkOf(second).manifest);
    expect(await codes(store)).toEqual(['chain-cut']);

    // No copy tells which one was published, and that of the last attempt is missing.
    await store.remove(copyOf(first));
    const { damage } = await verifyRuns(store);
    expect(damage).toContainEqual({ code: 'copy-missing', message: expect.stringContaining(copyOf(first)) });
    await store.put(copyOf(first), Buffer.from('id\n3\n'));
    expect((await verifyRuns(store)).damage).toContainEqual({
      code: 'copy-differs',
      message: expect.stringContaining(`it differs from runs/${first}/b/`),
    });
  });

  it('of a slot whose manifest is lost have no copies to be compared with, since nobody knows what those were', async () => {
    const { store, linkOf } = await publishReports([first, second]);
    await writeRun(store, first, { attempt: 'A', files: { 'reports/devices.csv': 'id\n2\n' } });
    await store.remove(linkOf(first).manifest);
    expect(await codes(store)).toEqual(['chain-cut']);
    expect(await listOutside(store)).toEqual(['01']);
    await store.remove(`runs/${first}/A/reports/devices.csv`);
    expect(await codes(store)).toEqual(['chain-cut', 'file-missing']);
  });

  it.each(['{', '{"schema":1}'])('are none by a manifest that is %s, or that lies in another’s place', async (body) => {
    const { store, linkOf } = await publishReports([first, second, third]);
    await store.copy(linkOf(first).manifest, `runs/${first}/z/manifest.json`);
    await store.put(`runs/${first}/y/manifest.json`, Buffer.from(body));
    await store.remove(linkOf(second).manifest);
    expect(await listOutside(store)).toEqual(['01']);
  });

  it('are all that there are where the pointer is damaged, and those before the manifest that it names where that is', async () => {
    const { store, linkOf } = await publishReports([first, second, third]);
    await store.remove(linkOf(third).manifest);
    expect(await codes(store)).toEqual(['store-damaged']);
    expect(await listOutside(store)).toEqual(['02', '01']);
    await writeRun(store, fourth);
    expect(await listOutside(store)).toEqual(['02', '01']);
    await store.put('latest.json', Buffer.from('{}'));
    expect(await listOutside(store)).toEqual(['04', '02', '01']);
  });
});

describe('a chain that ends too early', () => {
  async function endEarly() {
    const store = makeStore();
    const before = await writeRun(store, first);
    await writeRun(store, second, { attempt: 'a', previous: before });
    await pointTo(store, await writeRun(store, second, { attempt: 'b', generation: 3 }));
    await writeRun(store, third);
    return store;
  }

  it('has the runs before its end outside of it, and no attempt after it', async () => {
    const store = await endEarly();
    expect(await codes(store)).toEqual(['chain-cut']);
    expect(await listOutside(store)).toEqual(['02', '01']);
  });

  it('has a night in both, of which neither is unknown', async () => {
    expect(await verifyRuns(await endEarly(), { slot: second })).toMatchObject({
      nights: 1,
      outside: [second],
      damage: [],
    });
  });
});

describe('a manifest that is there, and is not what was published', () => {
  it('is named as damaged, and is none of the runs that are found by themselves', async () => {
    const { store, linkOf } = await publishReports([first, second, third]);
    const key = linkOf(second).manifest;
    const text = (await store.read(key))?.body.toString() ?? '';
    await store.put(key, Buffer.from(text.replace('"exit":0', '"exit":3')));
    expect((await verifyRuns(store)).damage).toEqual([
      { code: 'store-damaged', message: expect.stringContaining(`${key} is damaged: its SHA-256`) },
    ]);
    expect(await listOutside(store)).toEqual(['01']);
  });
});

describe('one night of a store with a lost manifest', () => {
  test.each([
    ['that the chain leads to has the damage of the chain', fourth, { nights: 1, outside: [] }, ['chain-cut']],
    ['that is found by itself has its own', first, { nights: 1, outside: [first] }, []],
    ['that is lost has that it is lost', second, { nights: 0, outside: [] }, ['chain-cut']],
    ['that never was has both', fifth, { nights: 0, outside: [] }, ['chain-cut', 'night-unknown']],
  ])('%s', async (_, slot, wanted, expected) => {
    const { store, linkOf } = await publishReports([first, second, third, fourth]);
    await store.remove(linkOf(second).manifest);
    expect(await verifyRuns(store, { slot })).toMatchObject(wanted);
    expect(await codes(store, { slot })).toEqual(expected);
  });
});

describe('retracted runs', () => {
  async function retractLast() {
    const { store, linkOf } = await publishReports([first, second, third]);
    await store.remove(copyOf(third));
    await store.remove('latest/devices.csv');
    await store.copy(`runs/${second}/a/reports/devices.csv`, 'latest/devices.csv');
    const retracted = [await writeRetraction(store, third, linkOf(third))];
    await pointTo(store, linkOf(second), { generation: 4, retracted });
    return { store, linkOf, retracted };
  }

  it('are read to the end, though nothing leads to them, and their copies are foreign', async () => {
    const { store, retracted } = await retractLast();
    expect(await verifyRuns(store)).toMatchObject({ nights: 2, files: 6, damage: [], retracted });
    await store.put(copyOf(third), text);
    expect((await verifyRuns(store)).damage).toEqual([
      {
        code: 'foreign-file',
        message: `${copyOf(third)} is named by no manifest: the run of ${third} was retracted; the next run removes it.`,
      },
    ]);
    await store.remove(copyOf(third));
    await store.remove(`runs/${third}/a/reports/devices.csv`);
    expect((await verifyRuns(store)).damage).toEqual([
      { code: 'file-missing', message: `runs/${third}/a/reports/devices.csv is missing.` },
    ]);
  });

  it('are asked about by their own slot alone', async () => {
    const { store, retracted } = await retractLast();
    await store.remove(`runs/${third}/a/reports/devices.csv`);
    expect(await verifyRuns(store, { slot: first })).toMatchObject({ files: 2, damage: [], retracted: [] });
    expect(await verifyRuns(store, { slot: third })).toMatchObject({
      ...{ nights: 0, files: 2, retracted },
      damage: [{ code: 'file-missing' }],
    });
  });

  it('whose manifest is gone are named', async () => {
    const { store, linkOf } = await retractLast();
    await store.remove(linkOf(third).manifest);
    expect((await verifyRuns(store)).damage).toEqual([
      { code: 'store-damaged', message: expect.stringContaining(linkOf(third).manifest) },
    ]);
  });
});

describe('a pointer', () => {
  it.each([
    [2, 2, false, []],
    [2, 3, false, ['generation-differs']],
    [2, 1, false, ['generation-differs']],
    [undefined, 7, false, []],
    [2, 3, true, []],
    [2, 2, true, ['generation-differs']],
    [2, 1, true, ['generation-differs']],
  ])(
    'to a manifest of generation %s has generation %i, retracted: %s',
    async (of, generation, isRetracted, expected) => {
      const store = makeStore();
      const before = await writeRun(store, first, { generation: 1 });
      const link = await writeRun(store, second, { previous: before, ...(of === undefined ? {} : { generation: of }) });
      if (!isRetracted) {
        await pointTo(store, link, { generation });
      } else {
        const gone = await writeRun(store, third, { previous: link, generation: 3 });
        await pointTo(store, link, { generation, retracted: [await writeRetraction(store, third, gone)] });
      }
      expect((await codes(store)).filter((code) => code !== 'pointer-set-back')).toEqual(expected);
    },
  );

  it('says both generations where they differ', async () => {
    const store = makeStore();
    await pointTo(store, await writeRun(store, first, { generation: 1 }), { generation: 2 });
    expect((await verifyRuns(store)).damage.map(({ message }) => message)).toEqual([
      'latest.json has generation 2, but its manifest was published as 1.',
    ]);
  });

  /** The second of two runs stands; what else is there is said. */
  async function findSetBack(add: (store: Store, second: ManifestLink) => Promise<void>): Promise<string[]> {
    const { store, linkOf } = await publishReports([first, second]);
    await add(store, linkOf(second));
    const found = (await verifyRuns(store)).damage.filter(({ code }) => code === 'pointer-set-back');
    return found.map(
      ({ message }) =>
        /^latest\.json was set back: it names the run of 2026-11-02 \(generation 2\), but (.*)\. Restore the newer latest\.json\.$/.exec(
          message,
        )?.[1] ?? message,
    );
  }
  const manifestAt = (slot: string, attempt = 'a') => `runs/${slot}/${attempt}/manifest.json`;
  const asLatest = (run: WrittenRun) => async (store: Store) => {
    const { manifest } = await writeRun(store, third, run);
    await store.copy(manifest, 'latest/manifest.json');
    await store.remove(manifest);
  };

  it.each<[string, (store: Store, second: ManifestLink) => Promise<void>, string[]]>([
    [
      'where the manifest in latest/ has a later generation',
      asLatest({ generation: 3 }),
      [`latest/manifest.json is of the run of ${third} (generation 3)`],
    ],
    ['not where it has the same generation', asLatest({ generation: 2 }), []],
    ['not where it has none', asLatest({}), []],
    ['not where it is damaged', async (store) => void (await store.put('latest/manifest.json', text)), []],
    [
      'where a copy is of a later slot that has runs',
      async (store) => {
        await store.put(copyOf(third), text);
        await store.put(`runs/${third}/a/outbox.json`, text);
      },
      [`${copyOf(third)} was copied from a later run`],
    ],
    ['not where that slot has no runs', async (store) => void (await store.put(copyOf(third), text)), []],
    [
      'not where it is a copy of the run that stands',
      async (store) => void (await store.put(`devices/date=${second}/x`, text)),
      [],
    ],
    [
      'not where an attempt was only abandoned',
      async (store, link) => void (await writeRun(store, third, { generation: 3, previous: link })),
      [],
    ],
    [
      'where an attempt has a generation that only a later one can have',
      async (store, link) => void (await writeRun(store, third, { generation: 4, previous: link })),
      [`${manifestAt(third)} was published after it`],
    ],
    [
      'not where an attempt has none',
      async (store, link) => void (await writeRun(store, third, { previous: link })),
      [],
    ],
    [
      'where another attempt was built on one',
      async (store, link) => {
        const previous = await writeRun(store, third, { generation: 3, previous: link });
        await writeRun(store, fourth, { generation: 3, previous });
      },
      [`${manifestAt(third)} was published after it`],
    ],
    [
      'where messages of one were sent',
      async (store, link) => {
        await writeRun(store, second, { attempt: 'b', generation: 3, previous: link });
        await store.put(`runs/${second}/b/delivered/soc-1.json`, text);
      },
      [`${manifestAt(second, 'b')} was published after it`],
    ],
    [
      'not where messages of an earlier slot were sent, or of the run that stands',
      async (store) => {
        await writeRun(store, first, { attempt: 'b', generation: 9 });
        await store.put(`runs/${first}/b/delivered/soc-1.json`, text);
        await store.put(`runs/${second}/a/delivered/soc-1.json`, text);
      },
      [],
    ],
    [
      'not where it is no manifest that has messages, or a damaged one',
      async (store) => {
        await store.put(`runs/${third}/a/manifest.json`, text);
        await store.put(`runs/${third}/a/delivered/soc-1.json`, text);
      },
      [],
    ],
  ])('was set back %s', async (_, add, expected) => {
    expect(await findSetBack(add)).toEqual(expected);
  });

  it('was not set back where messages of an attempt were sent that it replaced, and the chain to it is broken', async () => {
    const store = makeStore();
    const before = await writeRun(store, first, { generation: 1 });
    const earlier = await writeRun(store, second, { attempt: 'a', generation: 2, previous: before });
    const lost = await writeRun(store, second, { attempt: 'b', generation: 3, previous: earlier });
    await pointTo(store, await writeRun(store, second, { attempt: 'c', generation: 4, previous: lost }));
    await store.put(`runs/${second}/a/delivered/soc-1.json`, text);
    await store.remove(lost.manifest);
    expect(await codes(store)).toEqual(['chain-cut']);
  });

  it('that was set back leaves foreign files of its own slot what they are', async () => {
    const { store } = await publishReports([first, second]);
    await store.put(copyOf(third), text);
    await store.put(`runs/${third}/a/outbox.json`, text);
    await store.put(`devices/date=${second}/other.csv`, text);
    expect(await codes(store)).toEqual(['pointer-set-back', 'foreign-file']);
  });

  it('that was set back makes the copies of later runs no foreign files', async () => {
    const { store } = await publishReports([first, second]);
    await store.put(copyOf(third), text);
    expect(await codes(store)).toEqual(['foreign-file']);
    await store.put(`runs/${third}/a/outbox.json`, text);
    expect(await codes(store)).toEqual(['pointer-set-back']);
  });
});

describe('a foreign file', () => {
  it.each([
    [`devices/date=${second}/other.csv`, true],
    [`devices/date=${third}/devices.csv`, true],
    ['devices/mine.csv', true],
    [`devices/date=${second}/_temporary`, false],
    [`devices/date=${second}/.hidden`, false],
    [`coverage/date=${second}/coverage.csv`, false],
    [`report/date=${second}/mine.html`, false],
    [`latest/mine.csv`, false],
  ])('%s: %s', async (key, isForeign) => {
    const files = { ...report.files, 'reports/index.html': '<p>' };
    const { store } = await publishReports([first, second], { files });
    for (const copy of [`report/date=${first}/index.html`, `report/date=${second}/index.html`, 'latest/index.html']) {
      await store.copy(`runs/${second}/a/reports/index.html`, copy);
    }
    expect(await codes(store)).toEqual([]);
    // The store lists no hidden file.
    await store.put(key.replace('/.hidden', '/_hidden'), text);
    expect((await verifyRuns(store)).damage).toEqual(
      isForeign
        ? [
            {
              code: 'foreign-file',
              message: expect.stringMatching(new RegExp(`^${key} is named by no manifest: query engines`)),
            },
          ]
        : [],
    );
  });

  it('is none of a night that is being removed, which still has runs', async () => {
    const { store } = await publishReports([second, third], { published: [second, third], generation: undefined });
    await store.put(copyOf(first), text);
    expect(await codes(store)).toContain('foreign-file');
    await store.put(`runs/${first}/a/outbox.json`, text);
    expect(await codes(store)).not.toContain('foreign-file');
  });

  it('is none of a slot whose manifest is lost', async () => {
    const { store, linkOf } = await publishReports([first, second]);
    await store.put(`devices/date=${first}/other.csv`, text);
    expect(await codes(store)).toEqual(['foreign-file']);
    await store.remove(linkOf(first).manifest);
    expect(await codes(store)).toEqual(['chain-cut']);
  });
});

describe('the files of a run', () => {
  const [key, copy] = [`runs/${first}/a/reports/devices.csv`, copyOf(first)];
  async function publishWith(entry: object) {
    const { store } = await publishReports([first]);
    const manifest = JSON.parse((await store.read(`runs/${first}/a/manifest.json`))?.body.toString() ?? '');
    Object.assign(manifest.files[0], entry);
    const { sha256 } = await store.put(`runs/${first}/a/manifest.json`, Buffer.from(JSON.stringify(manifest)));
    await pointTo(store, { manifest: `runs/${first}/a/manifest.json`, sha256 });
    return store;
  }

  it.each([
    [{}, []],
    [{ rows: 1 }, []],
    [{ rows: 2 }, [`${key} is damaged: 1 row where 2 were published.`]],
    [{ rows: 0 }, [`${key} is damaged: 1 row where 0 were published.`]],
    [{ bytes: 6 }, [`${key} is damaged: its SHA-256 or size differs.`]],
  ])('with %j in the manifest: %j', async (entry, expected) => {
    expect((await verifyRuns(await publishWith(entry))).damage.map(({ message }) => message)).toEqual(expected);
  });

  it('of two rows where one was published are counted', async () => {
    const store = makeStore();
    await publishRuns(store, [first], () => ({ files: { 'reports/devices.csv': 'id\n1\n2\n' } }));
    await store.copy(key, copy);
    await store.copy(key, 'latest/devices.csv');
    expect(await codes(store)).toEqual([]);
    const manifest = JSON.parse((await store.read(`runs/${first}/a/manifest.json`))?.body.toString() ?? '');
    manifest.files[0].rows = 1;
    const { sha256 } = await store.put(`runs/${first}/a/manifest.json`, Buffer.from(JSON.stringify(manifest)));
    await pointTo(store, { manifest: `runs/${first}/a/manifest.json`, sha256 });
    expect((await verifyRuns(store)).damage.map(({ message }) => message)).toEqual([
      `${key} is damaged: 2 rows where 1 was published.`,
    ]);
  });

  it('and copies that are missing, changed, or behind are named each by its key', async () => {
    const { store } = await publishReports([first, second]);
    await store.remove(copyOf(first));
    await store.put(copyOf(second), text);
    await store.remove('latest/devices.csv');
    await store.remove('latest/manifest.json');
    expect((await verifyRuns(store)).damage).toEqual([
      {
        code: 'copy-differs',
        message: `${copyOf(second)} is damaged: it differs from runs/${second}/a/reports/devices.csv.`,
      },
      { code: 'copy-missing', message: 'latest/devices.csv is missing; the next run makes it again.' },
      { code: 'copy-missing', message: 'latest/manifest.json is missing; the next run makes it again.' },
      { code: 'copy-missing', message: `${copyOf(first)} is missing; the next run makes it again.` },
    ]);
  });

  it('that cannot be read for another reason than damage are not called damaged', async () => {
    const { store } = await publishReports([first]);
    const error = new MusterError('store-unreachable', 'Away.');
    const away: Store = {
      ...store,
      async *stream() {
        yield text;
        throw error;
      },
    };
    await expect(verifyRuns(away)).rejects.toBe(error);
  });
});

describe('the audit', () => {
  async function publishAudited() {
    const made = await publishReports([first, second, third], { published: [second, third] });
    const audit = makeStore('/audit');
    for (const slot of [first, second, third]) {
      const { manifest } = made.linkOf(slot);
      await audit.create(manifest, (await made.store.read(manifest))?.body ?? text);
    }
    await made.store.remove(copyOf(first));
    await made.store.remove(`runs/${first}/a/manifest.json`);
    return { ...made, audit };
  }

  it('may have runs from before retention, and files that are no manifests', async () => {
    const { store, audit } = await publishAudited();
    await audit.put(`runs/${third}/z/outbox.json`, text);
    await audit.put('other/manifest.json', text);
    expect(await codes(store, { audit })).toEqual([]);
  });

  it('has a run that nothing in the store leads to: named, unless only one night is asked about', async () => {
    const { store, audit } = await publishAudited();
    await audit.put(`runs/${second}/b/manifest.json`, text);
    expect((await verifyRuns(store, { audit })).damage).toEqual([
      { code: 'audit-only', message: expect.stringContaining(`runs/${second}/b/manifest.json is in /audit`) },
    ]);
    expect(await codes(store, { audit, slot: second })).toEqual([]);
  });

  it('has the manifest that the store lost, which is named once', async () => {
    const { store, audit, linkOf } = await publishAudited();
    await store.remove(linkOf(second).manifest);
    expect(await codes(store, { audit })).toEqual(['chain-cut']);
  });

  it('has another manifest than the store', async () => {
    const { store, audit, linkOf } = await publishAudited();
    await audit.put(linkOf(second).manifest, text);
    expect((await verifyRuns(store, { audit })).damage).toEqual([
      {
        code: 'audit-differs',
        message: `${linkOf(second).manifest} differs from its copy in /audit: somebody changed one of the two.`,
      },
    ]);
  });

  it('lacks a manifest of a run that was retracted', async () => {
    const { store, audit, linkOf } = await publishAudited();
    await store.copy(`runs/${second}/a/reports/devices.csv`, 'latest/devices.csv');
    await store.remove(copyOf(third));
    const retracted = [await writeRetraction(store, third, linkOf(third))];
    await pointTo(store, linkOf(second), { generation: 4, retracted });
    await audit.remove(linkOf(third).manifest);
    expect((await verifyRuns(store, { audit })).damage).toEqual([
      { code: 'audit-missing', message: `${linkOf(third).manifest} is missing in /audit; the next run copies it.` },
    ]);
  });

  it.each([
    ['store-unreachable', ['audit-unreadable', 'audit-unreadable']],
    ['unexpected', undefined],
  ] as const)('that ends with %s', async (code, expected) => {
    const { store, audit } = await publishAudited();
    const error = new MusterError(code, 'Away.');
    const away: Store = { ...audit, digest: () => Promise.reject(error), list: () => failing(error) };
    await (expected === undefined
      ? expect(codes(store, { audit: away })).rejects.toBe(error)
      : expect(codes(store, { audit: away })).resolves.toEqual(expected));
  });
});

async function* failing(error: unknown): AsyncGenerator<string> {
  yield* [];
  throw error;
}

describe('a verification that a run overtakes', () => {
  /** The pointer moves each time before copies are compared, as often as is said. */
  async function verifyWhilePublishing(times: number) {
    const { store, linkOf } = await publishReports([first, second]);
    await store.remove(copyOf(first));
    let [moved, pointerReads] = [0, 0];
    const busy: Store = {
      ...store,
      async read(key) {
        pointerReads += key === 'latest.json' ? 1 : 0;
        return store.read(key);
      },
      stream(key) {
        return key === copyOf(first) && moved < times ? moving(key) : store.stream(key);
      },
    };
    async function* moving(key: string) {
      moved += 1;
      await pointTo(store, linkOf(second), { nonce: `n${moved}` });
      if (moved === times) {
        // Whoever published has made the copy.
        await store.copy(`runs/${first}/a/reports/devices.csv`, key);
      }
      yield* [text];
    }
    return { damage: await codes(busy), moved, pointerReads };
  }

  it('begins anew, and what it found before is no damage', async () => {
    expect(await verifyWhilePublishing(1)).toMatchObject({ damage: [], moved: 1 });
    expect(await verifyWhilePublishing(2)).toMatchObject({ damage: [], moved: 2 });
  });

  it('is made once where nothing moves, whatever it finds', async () => {
    const { store } = await publishReports([first, second]);
    await store.remove(copyOf(first));
    let lists = 0;
    const counting: Store = {
      ...store,
      list(prefix) {
        lists += 1;
        return store.list(prefix);
      },
    };
    expect(await codes(counting)).toEqual(['copy-missing']);
    expect(lists).toBe(1);
  });

  it('ends after the third time with what it has found', async () => {
    expect(await verifyWhilePublishing(9)).toMatchObject({ damage: ['copy-differs'], moved: 3 });
  });
});

describe('a run that is looked for', () => {
  it('is found in the chain, or by itself where that is broken before it', async () => {
    const { store, linkOf } = await publishReports([first, second, third]);
    expect(await findKeptRun(store, first)).toMatchObject({ isOutsideChain: false, run: { link: linkOf(first) } });
    expect(await findKeptRun(store, fourth)).toBeUndefined();
    await store.remove(linkOf(second).manifest);
    expect(await findKeptRun(store, third)).toMatchObject({ isOutsideChain: false });
    expect(await findKeptRun(store, first)).toMatchObject({ isOutsideChain: true, run: { link: linkOf(first) } });
    expect(await findKeptRun(store, second)).toBeUndefined();
    await store.remove('latest.json');
    expect(await findKeptRun(store, third)).toMatchObject({ isOutsideChain: true, run: { link: linkOf(third) } });
  });

  it('is the attempt whose reports were copied', async () => {
    const { store, linkOf } = await publishReports([first, second]);
    await writeRun(store, first, { attempt: 'b', files: { 'reports/devices.csv': 'id\n2\n' } });
    await store.put('latest.json', text);
    expect(await findKeptRun(store, first)).toMatchObject({ run: { link: linkOf(first) } });
  });

  it('is not looked for elsewhere where the store cannot be read, or is a newer one', async () => {
    const { store } = await publishReports([first]);
    for (const error of [
      new MusterError('store-unreachable', 'Away.'),
      new MusterError('store-newer', 'x'),
      new TypeError('a bug'),
    ]) {
      const read: Store['read'] = (key) => (key === 'latest.json' ? Promise.reject(error) : store.read(key));
      await expect(findKeptRun({ ...store, read }, first)).rejects.toBe(error);
    }
  });

  it('is none where a manifest of a newer version lies', async () => {
    const { store } = await publishReports([first, second]);
    await store.put('latest.json', text);
    await store.put(`runs/${first}/z/manifest.json`, Buffer.from('{"schema":2}'));
    await expect(findKeptRun(store, first)).rejects.toMatchObject({ code: 'store-newer' });
  });
});
