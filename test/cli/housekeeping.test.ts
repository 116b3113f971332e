/** What follows publishing fails: the night is published all the same, exits 3, says so, and the next one goes on with it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCommitKey } from '../../src/storage/keys.ts';
import { type Loopback, loopback } from '../http/loopback.ts';
import { look } from '../night/reader.ts';
import { faults } from '../peers/s3/faults.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { lastLineOf, momentOf, onlyMacs, openSite, pastSlots, type Site } from './muster.ts';

const [first, second, third] = pastSlots;

let site: Site;
let s3: S3Peer;
let hook: Loopback;
/** Events that the channel received, as `kind key phase`, with their texts. */
const received: { readonly said: string; readonly text: string }[] = [];

beforeAll(async () => {
  site = await openSite({ devices: 30 });
  s3 = await startS3Peer({ buckets: ['audit'] });
  hook = await loopback(async (request, response) => {
    const { events = [] } = (await json(request)) as { events?: Record<string, string>[] };
    received.push(...events.map(({ kind, key, phase, text = '' }) => ({ said: `${kind} ${key} ${phase}`, text })));
    response.end();
  });
  Object.assign(site.environment, s3.environment, { HOOK: hook.origin });
});
afterAll(() => Promise.all([site.close(), s3.close(), hook.close()]));

test('an audit store that refuses: published, exit 3, one alert with its cause, and all commits there in the end', async () => {
  const { settings, store } = await site.settingsFor(
    'audited',
    (yaml) => `${onlyMacs(yaml)}audit: s3://audit\nalerts: { channels: [{ type: webhook, url: env:HOOK }] }\n`,
  );
  const run = async (slot: string) => {
    site.simulator.setMoment(momentOf(slot));
    const ended = await site.run(settings, 'run', '--slot', slot);
    const { event, unfinished } = lastLineOf(ended);
    return { code: ended.code, event, unfinished };
  };
  const housekeeping = () => received.filter(({ said }) => said.startsWith('housekeeping.'));

  s3.setFault(() => faults.deny);
  const refused = [{ step: 'audit', code: 'store-unreachable', message: expect.stringContaining('s3://audit') }];
  for (const slot of [first, second]) {
    expect(await run(slot)).toEqual({ code: 3, event: 'run.published', unfinished: refused });
    expect(await look(store)).toMatchObject({ slot, exit: 0 });
  }
  expect(housekeeping()).toEqual([
    {
      said: 'housekeeping.unfinished housekeeping:audit first',
      text: expect.stringMatching(/^Copying the commits for the audit could not be finished: .*AccessDenied/),
    },
  ]);

  s3.setFault(undefined);
  expect(await run(third)).toEqual({ code: 0, event: 'run.published', unfinished: undefined });
  expect(housekeeping()[1]?.said).toBe('housekeeping.unfinished housekeeping:audit over');
  const kept = [...s3.objects('audit')];
  expect(kept.map(([key]) => key)).toEqual([1, 2, 3].map(toCommitKey));
  for (const [key, body] of kept) {
    expect(await readFile(join(store, key))).toEqual(body);
  }
});
