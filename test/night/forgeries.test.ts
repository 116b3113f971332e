/** Forgeries: at each request of a run to its store, somebody without a key creates or changes a file there. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { findSignatureDamage } from '../../src/storage/commits/check-signatures.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { readCommit } from '../../src/storage/commits/log.ts';
import { stateFiles } from '../../src/storage/runs/state-files.ts';
import type { Verification } from '../../src/storage/verify/verify.ts';
import { isDeep } from '../sampling.ts';
import { type Attacked, nextSlot, openAttacked, settings } from './attacked.ts';
import { changes, forge, forgeries, type Planted, plant, readings, states } from './forgeries.ts';

describe.each(settings)('in $kind, $life, $keptNights kept, audit: $hasAudit', (setting) => {
  let attacked: Attacked;
  const warned: string[] = [];
  beforeAll(async () => {
    attacked = await openAttacked(setting);
    vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
      warned.push(String(warning));
    });
  });
  afterAll(() => attacked.close());

  /** Each request of the run; daily a few, which are others for each way. */
  function listRequests(way: number): readonly number[] {
    const { requests } = attacked.unharmed;
    const all = Array.from({ length: requests }, (_, index) => index + 1);
    const step = Math.ceil(requests / setting.daily);
    return isDeep ? all : all.filter((at) => at % step === (way * 7) % step);
  }

  function listWays(ways: readonly string[]) {
    const [step, from] = isDeep ? [3, setting.deepWays] : [9, setting.dailyWays];
    return [...ways.entries()].filter(([way]) => from === undefined || way % step === from);
  }

  test.each(listWays(forgeries))(
    '%i: %s is not signed on, audited, copied, sent or obeyed, and the run and verify name it [R21, R22, R23]',
    async (way, name) => {
      for (const at of listRequests(way)) {
        await forgeCommitAt(attacked, at, name);
      }
    },
  );

  test.each(listWays(Object.keys(changes)))(
    '%i: changed to %s, it changes no run, is named by verify where it lasts, and is made anew by the next run',
    async (way, name) => {
      const { run, verify, earlier } = attacked;
      for (const at of listRequests(way)) {
        const { outcome, planted, where } = await plantAt(attacked, at, name, changes);
        expect(outcome, where).toMatchObject({ exit: 0, did: 'published' });
        const lasting = await listLasting(attacked, planted);
        expect(listNamed(await attacked.verify(), planted), where).toEqual(lasting);
        expect(await run(nextSlot), where).toMatchObject({ exit: 0, did: 'published' });
        // Only the current run's copies are made anew; one of an earlier slot that was changed stays named.
        const { damage, behind } = await verify();
        const dated = lasting.filter((key) => key.includes(`date=${earlier}`));
        expect(
          damage.map(({ code, message }) => `${code} ${message.split(' ')[0]}`),
          where,
        ).toEqual(dated.map((key) => `copy-differs ${key}`));
        expect(behind, where).toEqual([]);
      }
    },
  );

  test.each(listWays(Object.keys(readings)))(
    '%i: readings of %s only take proof away, and verify names their files [R29]',
    async (way, name) => {
      const { unharmed, run, slot } = attacked;
      for (const at of listRequests(way)) {
        warned.length = 0;
        const { outcome, planted, where } = await plantAt(attacked, at, name, readings);
        const expectNamed = async () => {
          const { damage, behind } = await attacked.verify();
          expect(damage, where).toEqual([]);
          expect(listNamed({ damage, behind }, planted), where).toEqual(planted.map(({ key }) => key));
        };
        expect(outcome, where).toMatchObject({ exit: 0, did: 'published' });
        await expectLessProof(attacked, slot, unharmed.devices[0], where);
        await expectNamed();
        expect(await run(nextSlot), where).toMatchObject({ exit: 0, did: 'published' });
        await expectLessProof(attacked, nextSlot, unharmed.devices[1], where);
        await expectNamed();
        const isWarned = planted.some(({ key }) => warned.some((warning) => warning.includes(key)));
        expect(isWarned, where).toBe(name.startsWith('what is not understood'));
      }
    },
  );

  test.each(listWays(Object.keys(states)))(
    '%i: %s is not obeyed, and the run and verify name it',
    async (way, name) => {
      const { place, unharmed, run, slot, earlier, readDevices } = attacked;
      for (const at of listRequests(way)) {
        const { outcome, planted, where } = await plantAt(attacked, at, name, states);
        const expectSound = async (ended: unknown, of: string, devices: string) => {
          if (isPublished(ended)) {
            expect(await readDevices(of), where).toBe(devices);
          } else {
            expect(ended, where).toMatchObject({ code: expect.stringMatching(/^(store|log)-damaged$|^key-taken$/) });
          }
          for (const kept of [earlier, ...(setting.keptNights === 3 ? [] : ['2026-11-01'])]) {
            expect((await Array.fromAsync(place.store.list(`runs/${kept}/`))).length, where).toBeGreaterThan(3);
          }
        };
        await expectSound(outcome, slot, unharmed.devices[0]);
        const published = await listSigned(attacked);
        const files = published.flatMap(({ commit }) => commit.files);
        const forged = planted.map(({ body }) => computeSha256(body));
        // Nothing forged is signed.
        expect(
          files.filter(({ sha256 }) => forged.includes(sha256)),
          where,
        ).toEqual([]);
        const named = files.map(({ key }) => key);
        const lasting = (await listLasting(attacked, planted)).filter(
          (key) => key === 'latest.json' || named.includes(key),
        );
        expect(listNamed(await attacked.verify(), planted), where).toEqual(lasting);
        const next = await run(nextSlot).catch((reason: unknown) => reason);
        await expectSound(next, nextSlot, unharmed.devices[1]);
        // The next run is judged by files of the newest one, and refuses those that were changed.
        const isNeeded = lasting.some((key) => isJudgedBy(published.at(-1), key));
        expect(isPublished(next), where).toBe(!isNeeded);
      }
    },
  );
});

/** The run, before whose request of this number files are put into the store. */
async function plantAt(attacked: Attacked, at: number, name: string, ways: typeof changes) {
  const { place, slot, run } = attacked;
  attacked.reset();
  const planted: Planted[] = [];
  const harmed = place.watch(async (request) => {
    if (request === at) {
      planted.push(...((await ways[name]?.(place.store, attacked)) ?? []));
      await plant(place.store, planted);
    }
  });
  const outcome = await run(slot, harmed).catch((reason: unknown) => reason);
  const where = `${name}, before request ${at} of ${attacked.unharmed.requests}`;
  expect(planted, where).not.toEqual([]);
  return { outcome, planted, where };
}

function isPublished(ended: unknown): ended is RunOutcome {
  return typeof ended === 'object' && ended !== null && 'did' in ended && ended.did === 'published';
}

/** Whether the next slot's run reads it. */
function isJudgedBy(newest: PublishedRun | undefined, key: string): boolean {
  const { slot, attempt } = newest?.commit ?? {};
  const [, name] = key.split(`runs/${slot}/${attempt}/`);
  return key === 'latest.json' || name === stateFiles.next.head || name === stateFiles.next.ledger;
}

/** Keys of what was planted and is still there. */
async function listLasting({ place }: Attacked, planted: readonly Planted[]): Promise<readonly string[]> {
  const lasting = await Promise.all(planted.map(async ({ key, body }) => (await place.store.read(key))?.equals(body)));
  return planted.flatMap(({ key }, index) => (lasting[index] ? [key] : []));
}

/** Keys of what was planted that verification names, as damage or beside it. */
function listNamed(
  { damage, behind }: Pick<Verification, 'damage' | 'behind'>,
  planted: readonly Planted[],
): readonly string[] {
  const sentences = [...damage.map(({ message }) => message), ...behind];
  return planted.map(({ key }) => key).filter((key) => sentences.some((sentence) => sentence.includes(key)));
}

/** No machine is proven that was not, and all else of it is as it was. */
async function expectLessProof(
  { readDevices }: Attacked,
  slot: string,
  unharmed: string,
  where: string,
): Promise<void> {
  const [harmedRows, rows] = [splitProof(await readDevices(slot)), splitProof(unharmed)];
  expect(
    harmedRows.map(({ others }) => others),
    where,
  ).toEqual(rows.map(({ others }) => others));
  for (const [index, { isProven }] of harmedRows.entries()) {
    expect(isProven && !rows[index]?.isProven, where).toBe(false);
  }
}

function splitProof(csv: string): readonly { readonly isProven: boolean; readonly others: string }[] {
  const cells = (line: string): readonly string[] => line.match(/(?<=^|,)("(?:[^"]|"")*"|[^,]*)/g) ?? [];
  const [header = '', ...lines] = csv.trim().split('\n');
  const proofs = ['proven', 'unproven_because'].map((name) => cells(header).indexOf(name));
  return lines.map((line) => ({
    isProven: cells(line)[proofs[0] ?? -1] === 'true',
    others: cells(line)
      .filter((_, index) => !proofs.includes(index))
      .join(),
  }));
}

async function forgeCommitAt(attacked: Attacked, at: number, name: string): Promise<void> {
  const { place, run, slot, verify } = attacked;
  const channel = attacked.reset();
  let forged: Buffer | undefined;
  const harmed = place.watch(async (request) => {
    if (request === at) {
      forged = await forge(place.store, name);
    }
  });
  const where = `${name}, before request ${at} of ${attacked.unharmed.requests}`;
  const expectNotObeyed = async () => {
    await expectUnheeded(attacked, forged ?? Buffer.alloc(0), where);
    expect(
      channel.taken.filter(({ text }) => text.includes('2026-10-01')),
      where,
    ).toEqual([]);
  };
  const outcome = await run(slot, harmed).catch((reason: unknown) => reason);
  expect(forged, where).toBeDefined();
  await expectNotObeyed();
  // The run names it, or it came after the run's last look, and the next run names it.
  const said = JSON.stringify(outcome, Object.getOwnPropertyNames(outcome).concat('code', 'unfinished', 'message'));
  expect(said.includes('log-damaged') || isPublished(outcome), where).toBe(true);
  const next = await run(nextSlot).catch((reason: unknown) => reason);
  expect(next, where).toMatchObject({ code: 'log-damaged' });
  await expectNotObeyed();
  expect((await verify()).damage, where).not.toEqual([]);
}

async function listSigned({ place, keys }: Attacked): Promise<readonly PublishedRun[]> {
  const signed: PublishedRun[] = [];
  const last = (await Array.fromAsync(place.store.list('commits/'))).length;
  for (let number = 1; number <= last; number += 1) {
    const run = await readCommit(place.store, number).catch(() => undefined);
    if (run?.commit.signature !== undefined && findSignatureDamage(run, keys) === undefined) {
      signed.push(run);
    }
  }
  return signed;
}

async function expectUnheeded(attacked: Attacked, forged: Buffer, where: string): Promise<void> {
  const { store, audit } = attacked.place;
  const signed = await listSigned(attacked);
  // Each signed commit follows a signed one.
  for (const { commit } of signed) {
    const { previous } = commit;
    expect(previous === null || signed.some(({ sha256 }) => sha256 === previous.sha256), where).toBe(true);
  }
  for await (const key of audit.list('commits/')) {
    expect((await audit.read(key))?.equals(forged), where).toBe(false);
  }
  const latest = JSON.parse(String(await store.read('latest.json')));
  expect(
    signed.some(({ sha256 }) => sha256 === latest.sha256),
    where,
  ).toBe(true);
  for (const slot of ['2026-11-02', '2026-11-03']) {
    expect((await Array.fromAsync(store.list(`runs/${slot}/`))).length, where).toBeGreaterThan(0);
  }
}
