/** `muster init` as people start it, with answers as options and with answers typed at a terminal. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { command } from '../../src/base/command.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import { initSettings } from '../../src/cli/init/init.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { attributeTemplates, renderEvery } from '../../src/deployment/script-templates.ts';
import { fillBlock } from '../docs/documents.ts';
import { needProgram } from '../needs.ts';
import { finished, openSite, program, programEnvironment, type Site } from './muster.ts';

let site: Site;

beforeEach(async () => {
  // So few machines that none share a serial number: every check can pass.
  site = await openSite({ devices: 16, moment: new Date() });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await site.close();
});

const tenant = '11111111-2222-3333-4444-555555555555';

/** Where the simulator is. */
function listAddresses(): string[] {
  const { jamf, login, graph, downloads } = site.simulator.urls;
  const intune = ['--intune-login', login, '--intune-graph', graph, '--intune-downloads', downloads];
  return ['--jamf-url', jamf, '--intune-tenant', tenant, ...intune];
}

function init(...words: readonly string[]) {
  return site.run('muster.yaml', 'init', '--to', 'muster.yaml', '--yes', ...words);
}

/** Within this process, so that what the questions need is seen by the coverage; answers are by option, without hyphens. */
async function answer(to: string, answers: Readonly<Record<string, string>>) {
  const { jamf = '', login = '', graph = '', downloads = '' } = site.simulator.urls;
  for (const [name, value] of Object.entries(site.environment)) {
    vi.stubEnv(name, value);
  }
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const places = {
    jamfUrl: jamf,
    intuneTenant: tenant,
    intuneLogin: login,
    intuneGraph: graph,
    intuneDownloads: downloads,
  };
  const code = await initSettings({
    to: join(site.folder, to),
    yes: true,
    ...places,
    app: 'Endpoint agent',
    ...answers,
  });
  vi.restoreAllMocks();
  return { code, output: written.join('') };
}

async function readWritten() {
  const yaml = await readFile(join(site.folder, 'muster.yaml'), 'utf8');
  const { settings, problems } = readSettings(yaml);
  expect(problems).toEqual([]);
  for (const canary of site.simulator.canaries) {
    expect(yaml).not.toContain(canary);
  }
  return { yaml, settings };
}

async function expectSound(): Promise<void> {
  const { code, output } = await site.run('muster.yaml', 'check');
  expect([code, output]).toEqual([0, expect.stringContaining(`Ready: ${command} run`)]);
  const run = await site.run('muster.yaml', 'run', '--dry-run');
  expect(run.code, run.output).toBe(0);
}

describe('muster init', () => {
  it('takes options and what is recommended, and writes commented settings that check accepts', async () => {
    const { code, output, errors } = await init(...listAddresses(), '--app', 'Endpoint agent');

    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('/usr/local/fhfs/bin/fhagent, the documented place');
    const { yaml, settings } = await readWritten();
    expect(settings?.sources).toMatchObject([
      {
        extensionAttribute: 'Agent Status',
        groups: { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' },
      },
      { app: 'Endpoint agent', tenantId: tenant },
    ]);
    expect(yaml).toContain('# the display name of the extension attribute\n    extensionAttribute: Agent Status');
    expect(yaml).not.toContain('deployment:\n');
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(yaml) ?? [];
    expect(existsSync(join(site.folder, schema))).toBe(true);
    await expectSound();
  });

  it('records where the agent is on the company’s machines, and the number is sound', async () => {
    moveAgent();

    const { code } = await answer('muster.yaml', { policy: 'Deploy endpoint agent' });

    expect(code).toBe(0);
    const { deployment } = (await readWritten()).settings ?? {};
    expect(deployment?.macos).toMatchObject({ agentFile: '/opt/acme/agentd', policy: 'Deploy endpoint agent' });
    expect(deployment?.windows.detection).toEqual({ path: 'C:\\Program Files\\Acme', file: 'agent.exe' });
    await expectSound();
  });

  it('accepts a script and a rule only when a person has named their hashes', async () => {
    const script = '#!/bin/sh\necho "<result>$(cat /opt/acme/state)</result>"\n';
    setScript(script);

    const refused = await answer('muster.yaml', { attribute: 'Agent Status' });
    expect(refused.output).toContain(`--accept ${computeSha256(script)}`);
    expect((await readWritten()).settings?.deployment.accepted).toEqual([]);
    expect((await site.run('muster.yaml', 'check')).output).toContain(
      'Not ready. Mend this first:\n  1. macs: macos.extension-attribute',
    );

    const accepted = { accept: computeSha256(script), acceptedBy: 'Robin Example' };
    expect((await answer('second.yaml', { attribute: 'Agent Status', ...accepted })).code).toBe(0);
    const { code, output } = await site.run('second.yaml', 'check');
    expect([code, output]).toEqual([0, expect.stringContaining('accepted by Robin Example')]);
  });

  it('warns of an account that sees one site, and records the site that a person names', async () => {
    await site.close();
    site = await openSite({ devices: 16, moment: new Date(), jamf: { site: true } });
    const account = { jamfUsername: 'env:JAMF_USER', attribute: 'Agent Status' };

    const warned = await answer('muster.yaml', account);
    expect(warned.output).toContain('shows this account only its site, not the whole fleet');
    expect((await site.run('muster.yaml', 'check')).output).toContain(
      'Mend this first:\n  1. macs: Jamf Pro "macs" shows this',
    );

    expect((await answer('second.yaml', { ...account, jamfSite: 'Headquarters' })).code).toBe(0);
    const { code, output } = await site.run('second.yaml', 'check');
    expect([code, output]).toEqual([0, expect.stringContaining(`Ready: ${command} run`)]);
  });

  it('leaves a file that is there as it is, and says what an answer lacks', async () => {
    await writeFile(join(site.folder, 'muster.yaml'), 'mine');
    const taken = await init(...listAddresses());
    expect([taken.code, taken.errors]).toEqual([2, expect.stringContaining('There is a file muster.yaml already')]);
    expect(await readFile(join(site.folder, 'muster.yaml'), 'utf8')).toBe('mine');

    const other = ['--to', 'other.yaml'];
    const wrong = await init(...listAddresses(), ...other, '--attribute', 'Agent Stats');
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('Did you mean "Agent Status"?')]);
    const missing = await init(...listAddresses(), ...other);
    expect(missing.errors).toContain('answer with --app. There are: Endpoint agent, Endpoint agent 8');
    const secret = await init(...listAddresses(), ...other, '--jamf-client-secret', 'canary-literal');
    expect([secret.code, secret.errors]).toEqual([2, expect.stringContaining('never the secret itself')]);
    expect(secret.errors).not.toContain('canary-literal');
    const app = ['--app', 'Endpoint agent'];
    const mistyped = await init(...listAddresses(), ...other, ...app, '--store', 'gs://bucket');
    expect([mistyped.code, mistyped.errors]).toEqual([2, expect.stringContaining('s3://bucket/prefix')]);
    const silent = await site.run('muster.yaml', 'init', '--to', 'other.yaml', ...listAddresses());
    expect([silent.code, silent.errors]).toEqual([2, expect.stringContaining('There is no terminal to ask on')]);
    expect(existsSync(join(site.folder, 'other.yaml'))).toBe(false);
  });
});

describe('muster init at a terminal', () => {
  it('asks with choices, asks again what was refused, shows an unknown script, and check accepts the result', async ({
    skip,
  }) => {
    needProgram(skip, 'script');
    setScript('#!/bin/sh\r\n\u001b[2Jtest -e /opt/acme/agentd && echo "<result>Installed</result>"\r\n');
    const [, url, ...intune] = listAddresses();
    const { code, screen } = await talk(intune.slice(2), [
      [/Address of Jamf Pro.*: $/, 'example'],
      [/It is not a URL.*\n.*: $/, url ?? ''],
      [/the id, or where it is \[env:JAMF_CLIENT_ID\]: $/, 'env:NOT_SET'],
      [/Where its secret is.*: $/, ''],
      [/NOT_SET is not set[\s\S]*Address of Jamf Pro[^\n]*\]: $/, ''],
      [/or where it is \[env:NOT_SET\]: $/, 'env:JAMF_CLIENT_ID'],
      [/Where its secret is.*: $/, ''],
      [/2 {2}Agent Status [\s\S]*Extension attribute.*: $/, '2'],
      [/\| #!\/bin\/sh\n {2}\| {1,2}\[2Jtest -e[\s\S]*name of the person.*: $/, 'Robin Example'],
      [/Macs that are Installed \[Agent Installed\]: $/, ''],
      [/Macs that are Not Installed \[Agent Not Installed\]: $/, ''],
      [/Policy.*: $/, ''],
      [/extensions.*: $/, 'Agent kernel extension'],
      [/all files.*: $/, ''],
      [/Tenant of Microsoft Intune.*: $/, tenant],
      [/GRAPH_CLIENT_ID\]: $/, ''],
      [/GRAPH_CLIENT_SECRET\]: $/, ''],
      [/the documented detection rule[\s\S]*Win32 app.*: $/, 'Endpoint agent'],
      [/Where reports are kept.*muster-data\]: $/, ''],
      [/When runs start.*15 5 \* \* \*\]: $/, '30 2 * * *'],
      [/Its time zone.*UTC\]: $/, 'Europe/Berlin'],
    ]);

    expect([code, screen]).toEqual([
      0,
      expect.stringContaining('Wrote muster.yaml, without a secret. Next: npx muster check'),
    ]);
    expect(screen).toMatch(/Clocks in Europe\/Berlin skip 02:30 on 20\d\d-03-\d\d: .* starts at 03:00\./);
    const { settings } = await readWritten();
    expect(settings?.schedule).toMatchObject({ cron: '30 2 * * *', timezone: 'Europe/Berlin' });
    expect(settings?.deployment.accepted).toMatchObject([{ by: 'Robin Example' }]);
    expect(settings?.deployment.macos.profiles).toMatchObject({ extension: 'Agent kernel extension' });
    await expectSound();
  });

  it('docs/connect.md shows how it goes with the simulator', async ({ skip }) => {
    needProgram(skip, 'script');
    await site.close();
    site = await openSite({ devices: 200, seed: 1, moment: new Date() });
    const turns = [...Array.from({ length: 10 }, () => ''), '1', '', '', ''].map((typed): Turn => [/: $/, typed]);
    const { code, screen } = await talk(listAddresses(), turns);

    expect(code).toBe(0);
    const page = join(import.meta.dirname, '../../docs/connect.md');
    const session = ['```', ...abridge(screen), '```'].join('\n');
    await expect(fillBlock(await readFile(page, 'utf8'), 'init', session)).toMatchFileSnapshot(page);
  });

  it('writes nothing where it is stopped', async ({ skip }) => {
    needProgram(skip, 'script');
    const { code, screen } = await talk([], [[/Address of Jamf Pro.*: $/, '\u0003']]);
    expect([code, screen]).toEqual([1, expect.stringContaining('no file was written')]);
    expect(existsSync(join(site.folder, 'muster.yaml'))).toBe(false);
  });
});

/** For a page: two choices of each question, and nothing about what the number does not depend on. */
function abridge(screen: string): string[] {
  const lines = screen.replace(escapes, '').replaceAll('\r', '').split('\n');
  const shown = lines.flatMap((line) => {
    const number = Number(/^ +(\d+) {2}/.exec(line)?.[1] ?? 0);
    return number > 3 || line.trim() === '' ? [] : [number === 3 ? '  …' : line.trimEnd()];
  });
  const [first, last] = [/^Smart group .* Not Installed/, /^Profile .* all files/].map((question) =>
    shown.findIndex((line) => question.test(line)),
  );
  return [...shown.slice(0, Number(first) + 1), '…', ...shown.slice(Number(last) + 1)];
}

/** The agent is somewhere else than the document says, as `muster artifacts` renders it for such a company. */
function moveAgent(): void {
  setScript(renderEvery(attributeTemplates, '/opt/acme/agentd')[0]?.text ?? '');
  const [app] = site.simulator.graph.apps;
  Object.assign(app?.rules[0] ?? {}, { path: 'C:\\Program Files\\Acme', fileOrFolderName: 'agent.exe' });
}

function setScript(script: string): void {
  const attribute = site.simulator.jamf.attributes.find(({ name }) => name === 'Agent Status');
  Object.assign(attribute ?? {}, { script });
}

type Turn = readonly [question: RegExp, answer: string];

/** A pseudo terminal, in which each answer is typed when its question stands there. */
async function talk(words: readonly string[], turns: readonly Turn[]) {
  const command = [process.execPath, program, 'init', ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: site.folder,
    env: { ...programEnvironment, ...site.environment, TERM: 'dumb', SHELL: '/bin/sh' },
  });
  const left = [...turns];
  let unanswered = '';
  child.stdout.on('data', (bytes: Buffer) => {
    unanswered += bytes.toString('utf8').replaceAll('\r', '');
    const [turn] = left;
    if (turn?.[0].test(unanswered.replace(escapes, ''))) {
      unanswered = '';
      left.shift();
      child.stdin.write(turn[1] === '\u0003' ? turn[1] : `${turn[1]}\r`);
    }
  });
  const { code, output } = await finished(child);
  return { code, screen: output };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor begins with one
const escapes = /\u001b\[[0-9]*[GJ]/g;
