/** What every command has: a store that hangs, as a folder on a network can, is given up at a deadline. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openSession } from '../../src/cli/console/session.ts';
import { prepareRun } from '../../src/compose/start.ts';

it('no command asks the store for anything after its deadline', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-session-'));
  const settings = join(folder, 'muster.yaml');
  await writeFile(
    settings,
    `
sources:
  - name: macs
    platform: jamf
    url: https://example.jamfcloud.com
    auth: { clientId: env:SESSION_TEST, clientSecret: env:SESSION_TEST }
    extensionAttribute: Agent Status
    groups: { installed: Agent Installed, notInstalled: Agent Not Installed }
store: ./data
`,
  );
  vi.stubEnv('SESSION_TEST', 'x');
  const session = await openSession(settings, { storeTimeLimit: 0 });
  const read = () =>
    session.parts.store.read('latest.json').then(
      () => 'read',
      ({ code }: { code: string }) => code,
    );
  await expect.poll(read).toBe('deadline');
  session.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('no run begins where certificates are not checked [K6]', async () => {
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const prepared = prepareRun({ given: 'muster.yaml', environment, deadline: 1, signal: AbortSignal.timeout(1) });
  await expect(prepared).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
});
