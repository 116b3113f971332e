/** Forgeries (A1–A3): at each request of a run to its store, somebody without a key creates a commit. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { findSignatureDamage } from '../../src/storage/commits/check-signatures.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { readCommit } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { createLocalSigner } from '../../src/storage/signing/local-key.ts';
import { parseTrustedKeys } from '../../src/storage/signing/parse-keys.ts';
import type { TrustedKeys } from '../../src/storage/signing/trusted-keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { type Listener, listener, partsWith } from '../alerts/listeners.ts';
import { isDeep, sample } from '../sampling.ts';
import { memoryDisk } from '../storage/disks.ts';
import { forge, forgeries } from './forgeries.ts';
import { company, slots } from './small.ts';
import { watching } from './watching.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
let folder = '';
let keys: TrustedKeys = { name: 'keys.pem', keys: [] };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-forgeries-'));
  const pair = generateKeyPairSync('ed25519');
  await writeFile(join(folder, 'key.pem'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' });
  keys = parseTrustedKeys(Buffer.from(`from 1\n${pem}`), 'keys.pem');
});
afterAll(() => rm(folder, { recursive: true }));

/** A store after two runs of three that it keeps, an audit of it, and the third run. */
class Attacked {
  readonly #store: ReturnType<typeof memoryDisk>;
  readonly #audit: ReturnType<typeof memoryDisk>;
  readonly channel: Listener = listener('people');

  constructor(store = memoryDisk(), audit = memoryDisk()) {
    this.#store = store;
    this.#audit = audit;
  }

  get store(): Store {
    return createFolderStore('/store', this.#store);
  }

  get audit(): Store {
    return createFolderStore('/audit', this.#audit);
  }

  clone(): Attacked {
    return new Attacked(this.#store.clone(), this.#audit.clone());
  }

  run(slot: string, store = this.store, channel = this.channel) {
    const made = company();
    made.keptNights = 3;
    const signing = { signer: createLocalSigner(join(folder, 'key.pem')), readKeys: async () => keys };
    const parts = { ...partsWith(made, store, [channel], systemClock), audit: this.audit, signing };
    return runNight(made.order(slot), parts);
  }
}

let template = new Attacked();
let requests = 0;

beforeAll(async () => {
  template = new Attacked();
  await template.run(first);
  await template.run(second);
  await template.run(third);
  const unharmed = template.clone();
  const counting = watching(unharmed.store, async (request) => {
    requests = request;
  });
  expect(await unharmed.run(fourth, counting)).toMatchObject({ exit: 0, did: 'published' });
});

describe.each(forgeries)('%s', (name) => {
  test('is not signed on, audited, copied, sent or obeyed, and the run and verify name it [A1, A2, A3]', async () => {
    const all = Array.from({ length: requests }, (_, index) => index + 1);
    for (const at of isDeep ? all : sample(all, 25)) {
      await attackAt(at, name);
    }
  });
});

const changes: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'latest.json of an earlier run': async (store) => {
    const earlier = await readCommit(store, 2);
    await (earlier && store.put('latest.json', formatLatest(earlier)));
  },
  'latest.json that is none': (store) => store.put('latest.json', Buffer.from('none')),
  'a dated copy of an earlier run': (store) => store.put(`devices/date=${third}/devices.csv`, Buffer.from('slot\n')),
  'a copy of the latest run': (store) => store.put('latest/devices.csv', Buffer.from('slot\n')),
};

describe.each(Object.entries(changes))('%s, changed while a run is under way', (name, change) => {
  test('changes no run, is named by verify where it lasts, and is made anew by the next run', async () => {
    const all = Array.from({ length: requests }, (_, index) => index + 1);
    for (const at of isDeep ? all : sample(all, 25)) {
      const where = `${name}, before request ${at} of ${requests}`;
      const attacked = template.clone();
      const harmed = watching(attacked.store, async (request) => {
        await (request === at && change(attacked.store));
      });
      expect(await attacked.run(fourth, harmed), where).toMatchObject({ exit: 0, did: 'published' });
      const { damage } = await verifyRuns(attacked.store, { keys, audit: attacked.audit });
      const codes = damage.map(({ code }) => code).filter((code) => code !== 'copy-differs' && code !== 'copy-missing');
      expect(codes, where).toEqual([]);
      expect(await attacked.run('2026-11-05'), where).toMatchObject({ exit: 0, did: 'published' });
      // Only the current run's copies are made anew; an earlier one that was changed stays named.
      const later = (await verifyRuns(attacked.store, { keys, audit: attacked.audit })).damage;
      const lasting = later.filter(({ message }) => !message.includes(`date=${third}/`));
      expect(lasting, where).toEqual([]);
      expect(later, where).toEqual(damage.filter(({ message }) => message.includes(`date=${third}/`)));
    }
  });
});

async function attackAt(at: number, name: string): Promise<void> {
  const attacked = template.clone();
  let forged: Buffer | undefined;
  const harmed = watching(attacked.store, async (request) => {
    if (request === at) {
      forged = await forge(attacked.store, name);
    }
  });
  const where = `${name}, before request ${at} of ${requests}`;
  const outcome = await attacked.run(fourth, harmed).catch((reason: unknown) => reason);
  expect(forged, where).toBeDefined();
  await expectNotObeyed(attacked, forged ?? Buffer.alloc(0), where);
  // The run names it, or it came after the run's last look, and the next run names it.
  const said = JSON.stringify(outcome, Object.getOwnPropertyNames(outcome).concat('code', 'unfinished', 'message'));
  const next = await attacked.run('2026-11-05').catch((reason: unknown) => reason);
  expect(next, where).toMatchObject({ code: 'log-damaged' });
  expect(said.includes('log-damaged') || said.includes('"did":"published"'), where).toBe(true);
  await expectNotObeyed(attacked, forged ?? Buffer.alloc(0), where);
  const { damage } = await verifyRuns(attacked.store, { keys, audit: attacked.audit });
  expect(damage, where).not.toEqual([]);
}

async function expectNotObeyed({ store, audit, channel }: Attacked, forged: Buffer, where: string): Promise<void> {
  const numbers = (await Array.fromAsync(store.list('commits/'))).map((_, index) => index + 1);
  const signed = [];
  for (const number of numbers) {
    const run = await readCommit(store, number).catch(() => undefined);
    if (run?.commit.signature !== undefined && findSignatureDamage(run, keys) === undefined) {
      signed.push(run);
    }
  }
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
  for (const slot of [second, third]) {
    expect((await Array.fromAsync(store.list(`runs/${slot}/`))).length, where).toBeGreaterThan(0);
  }
  expect(
    channel.taken.filter(({ text }) => text.includes('2026-10-01')),
    where,
  ).toEqual([]);
}
