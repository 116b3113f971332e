/** What every command has: a store that hangs, as a folder on a network can, is given up at a deadline. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { printFailure } from '../../src/cli/console/failure.ts';
import { inSession, printJson, printLines } from '../../src/cli/console/session.ts';
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

it('A15: nothing that is printed turns or hides the text around it, and a document for programs keeps it', () => {
  const hostile = ['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\ufeff', '\u001b[31m', '\u009b', '\r', '\u2028'];
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const text = `MAC-${hostile.join('gnp.exe')} 👨‍👩‍👧`;
  printLines([`  a device: ${text}`]);
  printFailure(new MusterError('store-damaged', `${text} is damaged.\n  Look.`), process.stdout);
  printJson({ text });
  write.mockRestore();
  const [lines = '', failure = '', document = ''] = written;
  for (const one of [...hostile.map((part) => part.slice(0, 1)), '\u0085']) {
    expect(lines).not.toContain(one);
    expect(failure).not.toContain(one);
  }
  expect(lines).toMatch(/^ {2}a device: MAC- gnp\.exe .*👨‍👩‍👧\n$/);
  expect(failure).toMatch(/^muster \[store-damaged\]: .*is damaged\.\n {2}Look\.\n$/);
  for (const one of ['\u202e', '\u2066', '\u200f', '\u061c', '\u001b', '\u009b', '\u2028']) {
    expect(document).not.toContain(one);
  }
  expect(JSON.parse(document)).toMatchObject({ text });
});
