/** M6: a firewall's page in place of an answer is not taken for the platform's word about the account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlatformRequest } from '../../simulator/platforms/request.ts';
import type { PlatformResponse } from '../../simulator/platforms/response.ts';
import { openSite, pastSlots, type Site } from './muster.ts';

const [slot] = pastSlots;
let site: Site;
let isBlocked: (request: PlatformRequest) => boolean = () => false;
let page: PlatformResponse;

beforeAll(async () => {
  site = await openSite({
    intercept: async (request, respond) => (isBlocked(request) ? page : respond(request)),
  });
});
afterAll(() => site.close());

function block(status: number, server: string, body = '<html><h1>Blocked, canary</h1></html>'): PlatformResponse {
  return { status, headers: { 'content-type': 'text/html', server }, body };
}

const jamf = 'Something in front of Jamf Pro "macs"';

test.each<[string, Partial<PlatformRequest>, PlatformResponse, string]>([
  [
    'the sign-in of Jamf Pro',
    { origin: 'jamf', path: '/api/v1/oauth/token' },
    block(403, 'FortiWeb-7.4'),
    `${jamf} (FortiWeb-7.4) answered 403`,
  ],
  [
    'the inventory',
    { origin: 'jamf', path: '/api/v1/computers-inventory' },
    block(403, 'nginx'),
    `${jamf} (nginx) answered 403`,
  ],
  [
    'the sign-in, with a status of its own',
    { origin: 'jamf', path: '/api/v1/oauth/token' },
    block(401, 'x\u0080'),
    `${jamf} answered 401`,
  ],
  [
    'the sign-in of Entra',
    { origin: 'login' },
    block(403, 'Zscaler/6.2'),
    'Something in front of Microsoft sign-in for "windows" (Zscaler/6.2) answered 403',
  ],
  [
    'Graph',
    { origin: 'graph' },
    block(403, 'nginx', '{"message":"Forbidden"}'),
    'Something in front of Microsoft Graph "windows" (nginx) answered 403',
  ],
])('a firewall’s page at %s is said to be one [M6]', async (what, asked, answer, sentence) => {
  page = answer;
  isBlocked = ({ origin, path }) =>
    origin === asked.origin && (asked.path === undefined || path.replace(/\/v\d\//, '/v1/') === asked.path);
  const { settings } = await site.settingsFor(what.replace(/\W+/g, '-'));
  const { code, output } = await site.run(settings, 'run', '--slot', slot);
  expect(code).toBe(3);
  expect(output).toContain(JSON.stringify(sentence).slice(1, -1));
  expect(output).toContain('"intermediary-refused"');
  expect(output).not.toMatch(/Grant|secret current|canary/);
});
