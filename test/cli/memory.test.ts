/** More devices than the heap has room for: the run ends by name while it can still say so. */
import { cp } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { loopback } from '../http/loopback.ts';
import { look } from '../night/reader.ts';
import { lastLineOf, momentOf, openSite, pastSlots } from './muster.ts';

const [first, second] = pastSlots;

test('a heap that is too small: nothing is published, it says what is read and needed, and it is reported [C24]', async () => {
  const site = await openSite({ devices: 6_000 });
  const before = await openSite();
  const heard: string[] = [];
  const outside = await loopback(async (request, response) => {
    const { events = [] } = request.method === 'POST' ? ((await json(request)) as { events?: { text: string }[] }) : {};
    heard.push(...events.map(({ text }) => text));
    response.end();
  });
  Object.assign(site.environment, { OUTSIDE: outside.origin, BEAT: `${outside.origin}/beat` });
  const alerts = 'alerts: { heartbeat: env:BEAT, channels: [{ type: webhook, url: env:OUTSIDE }] }\n';
  const { settings, store } = await site.settingsFor('small', (yaml) => `${yaml}${alerts}`);
  const { settings: ofFewer, store: stood } = await before.settingsFor('before');
  expect(await before.run(ofFewer, 'run', '--slot', first)).toMatchObject({ code: 0 });
  await cp(stood, store, { recursive: true });

  site.simulator.setMoment(momentOf(second));
  site.environment.NODE_OPTIONS = '--max-old-space-size=32';
  const ended = await site.start(settings, 'run', '--slot', second).ended;
  const sentence =
    /^Nothing was published: [\d,]+ of [56],\d{3} devices were read\. .*about \d\d MB of heap, .* 32 MB\. .* NODE_OPTIONS=--max-old-space-size=\d\d .* aws\.memory\.$/;
  expect(ended).toMatchObject({ code: 1, errors: expect.stringContaining('muster [memory]: Nothing was published') });
  expect(lastLineOf(ended)).toMatchObject({ code: 'memory', message: expect.stringMatching(sentence), exit: 1 });
  expect(outside.requests.filter((request) => request.startsWith('GET'))).toEqual([
    'GET /beat/start',
    'GET /beat/fail',
  ]);
  expect(heard.at(-1)).toContain('memory');
  expect(await look(store)).toMatchObject({ slot: first, exit: 0 });
  await Promise.all([site.close(), before.close(), outside.close()]);
});
