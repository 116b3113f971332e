/** What follows publishing fails in every way, and every night is published all the same, says so, and goes on with it. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Loopback, loopback } from '../http/loopback.ts';
import { look } from '../night/reader.ts';
import { faults } from '../peers/s3/faults.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { momentOf, onlyMacs, openSite, pastSlots, type Site } from './site.ts';

const [first, second, third] = pastSlots;

let site: Site;
let s3: S3Peer;
let hook: Loopback;
let isRefused = false;
/** Events that the channel received, as `kind key phase`, with their texts. */
let received: { readonly said: string; readonly text: string }[] = [];

beforeAll(async () => {
  site = await openSite({ devices: 30 });
  s3 = await startS3Peer({ buckets: ['reports', 'audit'] });
  Object.assign(site.environment, s3.environment);
  await listenForEvents();
});
afterAll(async () => {
  await Promise.all([site.close(), s3.close(), hook.close()]);
});
beforeEach(() => {
  received = [];
  s3.setFault(undefined);
});

async function listenForEvents(): Promise<void> {
  hook = await loopback(async (request, response) => {
    if (isRefused) {
      request.resume();
      response.writeHead(410).end();
      return;
    }
    const { events = [] } = (await json(request)) as { events?: Record<string, string>[] };
    received.push(...events.map(({ kind, key, phase, text = '' }) => ({ said: `${kind} ${key} ${phase}`, text })));
    response.end();
  });
  site.environment.HOOK = hook.origin;
}

const channel = 'alerts: { channels: [{ type: webhook, url: env:HOOK }] }\n';

async function run(settings: string, slot: string) {
  site.sandbox.setMoment(momentOf(slot));
  const { code, out } = await site.run(settings, 'run', '--slot', slot);
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  const { event, unfinished } = JSON.parse(lines.at(-1) ?? '{}');
  return { code, event, unfinished };
}

const housekeeping = () => received.filter(({ said }) => said.startsWith('housekeeping.'));

test('an audit store that refuses: published, exit 3, one alert with its cause, and all manifests there in the end', async () => {
  const { settings, store } = await site.settingsFor(
    'audited',
    (yaml) => `${onlyMacs(yaml)}audit: s3://audit\n${channel}`,
  );
  s3.setFault(({ bucket }) => (bucket === 'audit' ? faults.deny : undefined));
  const refused = [{ step: 'audit', code: 'store-unreachable', message: expect.stringContaining('s3://audit') }];
  for (const slot of [first, second]) {
    expect(await run(settings, slot)).toEqual({ code: 3, event: 'run.published', unfinished: refused });
    expect(await look(store)).toMatchObject({ slot, exit: 0 });
  }
  expect(housekeeping()).toEqual([
    {
      said: 'housekeeping.unfinished housekeeping:audit first',
      text: expect.stringMatching(/^Copying the manifests for the audit could not be finished: .*AccessDenied/),
    },
  ]);

  s3.setFault(undefined);
  expect(await run(settings, third)).toEqual({ code: 0, event: 'run.published', unfinished: undefined });
  expect(
    housekeeping()
      .slice(1)
      .map(({ said }) => said),
  ).toEqual(['housekeeping.unfinished housekeeping:audit over']);
  const kept = [...s3.objects('audit')];
  expect(kept.map(([key]) => key.split('/')[1])).toEqual([first, second, third]);
  for (const [key, body] of kept) {
    expect(await readFile(join(store, key))).toEqual(body);
  }
});

test('a store in which nothing may be removed: nights go on, and the old one goes once it may be [S14]', async () => {
  const bucket = (yaml: string) =>
    `${onlyMacs(yaml).replace('./muster-data', 's3://reports/held')}retention: { nights: 1 }\n`;
  const { settings } = await site.settingsFor('held', (yaml) => bucket(yaml) + channel);
  s3.setFault(({ action }) => (action === 's3:DeleteObject' ? faults.deny : undefined));
  expect(await run(settings, first)).toMatchObject({ code: 0, event: 'run.published' });
  expect(await run(settings, second)).toEqual({
    ...{ code: 3, event: 'run.published' },
    unfinished: [
      { step: 'retention', code: 'store-unreachable', message: expect.stringContaining(`The run of ${first}`) },
    ],
  });
  const slots = () =>
    new Set([...s3.objects('reports').keys()].flatMap((key) => /^held\/runs\/([^/]+)/.exec(key)?.[1] ?? []));
  expect(slots()).toEqual(new Set([first, second]));
  s3.setFault(undefined);
  expect(await run(settings, second)).toEqual({ code: 0, event: 'run.unchanged', unfinished: undefined });
  expect(slots()).toEqual(new Set([second]));
});

test('a damaged report of yesterday, with its copy: the night is published, and the damage named until it is repaired', async () => {
  const { settings, store } = await site.settingsFor('damaged', (yaml) => onlyMacs(yaml) + channel);
  await run(settings, first);
  const { manifest } = JSON.parse(await readFile(join(store, 'latest.json'), 'utf8'));
  const report = manifest.replace('manifest.json', 'reports/devices.csv');
  const body = await readFile(join(store, report));
  await writeFile(join(store, report), body.subarray(1));
  await rm(join(store, `devices/date=${first}/devices.csv`));
  const damaged = [{ step: 'copies', code: 'store-damaged', message: expect.stringContaining(report) }];
  expect(await run(settings, second)).toEqual({ code: 3, event: 'run.published', unfinished: damaged });
  expect(await run(settings, third)).toEqual({ code: 3, event: 'run.published', unfinished: damaged });
  expect(housekeeping().map(({ said }) => said)).toEqual(['housekeeping.unfinished housekeeping:copies first']);
  await writeFile(join(store, report), body);
  expect(await run(settings, third)).toMatchObject({ code: 0, event: 'run.unchanged' });
  expect(await readFile(join(store, `devices/date=${first}/devices.csv`))).toEqual(body);
  expect((await site.run(settings, 'verify')).code).toBe(0);
});

test('messages of yesterday that cannot be read stop nothing, and are sent when they can be', async () => {
  const { settings, store } = await site.settingsFor('unread', (yaml) => onlyMacs(yaml) + channel);
  isRefused = true;
  expect((await run(settings, first)).code).toBe(3);
  expect(received).toEqual([]);
  const { manifest } = JSON.parse(await readFile(join(store, 'latest.json'), 'utf8'));
  const outbox = join(store, manifest.replace('manifest.json', 'outbox.json'));
  const body = await readFile(outbox);
  await writeFile(outbox, body.subarray(1));
  const unread = [{ step: 'messages', code: 'store-damaged', message: expect.stringContaining('outbox.json') }];
  expect(await run(settings, second)).toMatchObject({ code: 3, event: 'run.published', unfinished: unread });
  await writeFile(outbox, body);
  isRefused = false;
  expect(await run(settings, third)).toEqual({ code: 0, event: 'run.published', unfinished: undefined });
  expect(received.map(({ said }) => said)).toContain('baseline baseline:macs first');
});
