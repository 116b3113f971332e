/** What every command has: a store that hangs, as a folder on a network can, is given up at a deadline. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inSession } from '../../src/cli/console/session.ts';
import { prepareRun } from '../../src/compose/start.ts';
import { least } from '../settings/least.ts';

it('no command asks the store for anything after its deadline', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-session-'));
  const settings = join(folder, 'muster.yaml');
  await writeFile(settings, least.replaceAll(/env:\w+/g, 'env:SESSION_TEST'));
  vi.stubEnv('SESSION_TEST', 'x');
  await inSession(settings, { storeTimeLimit: 0 }, async ({ parts }) => {
    const read = () =>
      parts.store.read('latest.json').then(
        () => 'read',
        ({ code }: { code: string }) => code,
      );
    await expect.poll(read).toBe('deadline');
  });
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
