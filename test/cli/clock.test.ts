/** A clock that is wrong: above an hour an alert, above a day nothing is published. The store and the platforms say so. */
import { access, readFile } from 'node:fs/promises';
import { request as ask, createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Loopback, listen, loopback } from '../http/loopback.ts';
import { locateRunFile } from '../night/reader.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { lastLineOf, momentOf, onlyMacs, openSite, pastSlots, type Site } from './muster.ts';

const [first, second, third] = pastSlots;
const hour = 3_600_000;
let site: Site;
let hook: Loopback;

beforeAll(async () => {
  site = await openSite({ devices: 30 });
  hook = await loopback((_request, response) => response.end());
});
afterAll(() => Promise.all([site.close(), hook.close()]));

/** The simulated Jamf Pro behind a server whose clock is set by hand. */
async function jamfWithClock() {
  const { jamf = '' } = site.simulator.urls;
  const proxy = { ahead: 0 };
  const server: Server = createServer((request, response) => {
    const { method, headers, url } = request;
    const passed = ask(new URL(url ?? '/', jamf), { method, headers }, (answer) => {
      const date = new Date(Date.now() + proxy.ahead).toUTCString();
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, date });
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  const { origin, close } = await listen(server);
  return Object.assign(proxy, { url: origin, close });
}

async function run(settings: string, slot: string) {
  site.simulator.setMoment(momentOf(slot));
  const ended = await site.run(settings, 'run', '--slot', slot);
  return { ...ended, last: lastLineOf(ended) };
}

test('of a platform: an alert that is resolved when they agree again, and a refusal [A12]', async () => {
  const jamf = await jamfWithClock();
  try {
    const { settings, store } = await site.settingsFor('platform', (yaml) =>
      onlyMacs(yaml).replace(/ {4}url: .*/, `    url: ${jamf.url}`),
    );
    const events = async () => {
      const { events } = JSON.parse(await readFile(`${store}/${await locateRunFile(store, 'events.json')}`, 'utf8'));
      return JSON.stringify(events);
    };
    const withChannel = (yaml: string) => `${yaml}alerts: { channels: [{ type: webhook, url: env:HOOK }] }\n`;
    const { settings: told } = await site.settingsFor('told', (yaml) =>
      withChannel(onlyMacs(yaml))
        .replace(/ {4}url: http.*/, `    url: ${jamf.url}`)
        .replace('./muster-data', './platform'),
    );
    site.environment.HOOK = hook.origin;

    jamf.ahead = -25 * hour;
    const refused = await run(settings, first);
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/clock is 1 day 1 hour ahead of .*Jamf Pro "macs".*muster retract/),
    });
    expect(refused.last).toMatchObject({ event: 'run.failed', code: 'clock-wrong' });
    await expect(access(`${store}/latest.json`)).rejects.toThrow();

    jamf.ahead = 2 * hour;
    expect((await run(told, first)).last).toMatchObject({ event: 'run.published' });
    expect(await events()).toContain("This machine's clock is 2 hours behind the clock of Jamf Pro");
    jamf.ahead = 59 * 60_000;
    expect((await run(told, second)).last).toMatchObject({ event: 'run.published' });
    expect(await events()).toContain('"kind":"clock.differs","key":"clock","phase":"over"');
    // Also a run that writes nothing, and `check`, say it.
    jamf.ahead = 25 * hour;
    expect(await site.run(settings, 'check')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('[clock-wrong]'),
    });
    expect((await run(settings, third)).code).toBe(1);
  } finally {
    await jamf.close();
  }
});

test('of the store: refused before any platform is asked [C11]', async () => {
  let ahead = 0;
  const s3 = await startS3Peer({ buckets: ['reports'], now: () => new Date(Date.now() + ahead) });
  try {
    Object.assign(site.environment, s3.environment);
    const { settings } = await site.settingsFor('bucket', (yaml) =>
      onlyMacs(yaml).replace('./muster-data', 's3://reports/clock'),
    );
    ahead = 2 * hour;
    expect(await run(settings, first)).toMatchObject({ code: 0, last: { event: 'run.published' } });
    ahead = -3 * 24 * hour;
    const asked = site.simulator.requests.length;
    expect(await run(settings, second)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/clock is 3 days ahead of the clock of s3:\/\/reports\/clock/),
    });
    expect(site.simulator.requests).toHaveLength(asked);
    expect([...s3.objects().keys()].filter((key) => key.includes(second))).toEqual([]);
  } finally {
    await s3.close();
  }
});
