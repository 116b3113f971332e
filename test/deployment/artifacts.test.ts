/** What is rendered: complete, without a secret, and taken by the platforms so that every check passes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, listMissingSettings, selectOffered } from '../../src/deployment/artifacts/artifact.ts';
import { parsePayloads } from '../../src/deployment/profile/payloads.ts';
import { emptyDeploymentSettings } from '../../src/deployment/settings.ts';
import { needProgram } from '../needs.ts';
import { artifacts, makeCompany, renderArtifact } from './artifact-texts.ts';
import { type Ground, openGround, readSource } from './ground.ts';

const run = promisify(execFile);

const nobody: Company = { agent: 'Endpoint agent', deployment: emptyDeploymentSettings, server: undefined };

async function upload({ simulator }: Ground, kind: string, body: string, query: Record<string, string> = {}) {
  const answer = await fetch(`${simulator.url}/sandbox/upload/${kind}?${new URLSearchParams(query)}`, {
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
    const company = makeCompany(ground);
    const text = artifact.render(company);
    expect(artifact.render(makeCompany(ground))).toBe(text);
    expect(text.endsWith('\n')).toBe(true);
    for (const canary of ground.simulator.canaries) {
      expect(text).not.toContain(canary);
    }
    expect(listMissingSettings(artifact, company)).toEqual([]);
    expect(listMissingSettings(artifact, nobody)).toEqual([artifact.needsSource ?? [], artifact.needs].flat());
    expect(artifact.render(nobody)).not.toContain('undefined');
  });

  it('are listed to a company that does not use the deployment interface only where they measure', () => {
    expect(selectOffered(artifacts, nobody).map(({ name }) => name)).toEqual([
      'extension-attribute.sh',
      'smart-group-installed.xml',
      'smart-group-not-installed.xml',
      'win32-app.json',
    ]);
    expect(selectOffered(artifacts, makeCompany(ground))).toEqual(artifacts);
  });

  it.each(['kernel-extension.mobileconfig', 'system-extension.mobileconfig', 'file-access.mobileconfig'])(
    '%s is a property list with one payload and its own identifiers',
    (name) => {
      const payloads = parsePayloads(renderArtifact(name, makeCompany(ground)));
      expect(payloads).toHaveLength(1);
      const uuids = renderArtifact(name, makeCompany(ground)).match(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g);
      expect(new Set(uuids).size).toBe(2);
    },
  );

  it('ask for no package and no frequency, as the document does not', () => {
    const text = renderArtifact('policy.xml', makeCompany(ground));
    expect(text).toContain('<recon>true</recon>');
    expect(text).not.toMatch(/package|frequency/);
    expect(renderArtifact('checklist.md', makeCompany(ground))).not.toContain('Packages:');
  });

  it('name the agent’s own places wherever they name the document’s', () => {
    const documented = /fhagent|fhtools|System32|fhfs\.sys|uninstall\.exe/;
    for (const { name, render: renderText } of artifacts) {
      const text = renderText(makeCompany(ground, elsewhere));
      expect([name, documented.exec(text)?.[0]]).toEqual([name, undefined]);
    }
    expect(renderArtifact('extension-attribute.sh', makeCompany(ground, elsewhere))).toContain(
      '[ -e "/opt/a gent/agent" ]',
    );
    expect(renderArtifact('uninstall-command.txt', makeCompany(ground, elsewhere))).toBe('D:\\Agent\\remove.exe /S\n');
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
    expect(renderArtifact('deploy-directory.sh', company)).toContain(`service='https://a.example.com/x'\\''; touch`);
    expect(renderArtifact('policy.xml', company)).not.toContain('"<&>');
    expect(renderArtifact('smart-group-installed.xml', company)).not.toContain('"<&>');
    expect(parsePayloads(renderArtifact('kernel-extension.mobileconfig', company))).toMatchObject([
      { AllowedTeamIdentifiers: [hostile] },
    ]);
  });

  it('say what to create and to replace before the policy is sent, and whom the policy is for', () => {
    const text = renderArtifact('checklist.md', makeCompany(ground));
    expect(text).toContain('replace every value in angle brackets, then `POST` each group');
    expect(text).toContain('`policy.xml` names the smart group `Agent Not Installed`');
    expect(renderArtifact('policy.xml', makeCompany(ground))).toContain('<name>Agent Not Installed</name>');
    expect(renderArtifact('checklist.md', nobody)).toContain('`policy.xml` names all computers.');
    expect(renderArtifact('policy.xml', nobody)).toContain('<all_computers>true</all_computers>');
  });

  it('print the document’s own steps for Windows, and beside them those that work', () => {
    const text = renderArtifact('checklist.md', makeCompany(ground));
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
    const company = makeCompany(ground, change);
    const { simulator } = ground;
    // Only what the document takes for granted is there: the e-mail script is the vendor's own.
    const vendors = simulator.jamf.scripts.filter(({ name }) => name === 'enroll.sh');
    Object.assign(simulator.jamf, { attributes: [], groups: [], policies: [], profiles: [], scripts: vendors });
    Object.assign(simulator.graph, { apps: [] });
    const script = identity === 'email' ? 'enroll.sh' : 'deploy-directory.sh';

    await upload(ground, 'attribute', renderArtifact('extension-attribute.sh', company), { name: 'Agent Status' });
    await upload(ground, 'group', renderArtifact('smart-group-installed.xml', company));
    await upload(ground, 'group', renderArtifact('smart-group-not-installed.xml', company));
    if (identity === 'directory') {
      await upload(ground, 'script', renderArtifact(script, company), { name: script });
    }
    await upload(ground, 'policy', filledIn(renderArtifact('policy.xml', company)));
    // Jamf Pro takes names and descriptions from the profiles: they are what the checks look for.
    await upload(ground, 'profile', renderArtifact('file-access.mobileconfig', company));
    const app = '99999999-8888-7777-6666-555555555555';
    await upload(ground, 'app', filledIn(renderArtifact('win32-app.json', company)), { id: app });
    await upload(ground, 'assignment', '', { id: app, group: 'aaaaaaaa-0000-0000-0000-000000000001' });

    for (const kind of ['kernel', 'system']) {
      await upload(ground, 'profile', renderArtifact(`${kind}-extension.mobileconfig`, company));
      expect(simulator.jamf.profiles).toMatchObject([
        { name: 'Agent file access', description: 'Allows the endpoint agent access to all files.' },
        { name: 'Agent kernel extension', description: 'Kernel extension approval profile of the endpoint agent' },
      ]);
      const { findings } = await ground.read(change);
      const wrong = findings.filter(({ result }) => result !== 'pass').map(({ check, result }) => `${check} ${result}`);
      // A directory-joined script takes no parameters, so it names no account.
      const withoutParameters = ['macos.policy-parameters not-checked', 'macos.account-read-only not-checked'];
      expect(wrong).toEqual(identity === 'email' ? [] : withoutParameters);
    }
    const windows = await readSource(simulator, 'windows', change);
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
    writeFileSync(join(folder, name), renderArtifact(name, nobody));
    await run('shellcheck', [join(folder, name)]);
  }
  rmSync(folder, { recursive: true });
});
