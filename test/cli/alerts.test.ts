/** `muster alerts`, and a run that sends messages, as processes of their own. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Loopback, loopback } from '../http/loopback.ts';
import { isCounted } from '../model/rows.ts';
import { judgeDevices } from '../whole-runs/expected-runs.ts';
import { momentOf, musterHere, onlyMacs, openSite, pastSlots, type Site } from './muster.ts';

const [slot] = pastSlots;
const token = 'planted-hook-token';
let site: Site;
let hook: Loopback;
let bodies: string[] = [];
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  bodies = [];
  hook = await loopback(async (request, response) => {
    if (request.method === 'POST') {
      bodies.push(await text(request));
    }
    response.writeHead(request.url?.includes('/refused/') ? 404 : 200).end('ok');
  });
});
afterEach(() => hook.close());

const alerts = (channels: string) => `
alerts:
  channels: [${channels}]
  heartbeat: env:BEAT
`;

async function say(name: string, channels: string, words: readonly string[], more = '', other = {}) {
  const { settings, store } = await site.settingsFor(name, (yaml) => onlyMacs(yaml) + alerts(channels) + more);
  const environment = {
    ...(site.simulator.environment as Record<string, string>),
    HOOK: `${hook.origin}/${token}`,
    REFUSED: `${hook.origin}/refused/${token}`,
    BEAT: `${hook.origin}/beat/${token}`,
    ...other,
  };
  const ended = await musterHere(['--settings', settings, ...words], { folder: site.folder, environment });
  expect(`${ended.output}${ended.errors}`).not.toContain(token);
  return { ...ended, store };
}

const webhook = '{ type: webhook, url: env:HOOK }';

test('alerts test without a channel says that nothing will be reported', async () => {
  expect(await say('none', '', ['alerts', 'test'])).toMatchObject({
    code: 3,
    output: 'No channel is set: nothing will be reported.\n',
  });
});

test('alerts test sends a marked test through every channel and says which accepted it', async () => {
  const both = `${webhook}, { type: slack, url: env:REFUSED }`;
  const { code, output } = await say('trial', both, ['alerts', 'test']);
  expect(code).toBe(3);
  expect(output).toMatch(/^webhook: accepted\nslack: not accepted\. Slack rejected the message \(HTTP 404\)\. /);
  expect(bodies[0]).toContain('This is a test');
  expect((await say('trial', webhook, ['alerts', 'test'])).code).toBe(0);
});

test('check calls a channel by the name that alerts test calls it by', async () => {
  const named = '{ type: webhook, name: soc, url: env:HOOK }';
  expect((await say('named', named, ['alerts', 'test'])).output).toMatch(/^soc: accepted$/m);
  expect((await say('named', named, ['check'])).output).toMatch(/^ {2}soc: its server answers$/m);
});

test('alerts show counts the devices that lack the agent without an alert, and no others', async () => {
  site.simulator.setMoment(momentOf(slot));
  const { store } = await say('counted', webhook, ['run', '--slot', slot]);
  const { open, unnamed } = JSON.parse((await say('counted', webhook, ['alerts', 'show', '--json'])).output);
  const named = open.filter(({ key }: { key: string }) => key.startsWith('device:')).length;
  const missing = (await readFile(join(store, 'latest', 'not-installed.csv'), 'utf8')).trim().split('\n').length - 1;
  expect(named + unnamed).toBe(missing);
  expect(unnamed).toBeGreaterThan(0);
});

test('a run is reported, its heartbeat starts before and ends after it, and a preview shows what was sent', async () => {
  site.simulator.setMoment(momentOf(slot));
  const { code, output, store } = await say('told', webhook, ['run', '--slot', slot]);
  expect(code).toBe(0);
  const last = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({
    event: 'run.published',
    delivery: { delivered: [{ channel: 'webhook', messages: 1 }] },
  });
  const beats = hook.requests.map((line) => line.replaceAll(token, '…'));
  expect(beats).toEqual(['GET /beat/…/start', 'POST /…', 'GET /beat/…']);
  const pointer = JSON.parse(await readFile(join(store, 'latest.json'), 'utf8'));
  const events = await readFile(join(store, 'runs', slot, pointer.attempt, 'events.json'), 'utf8');
  expect(events).not.toContain(token);
  expect(events).not.toContain('127.0.0.1');
  const preview = await say('told', webhook, ['alerts', 'preview']);
  expect(preview.code).toBe(0);
  const [message = '{}'] = bodies;
  // Byte by byte, as it was sent.
  expect(preview.output).toContain(`webhook, part 1:\n${message}`);
  const shown = await say('told', webhook, ['alerts', 'show']);
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.output).toMatch(/^After the run of \S+, \d+ alerts? (is|are) open\.\n/);
  expect(preview.output).toContain(JSON.parse(message).title);
  expect(preview.output).toContain('First run');
  expect(await say('told', webhook, ['alerts', 'preview', '2020-01-01'])).toMatchObject({ code: 2 });
  expect(bodies).toHaveLength(1);
});

test('a channel that refuses makes the exit 3, and the same night run again delivers', async () => {
  site.simulator.setMoment(momentOf(slot));
  // The same channel, whose address is repaired where it is stored.
  const refused = { HOOK: `${hook.origin}/refused/${token}` };
  expect((await say('later', webhook, ['run', '--slot', slot], '', refused)).code).toBe(3);
  expect(hook.requests.at(-1)).toContain('/fail');
  const { code, output } = await say('later', webhook, ['run', '--slot', slot]);
  expect(code).toBe(0);
  expect(output).toContain('"event":"run.unchanged"');
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
});

test('a run that fails says so through its channels, and fails', async () => {
  const { code, errors } = await say('fails', webhook, ['run', '--slot', slot], 'exemptions: nowhere.csv\n');
  expect(code).toBe(1);
  expect(errors).toContain('[exemptions-unreadable]');
  expect(bodies).toHaveLength(1);
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ about: 'failure', severity: 'error', kinds: ['run.failed'] });
  expect(hook.requests.some((line) => line.includes('/fail'))).toBe(true);
});

test('wrong settings reach the heartbeat where its address can still be read', async () => {
  const { code } = await say('wrong', webhook, ['run', '--slot', slot], 'retention: { nights: many }\n');
  expect(code).toBe(2);
  expect(hook.requests.map((line) => line.replaceAll(token, '…'))).toEqual(['GET /beat/…/fail']);
  expect((await say('wrong', webhook, ['verify'], 'retention: { nights: many }\n')).code).toBe(2);
  expect(hook.requests).toHaveLength(1);
});

test('alerts show prints a hostile name on one line, in the order of its letters, as one column [R15]', async () => {
  const [first, second] = pastSlots;
  // One that is no canary.
  const device = judgeDevices(site.simulator, first).find(
    (row) =>
      row.source === 'macs' &&
      row.status === 'Installed' &&
      isCounted(row) &&
      !site.simulator.settings().includes(row.facts.serialNumber ?? ''),
  );
  const forged = '2020-01-01  error  source.carried  forged';
  const hostile = `Ada\u202e\u2066 evil\u2069\u200f\u001b[31m\u0007\r\n${forged}\u2028${forged}\u202c https://evil.example/x`;
  site.simulator.setMoment(momentOf(first));
  expect((await say('hostile', webhook, ['run', '--slot', first])).code).toBe(0);
  site.simulator.changeDevice('macs', device?.facts.id ?? '', { name: hostile, agent: 'missing' });
  site.simulator.setMoment(momentOf(second));
  expect((await say('hostile', webhook, ['run', '--slot', second])).code).toBe(0);
  const { code, output } = await say('hostile', webhook, ['alerts', 'show']);
  expect(code).toBe(0);
  const lines = output.split('\n').filter((line) => line.includes('evil'));
  expect(lines).toEqual([
    expect.stringMatching(
      /^ {2}2025-06-02 {2}\w+ +device\.lost {2}\S+ Ada evil .*forged .*forged .*\(webhook\): A device was Installed and no longer is\.$/,
    ),
  ]);
  expect(output).not.toMatch(/\n\s*2020-01-01/);
  expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(output).not.toContain('://');
});
