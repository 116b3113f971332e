/** What is rendered: complete, without a secret, and taken by the platforms so that every check passes. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany } from '../../src/cli/artifacts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { loadArtifacts } from '../../src/compose/source-kinds.ts';
import { type Company, listMissingSettings } from '../../src/deployment/artifacts/artifact.ts';
import { parsePayloads } from '../../src/deployment/profile/payloads.ts';
import { emptyDeploymentSettings } from '../../src/settings/deployment/deployment.ts';
import { needProgram } from '../needs.ts';
import { type Ground, named, openGround, put, readSource } from './ground.ts';
import { makeTarHeader } from './tar.ts';

const run = promisify(execFile);
const artifacts = await loadArtifacts();

function companyOf({ sandbox }: Ground, change = (text: string) => text): Company {
  const { settings } = readSettings(change(sandbox.settings()));
  if (settings === undefined) {
    throw new Error('the sandbox has no settings');
  }
  return buildCompany(settings);
}

const nobody: Company = { agent: 'Endpoint agent', deployment: emptyDeploymentSettings, server: undefined };

function render(name: string, company: Company): string {
  return named(artifacts, name).render(company);
}

async function upload({ sandbox }: Ground, kind: string, body: string, query: Record<string, string> = {}) {
  const answer = await fetch(`${sandbox.url}/sandbox/upload/${kind}?${new URLSearchParams(query)}`, {
    method: 'POST',
    body,
  });
  expect([kind, answer.status, await answer.text()]).toEqual([kind, 201, expect.any(String)]);
}

describe('the artifacts', () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await openGround('macs');
  });
  afterAll(() => ground.close());

  it.each(artifacts)('$name is the same each time, holds no secret, and says what it lacks', (artifact) => {
    const company = companyOf(ground);
    const text = artifact.render(company);
    expect(artifact.render(companyOf(ground))).toBe(text);
    expect(text.endsWith('\n')).toBe(true);
    for (const canary of ground.sandbox.canaries) {
      expect(text).not.toContain(canary);
    }
    expect(listMissingSettings(artifact, company)).toEqual([]);
    expect(listMissingSettings(artifact, nobody)).toEqual([artifact.needsSource ?? [], artifact.needs].flat());
    expect(artifact.render(nobody)).not.toContain('undefined');
  });

  it.each(['kernel-extension.mobileconfig', 'system-extension.mobileconfig', 'file-access.mobileconfig'])(
    '%s is a property list with one payload and its own identifiers',
    (name) => {
      const payloads = parsePayloads(render(name, companyOf(ground)));
      expect(payloads).toHaveLength(1);
      const uuids = render(name, companyOf(ground)).match(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g);
      expect(new Set(uuids).size).toBe(2);
    },
  );

  it('ask for no package and no frequency, as the document does not', () => {
    const text = render('policy.xml', companyOf(ground));
    expect(text).toContain('<recon>true</recon>');
    expect(text).not.toMatch(/package|frequency/);
    expect(render('checklist.md', companyOf(ground))).not.toContain('Packages:');
  });

  it('name the agent’s own places wherever they name the document’s', () => {
    const documented = /fhagent|fhtools|System32|fhfs\.sys|uninstall\.exe/;
    for (const { name, render: renderText } of artifacts) {
      const text = renderText(companyOf(ground, elsewhere));
      expect([name, documented.exec(text)?.[0]]).toEqual([name, undefined]);
    }
    expect(render('extension-attribute.sh', companyOf(ground, elsewhere))).toContain('[ -e "/opt/a gent/agent" ]');
    expect(render('uninstall-command.txt', companyOf(ground, elsewhere))).toBe('D:\\Agent\\remove.exe /S\n');
  });

  it('take text for text: no value of the settings can break out of a script or a document', () => {
    const hostile = `x'; touch /tmp/x; "<&>$(id)`;
    const { macos } = emptyDeploymentSettings;
    const company: Company = {
      ...nobody,
      deployment: {
        ...emptyDeploymentSettings,
        service: `https://a.example.com/${hostile}`,
        macos: { ...macos, policy: hostile, teamIdentifier: hostile },
      },
      server: {
        url: 'https://a.example.com',
        attribute: hostile,
        groups: { installed: hostile, notInstalled: hostile },
      },
    };
    expect(render('deploy-directory.sh', company)).toContain(`service='https://a.example.com/x'\\''; touch`);
    expect(render('policy.xml', company)).not.toContain('"<&>');
    expect(render('smart-group-installed.xml', company)).not.toContain('"<&>');
    expect(parsePayloads(render('kernel-extension.mobileconfig', company))).toMatchObject([
      { AllowedTeamIdentifiers: [hostile] },
    ]);
  });

  it('say what to create and to replace before the policy is sent, and whom the policy is for', () => {
    const text = render('checklist.md', companyOf(ground));
    expect(text).toContain('replace every value in angle brackets, then `POST` each group');
    expect(text).toContain('`policy.xml` names the smart group `Agent Not Installed`');
    expect(render('policy.xml', companyOf(ground))).toContain('<name>Agent Not Installed</name>');
    expect(render('checklist.md', nobody)).toContain('`policy.xml` names all computers.');
    expect(render('policy.xml', nobody)).toContain('<all_computers>true</all_computers>');
  });

  it('print the document’s own steps for Windows, and beside them those that work', () => {
    const text = render('checklist.md', companyOf(ground));
    const shown = [
      'Office 365 suite section',
      'Windows app (Win32)',
      'Company Portal',
      'Available for enrolled devices',
    ];
    const places = ['C:\\ProgramData\\Microsoft\\IntuneManagementExtension\\Logs', '/usr/local/fhfs/bin/fhagent'];
    for (const words of [...shown, ...places, 'Global administrator']) {
      expect(text).toContain(words);
    }
  });
});

/** The agent's own places, in the settings as text. */
const elsewhere = (settings: string) =>
  settings
    .replace('    tools: false', '    tools: true\n    agentFile: /opt/a gent/agent\n    toolsFile: /opt/a gent/tools')
    .replace(
      '    vendorFolder: Vendor',
      "    uninstallFile: 'D:\\Agent\\remove.exe'\n    detection: { path: '%ProgramFiles%\\Agent', file: agent.sys }",
    );

describe.each([
  ['email', 'the document’s places', (settings: string) => settings],
  ['email', 'other places', elsewhere],
  ['directory', 'the document’s places', (settings: string) => settings],
] as const)('the round trip, %s, %s', (identity, _where, change) => {
  it('ends with every check passing', async () => {
    const ground = await openGround('macs', { jamf: { identity } });
    const company = companyOf(ground, change);
    const { sandbox } = ground;
    // Only what the document takes for granted is there: the e-mail script is the vendor's own.
    const vendors = sandbox.jamf.scripts.filter(({ name }) => name === 'enroll.sh');
    Object.assign(sandbox.jamf, { attributes: [], groups: [], policies: [], profiles: [], scripts: vendors });
    Object.assign(sandbox.graph, { apps: [] });
    const script = identity === 'email' ? 'enroll.sh' : 'deploy-directory.sh';

    await upload(ground, 'attribute', render('extension-attribute.sh', company), { name: 'Agent Status' });
    await upload(ground, 'group', render('smart-group-installed.xml', company));
    await upload(ground, 'group', render('smart-group-not-installed.xml', company));
    if (identity === 'directory') {
      await upload(ground, 'script', render(script, company), { name: script });
    }
    await upload(ground, 'policy', filledIn(render('policy.xml', company)));
    // Jamf Pro takes names and descriptions from the profiles: they are what the checks look for.
    await upload(ground, 'profile', render('file-access.mobileconfig', company));
    const app = '99999999-8888-7777-6666-555555555555';
    await upload(ground, 'app', filledIn(render('win32-app.json', company)), { id: app });
    await upload(ground, 'assignment', '', { id: app, group: 'aaaaaaaa-0000-0000-0000-000000000001' });

    for (const kind of ['kernel', 'system']) {
      await upload(ground, 'profile', render(`${kind}-extension.mobileconfig`, company));
      expect(sandbox.jamf.profiles).toMatchObject([
        { name: 'Agent file access', description: 'Allows the endpoint agent access to all files.' },
        { name: 'Agent kernel extension', description: 'Kernel extension approval profile of the endpoint agent' },
      ]);
      const { findings } = await ground.read(change);
      const wrong = findings.filter(({ result }) => result !== 'pass').map(({ check, result }) => `${check} ${result}`);
      // A directory-joined script takes no parameters, so it names no account.
      const withoutParameters = ['macos.policy-parameters not-checked', 'macos.account-read-only not-checked'];
      expect(wrong).toEqual(identity === 'email' ? [] : withoutParameters);
    }
    const windows = await readSource(sandbox, 'windows', change);
    expect(windows.findings.filter(({ result }) => result !== 'pass')).toEqual([]);
    await ground.close();
  });
});

/** What an administrator enters where the value belongs. */
function filledIn(text: string): string {
  return text
    .replace(/&lt;MDM_USER&gt;/g, 'reader')
    .replace(/&lt;MDM_PASSWORD&gt;/g, 'canary-filled-in')
    .replace(/(&lt;|<)API_KEY(&gt;|>)/g, 'canary-key');
}

it('the scripts pass shellcheck', async ({ skip }) => {
  needProgram(skip, 'shellcheck');
  const folder = mkdtempSync(join(tmpdir(), 'muster-shellcheck-'));
  for (const name of ['extension-attribute.sh', 'deploy-directory.sh']) {
    writeFileSync(join(folder, name), render(name, nobody));
    await run('shellcheck', [join(folder, name)]);
  }
  rmSync(folder, { recursive: true });
});

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
    const text = change(render('deploy-directory.sh', companyOf(ground)))
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
    put(ground.sandbox.service, { bundle: gzipSync(Buffer.concat([bundle, Buffer.alloc(1024)]), { level: 1 }) });
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
    put(ground.sandbox.service, { bundle: gzipSync(Buffer.concat([bundle, Buffer.alloc(1024)]), { level: 1 }) });
    const { code, said } = await deploy(undefined, shell);
    ground.restore();
    expect(code).not.toBe(0);
    // An older dash has no pipefail: it ends at the second line, before anything is downloaded.
    expect(said).toMatch(/the bundle would write outside its folder|Illegal option -o pipefail/);
    expect(existsSync(join(folder, 'target'))).toBe(false);
    expect(existsSync(join(folder, 'outside'))).toBe(false);
    expect(existsSync(join(folder, 'installed'))).toBe(false);
  });

  it.each<[string, Partial<Ground['sandbox']['service']>, string]>([
    ['a package that is none', { package: Buffer.from('<html>') }, 'no installer archive'],
    ['a bundle that is none', { bundle: Buffer.from('<html>') }, 'no gzip tar'],
    ['a service that refuses', { instead: { status: 403 } }, 'could not be downloaded'],
  ])('stops at %s, and installs nothing', async (_what, change, words) => {
    put(ground.sandbox.service, change);
    const { code, said } = await deploy();
    ground.restore();
    expect(code).toBe(1);
    expect(said).toContain(words);
  });
});
