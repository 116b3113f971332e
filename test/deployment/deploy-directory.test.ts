/** The script that copies a folder of artifacts to Jamf Pro. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needProgram } from '../needs.ts';
import { makeCompany, renderArtifact } from './artifact-texts.ts';
import { type Ground, openGround, put } from './ground.ts';
import { makeTarHeader } from './tar.ts';

const run = promisify(execFile);

describe('deploy-directory.sh', () => {
  let ground: Ground;
  let folder = '';
  beforeAll(async () => {
    ground = await openGround('macs', { jamf: { identity: 'directory' } });
    folder = mkdtempSync(join(tmpdir(), 'muster-deploy-'));
  });
  afterAll(async () => {
    await ground.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * With stand-ins for the installer, sudo and what a test names, and a folder of its own instead of the system's. It is
   * run by its first line, or by another shell.
   */
  async function deploy(
    change = (text: string) => text,
    shell?: string,
  ): Promise<{ readonly code: number; readonly said: string }> {
    const note = join(folder, 'installed');
    rmSync(note, { force: true });
    rmSync(join(folder, 'target'), { recursive: true, force: true });
    const standIn = program('installer', `#!/bin/sh\necho "$@" > ${note}\nhead -c 4 "$3" >> ${note}\n`);
    const sudo = program('sudo', '#!/bin/sh\nexec "$@"\n');
    const text = change(renderArtifact('deploy-directory.sh', makeCompany(ground)))
      .replaceAll('/usr/sbin/installer', standIn)
      .replaceAll('/usr/bin/sudo', sudo)
      .replaceAll('/private/var/tmp/fhfs', join(folder, 'target'))
      .replaceAll('--retry 3', '');
    const file = program('deploy.sh', text);
    return (shell === undefined ? run(file) : run(shell, [file])).then(
      () => ({ code: 0, said: readFileSync(note, 'utf8') }),
      (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
    );
  }

  function program(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  }

  it('does the five steps against the real downloads', async () => {
    expect(await deploy()).toEqual({ code: 0, said: '-verbose -pkg fhfs.pkg -target /\nxar!' });
    expect(readFileSync(join(folder, 'target', 'enroll'), 'utf8')).toBe('#!/bin/sh\n');
  });

  it('stops where the search for paths fails, which is no proof that there are none', async () => {
    const broken = program('grep', '#!/bin/sh\nexit 2\n');
    const { code, said } = await deploy((text) => text.replace('/usr/bin/grep', broken));
    expect(code).toBe(1);
    expect(said).toContain('the paths in the bundle could not be searched');
  });

  it.each([
    ['/outside', 1],
    ['inside/../../outside', 1],
    ['inside/..', 1],
  ])('stops at a bundle that begins with %s and has %i more entries, and unpacks nothing', async (path, more) => {
    const bundle = Buffer.concat([makeTarHeader(path), Buffer.alloc(more * 512, makeTarHeader('inside/file'))]);
    put(ground.simulator.service, { bundle: gzipSync(Buffer.concat([bundle, Buffer.alloc(1024)]), { level: 1 }) });
    const { code, said } = await deploy();
    ground.restore();
    expect(code).toBe(1);
    expect(said).toContain('the bundle would write outside its folder');
    expect(existsSync(join(folder, 'target'))).toBe(false);
  });

  it.for(['bash', 'dash', 'zsh'])('stops in %s too, and installs nothing', async (shell, { skip }) => {
    needProgram(skip, shell);
    const bundle = Buffer.concat([
      makeTarHeader('../outside'),
      // Their names fill the pipe between two programs several times over.
      Buffer.alloc(20_000 * 512, makeTarHeader('inside/file')),
    ]);
    put(ground.simulator.service, { bundle: gzipSync(Buffer.concat([bundle, Buffer.alloc(1024)]), { level: 1 }) });
    const { code, said } = await deploy(undefined, shell);
    ground.restore();
    expect(code).not.toBe(0);
    // An older dash has no pipefail: it ends at the second line, before anything is downloaded.
    expect(said).toMatch(/the bundle would write outside its folder|Illegal option -o pipefail/);
    expect(existsSync(join(folder, 'target'))).toBe(false);
    expect(existsSync(join(folder, 'outside'))).toBe(false);
    expect(existsSync(join(folder, 'installed'))).toBe(false);
  });

  it.each<[string, Partial<Ground['simulator']['service']>, string]>([
    ['a package that is none', { package: Buffer.from('<html>') }, 'no installer archive'],
    ['a bundle that is none', { bundle: Buffer.from('<html>') }, 'no gzip tar'],
    ['a service that refuses', { instead: { status: 403 } }, 'could not be downloaded'],
  ])('stops at %s, and installs nothing', async (_what, change, words) => {
    put(ground.simulator.service, change);
    const { code, said } = await deploy();
    ground.restore();
    expect(code).toBe(1);
    expect(said).toContain(words);
  });
});
