/** `muster init` before it is signed in: what it refuses without asking anybody, and what it says meanwhile. */
import { expect, test } from 'vitest';
import { loopback } from '../http/loopback.ts';
import { inFolder, musterHere } from './muster.ts';

const environment = { JAMF_CLIENT_ID: 'id', JAMF_CLIENT_SECRET: 'secret' };

const init = (...words: readonly string[]) =>
  inFolder((folder) => musterHere(['init', '--yes', ...words], { folder, environment }));

test.each([
  [['--intune-tenant', 'https://intune.microsoft.com'], 'It must be the tenant’s id (a GUID) or its domain.'],
  [[], 'init wrote no settings: it needs at least one platform. Answer --jamf-url, --intune-tenant or both.'],
])('%j is refused before anybody is asked', async (words, sentence) => {
  expect(await init(...words)).toEqual({ code: 2, output: '', errors: expect.stringContaining(sentence) });
});

test('it says where it signs in, what it waits for, and that a wrong address is none of Jamf Pro', async () => {
  const server = await loopback((_request, response, count) => {
    response.writeHead(count === 1 ? 503 : 404, { 'retry-after': '1' }).end();
  });
  const { code, output, errors } = await init('--jamf-url', server.origin);
  await server.close();
  expect(output).toMatch(/^Signing in to Jamf Pro "macs"\.\nWaiting: HTTP 503, next try at \S+Z, until \S+Z\.\n$/);
  expect([code, errors]).toEqual([1, expect.stringContaining('did not answer as Jamf Pro does')]);
});
