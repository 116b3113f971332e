/** A run that was taken back, as the store holds it: its copies go, whatever is refused, killed or published beside it. */
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { readStateHead } from '../../src/storage/runs/run-state.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { slots } from '../night/small.ts';
import { isDeep } from '../sampling.ts';
import { openStoreSetup, type StoreSetup } from './places.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const copiesOf = async ({ store }: StoreSetup, slot: string) =>
  (await Array.fromAsync(store.list(''))).filter((key) => key.includes(`/date=${slot}/`));
const copiesOfOne = ['coverage', 'devices'].map((name) => `${name}/date=${second}/${name}.csv`);

/** Two runs. */
async function liveTwo(options: Parameters<typeof openStoreSetup>[1] = {}) {
  const setup = await openStoreSetup('a folder', options);
  await setup.night(first);
  await setup.night(second);
  expect(await copiesOf(setup, second)).toEqual(copiesOfOne);
  return setup;
}

const stateOf = async ({ store }: StoreSetup) => {
  const run = await readCurrentRun(store);
  return run && (await readStateHead(store, run)).runs;
};

const refuse = () => Promise.reject(new MusterError('store-unreachable', 'Refused.'));

describe('copies of a run that was taken back', () => {
  test('are owed where they cannot be removed, are said by verification, and go with the next run', async () => {
    const setup = await liveTwo();
    const refusing = { ...setup.store, remove: refuse };
    expect(await setup.retract(second, refusing)).toMatchObject({
      exit: 3,
      did: 'published',
      unfinished: [{ step: 'copies', code: 'store-unreachable' }],
      owed: [{ work: 'retract', run: { slot: second, number: 2 } }],
    });
    const { damage, behind } = await verifyRuns(setup.store);
    expect([
      damage,
      behind.filter((sentence) => sentence.includes('is left over of a run that was retracted')),
    ]).toEqual([[], [expect.anything(), expect.anything()]]);
    expect(await stateOf(setup)).toMatchObject({ retracted: [second], owed: [{ work: 'retract' }] });
    // A run that cannot remove them either owes them on.
    await setup.night(third, refusing);
    expect(await stateOf(setup)).toMatchObject({ owed: [{ work: 'retract', run: { slot: second } }] });
    expect(await copiesOf(setup, second)).toEqual(copiesOfOne);
    expect(await setup.night(fourth)).toMatchObject({ exit: 0, did: 'published' });
    expect(await stateOf(setup)).not.toHaveProperty('owed');
    expect([await copiesOf(setup, second), await setup.codes()]).toEqual([[], []]);
  });

  test('make room for those of the slot run again, and are owed no more', async () => {
    const setup = await liveTwo();
    const refusing = { ...setup.store, remove: refuse };
    await setup.retract(second, refusing);
    await setup.night(second, refusing, { isChosen: true });
    expect(await stateOf(setup)).not.toHaveProperty('retracted');
    expect([await copiesOf(setup, second), await setup.codes()]).toEqual([copiesOfOne, []]);
    await setup.night(third);
    expect([await copiesOf(setup, second), await setup.codes()]).toEqual([copiesOfOne, []]);
  });

  test('are those of the slot run again where that happens while the retraction ends', async () => {
    const setup = await liveTwo();
    let isOver = false;
    const racing: Store = {
      ...setup.store,
      async remove(key) {
        if (!isOver && key === copiesOfOne[0]) {
          isOver = true;
          expect(await setup.night(second, undefined, { isChosen: true })).toMatchObject({ did: 'published' });
        }
        await setup.store.remove(key);
      },
    };
    await setup.retract(second, racing);
    expect(isOver).toBe(true);
    expect([await copiesOf(setup, second), await setup.codes()]).toEqual([copiesOfOne, []]);
  });
});

test('the commit of a retraction is kept in the audit store, signed, like any run’s', async () => {
  const setup = await liveTwo({ hasAudit: true, isSigned: true });
  expect(await setup.retract(second)).toMatchObject({ exit: 0, did: 'published' });
  const key = toCommitKey(3);
  expect(await setup.audit.digest(key)).toBe(await setup.store.digest(key));
  expect(await setup.commit(3)).toMatchObject({ retracts: { slot: second }, signature: { algorithm: 'Ed25519' } });
  expect(await setup.codes()).toEqual([]);
  await setup.store.put(key, Buffer.from(String(await setup.store.read(key)).replace('"by": "ada"', '"by": "eve"')));
  expect(await setup.codes()).toEqual(expect.arrayContaining(['signature-invalid', 'audit-differs']));
  await expect(setup.night(third)).rejects.toMatchObject({ code: 'log-damaged' });
});

/** Codes that the next run mends. */
const mended = ['copy-missing', 'copy-differs', 'foreign-file', 'audit-missing'];

test('a retraction killed at any write is published whole or not at all, and the next run finishes it', async () => {
  const outcomes = { published: 0, not: 0 };
  for (let at = 1; ; at += isDeep ? 1 : 3) {
    const setup = await liveTwo({ hasAudit: true });
    let writes = 0;
    const dying =
      <Input extends unknown[], Result>(work: (...input: Input) => Promise<Result>) =>
      (...input: Input): Promise<Result> => {
        writes += 1;
        return writes >= at ? refuse() : work(...input);
      };
    const { create, put, copy, remove } = setup.store;
    const killed = { create: dying(create), put: dying(put), copy: dying(copy), remove: dying(remove) };
    await setup.retract(second, { ...setup.store, ...killed }).catch(() => undefined);
    const isPublished = (await setup.store.read(toCommitKey(3))) !== undefined;
    outcomes[isPublished ? 'published' : 'not'] += 1;
    expect(
      (await setup.codes()).filter((code) => !mended.includes(code)),
      `at ${at}`,
    ).toEqual([]);
    expect(await setup.night(third)).toMatchObject({ exit: 0, did: 'published' });
    expect(await setup.codes(), `at ${at}`).toEqual([]);
    expect(await copiesOf(setup, second), `at ${at}`).toEqual(isPublished ? [] : copiesOfOne);
    if (writes < at) {
      break;
    }
  }
  expect(Math.min(outcomes.published, outcomes.not)).toBeGreaterThan(2);
});
