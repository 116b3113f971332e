/** `muster status`: the last run and its number, what is not sound, the next run, open alerts, and what is not delivered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainInterval } from '../../src/core/source/certainty.ts';
import { type Loopback, loopback } from '../http/loopback.ts';
import { openSite, type Site } from './muster.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/schemas/muster.status.v1.json'), 'utf8'));
const validate = new Ajv2020().compile(schema);

let site: Site;
let hook: Loopback;
let isHookDown = false;

beforeAll(async () => {
  site = await openSite({ moment: new Date() });
  hook = await loopback((_, response) => {
    response.writeHead(isHookDown ? 404 : 200).end('ok');
  });
  site.environment.HOOK = `${hook.origin}/hook`;
});
afterAll(async () => {
  await hook.close();
  await site.close();
});

const channel = 'alerts: { channels: [{ type: webhook, name: soc, url: env:HOOK }] }\n';

/** What `status` says to people and to programs. */
async function readStatus(settings: string) {
  const { code, output, errors } = await site.run(settings, 'status');
  const json = await site.run(settings, 'status', '--json');
  const document = JSON.parse(json.output);
  expect(errors).toBe('');
  expect(json.code).toBe(code);
  expect([validate(document), validate.errors]).toEqual([true, null]);
  expect(document.isHealthy).toBe(code === 0);
  return { code, output, document };
}

test('a run that is published, complete and delivered is well', async () => {
  const { settings } = await site.settingsFor('well', (yaml) => yaml + channel);
  const before = await readStatus(settings);
  expect(before.code).toBe(3);
  expect(before.output).toMatch(
    /^Endpoint agent – \S+\/well\n\nNo run is published yet\.\nThe run of \S+ was due at \S+ 05:15 \(UTC\) and is not published\. Start it: .*\nNext run due: \S+ 05:15 \(UTC\)\n$/,
  );
  expect(before.document).not.toHaveProperty('last');

  await site.run(settings, 'run');
  const { code, output, document } = await readStatus(settings);
  expect(output).toMatch(
    /^Endpoint agent – .*\n\nRun of \S+, published \S+ \d\d:\d\d \(UTC\) \(number 1\)\n {2}[\d.]+ % have the agent .*\n.* action, .*\n {2}.* not proven.*\nComplete(?: and sound|, but not certain): every source answered in full, and the detection methods are sound\.\n\n(No alert is open\.|\d+ open alerts?[\s\S]*)\nEvery message is delivered\.\nNext run due: /,
  );
  expect(code).toBe(0);
  expect(document).toMatchObject({ unsound: [], undelivered: [], due: { isPublished: true } });
});

test('says in the words of the run why its number is no more certain (D1)', async () => {
  const { settings, store } = await site.settingsFor('why');
  await site.run(settings, 'run');
  const { output, document } = await readStatus(settings);
  const { unproven } = JSON.parse(readFileSync(join(store, 'latest', 'report.json'), 'utf8'));
  expect(document.last.unproven).toEqual(unproven);
  expect(output).toContain(`\n  ${explainInterval(unproven, document.last.coverage.at(-1))}\n`);
});

test('a source that was not read is named with its reason, and so is a channel that refuses', async () => {
  const { settings } = await site.settingsFor('unwell', (yaml) => yaml + channel);
  const { GRAPH_CLIENT_SECRET: secret = '' } = site.environment;
  isHookDown = true;
  site.environment.GRAPH_CLIENT_SECRET = 'wrong';
  await site.run(settings, 'run');
  site.environment.GRAPH_CLIENT_SECRET = secret;
  const { code, output, document } = await readStatus(settings);
  expect(code).toBe(3);
  expect(output).toMatch(/\nNot complete and sound:\n {2}windows: missing – .*refused the sign-in/);
  expect(output).toMatch(/\n\d+ open alerts? .*:\n(.*\n)* +1 {2}Coverage is incomplete or unverified\n/);
  expect(output).toMatch(/\nNot delivered: soc, 1 message since \S+\. The next run tries again first\.\n/);
  expect(document).toMatchObject({
    unsound: [{ source: 'windows', soundness: 'missing', message: expect.stringContaining('refused the sign-in') }],
    undelivered: [{ channel: 'soc', messages: 1 }],
  });
});
