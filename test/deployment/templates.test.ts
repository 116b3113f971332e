/**
 * The scripts that were ever rendered. Servers hold them, and they are recognised by their text: after a release, a line
 * may be added here in front, and none may change or go.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attributeScript, renderDirectoryScript } from '../../simulator/platforms/jamf/scripts.ts';
import { extensionAttribute, scriptCheck } from '../../src/deployment/checks/jamf/scripts.ts';
import { attribute, downloads, macosFiles } from '../../src/deployment/definition.ts';
import { attributeTemplates, directoryTemplates, renderEvery } from '../../src/deployment/script-templates.ts';
import { needProgram } from '../needs.ts';
import { judgeJamf, one, type SettingsChange } from './judging.ts';

/** The documented place, another, and one that a shell could misread. */
const agentFiles = ['/usr/local/fhfs/bin/fhagent', '/opt/agent/bin/agent', '/opt/a "b" $(c) `d` \\e/agent'] as const;
const services = ['https://files.example.com', "https://files.example.com/it's", 'http://127.0.0.1:8080'] as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const released = {
  attribute: {
    '1.0.0': [
      '38fc9e19f53aaf409de4b585365c00792a74f31a4b80e93a5af7f05c7d14ede1',
      'db4b0dbccd0fd2ca31f0b1fa45c5bbf68bd6361d3d91a47a31e74f058707c04b',
      '2e97eb907edc7d4582192a856b22bf33032ae7beebb604197258dac97ddb3b4d',
    ],
    '0.1.0': ['38fc9e19f53aaf409de4b585365c00792a74f31a4b80e93a5af7f05c7d14ede1'],
  },
  directory: {
    '1.0.0': [
      '965878de19eb9d8905d8b5c9d88a78ab86c8deb49ce6a83886f1a095ac5df850',
      '19aa215188d235dbc737996f3cd79be8e4a3ef8b18b94ea0ebd7987b5b9775b1',
      'e597f7579d38dfa3d16bd21d52d1dbc752971f06d9b6de0071483f63e8a9bd02',
    ],
    '0.1.0': [
      '077c11ddb0dace6786000223171b53a0b21fe897cb78c39f7ba6a7c777a1f3c0',
      'e381f8cf006b2fadbb9c6a8703484b939375284a94394467c637f2bf90bae9d2',
      '502e71f61747c796cd7ef2180b0be835f9b4e00705a526463aa824c0f6ea101a',
    ],
  },
};

describe('the released templates', () => {
  it.each([
    ['attribute', attributeTemplates, agentFiles],
    ['directory', directoryTemplates, services],
  ] as const)('of the %s are all there, in order and unchanged', (kind, templates, values) => {
    const rendered = values.flatMap((value) => renderEvery(templates, value));
    const hashes = Map.groupBy(rendered, ({ version }) => version);
    expect([...hashes].map(([version, all]) => [version, all.map(({ text }) => sha256(text))])).toEqual(
      Object.entries(released[kind]),
    );
  });
});

describe.each(services)('the templates with the service %s', (service) => {
  const asked = { identity: 'directory', service, macos: { script: 'deploy-directory.sh' } } as const;
  const check = (contents: string, settings: SettingsChange = asked) =>
    judgeJamf(scriptCheck, { script: one({ labels: new Map(), contents }) }, settings);

  const rendered = renderEvery(directoryTemplates, service);

  it.each(rendered)('of $version are recognised, and the finding names the version', ({ version, text }) => {
    expect(check(text)).toMatchObject({ result: 'pass', found: expect.stringContaining(version) });
  });

  it('of earlier versions pass with the advice to render them again, and why', () => {
    const [newest, ...older] = rendered;
    for (const { version, weakness = '', text } of older) {
      const { found } = check(text);
      expect(found).toContain(`Muster ${version} rendered`);
      expect(found).toContain(`render it again, since ${newest?.version} has a better one`);
      expect(found).toContain(weakness);
    }
    expect(check(newest?.text ?? '').found).not.toContain('render it again');
  });

  it('are known only from these settings: another service, or none, is another script', () => {
    for (const { text } of renderEvery(directoryTemplates, 'https://other.example.com')) {
      expect(check(text).result).toBe('unknown');
    }
    for (const { text } of rendered) {
      expect(check(text, { ...asked, service: undefined })).toMatchObject({
        result: 'unknown',
        advice: expect.stringMatching(/^Set deployment\.service\./),
      });
    }
    expect(check(attributeTemplates[0].render(macosFiles.agent)).result).toBe('unknown');
  });
});

it('the attribute accepts no other artifact', () => {
  for (const { text } of renderEvery(directoryTemplates, services[0])) {
    expect(checkAttributeScript(text).result).toBe('unknown');
  }
});

describe('the script of an attribute for another place', () => {
  it.each(agentFiles)(
    '%s passes where the settings name it, and fails elsewhere by both places (mornings D9)',
    (file) => {
      const script = attributeTemplates[0].render(file);
      expect(checkAttributeScript(script, file).result).toBe('pass');
      for (const set of agentFiles.filter((other) => other !== file)) {
        expect(checkAttributeScript(script, set)).toMatchObject({
          result: 'fail',
          found: expect.stringContaining(`the server looks for "${file}", the settings say "${set}" (SHA-256 `),
          advice: expect.stringContaining('correct deployment.macos.agentFile'),
        });
      }
    },
  );

  it('is as old as the first version that rendered the same text', () => {
    const since = (agentFile: string) => checkAttributeScript(attributeTemplates[0].render(agentFile), agentFile).found;
    expect(since(agentFiles[0])).toContain('since version 0.1.0');
    expect(since(agentFiles[1])).toContain('since version 1.0.0');
  });

  it.for(['sh', 'bash', 'dash', 'zsh'])('looks for exactly that file in %s', (shell, { skip }) => {
    needProgram(skip, shell);
    const folder = mkdtempSync(join(tmpdir(), 'muster-attribute-'));
    const agentFile = join(folder, 'a "b" $(c) `d` \\e $HOME *');
    const script = join(folder, 'attribute.sh');
    writeFileSync(script, attributeTemplates[0].render(agentFile));
    const run = () => execFileSync(shell, [script], { encoding: 'utf8' });
    expect(run()).toBe('<result>Not Installed</result>\n');
    writeFileSync(agentFile, '');
    expect(run()).toBe('<result>Installed</result>\n');
    rmSync(folder, { recursive: true });
  });
});

function checkAttributeScript(script: string, agentFile: string = macosFiles.agent) {
  const facts = { enabled: true, dataType: 'STRING', inputType: 'SCRIPT', script };
  return judgeJamf(extensionAttribute, { attribute: one(facts) }, { macos: { agentFile } });
}

it('the newest say what the document says', () => {
  const script = attributeTemplates[0].render(macosFiles.agent);
  for (const text of [macosFiles.agent, attribute.present, attribute.absent]) {
    expect(script).toContain(text);
  }
  const deploy = directoryTemplates[0].render('https://files.example.com');
  const { package: installer, bundle, folder, target } = downloads;
  const places = [installer.path, installer.savedAs, bundle.path, bundle.savedAs, folder];
  for (const text of [...places, `-target ${target}`, '-verbose']) {
    expect(deploy).toContain(text);
  }
});

it('the newest are what the simulator holds, which shares no code with them', () => {
  const service = 'http://127.0.0.1:8080';
  const unix = (text: string) => text.replaceAll('\r\n', '\n');
  expect(unix(attributeScript)).toBe(attributeTemplates[0].render(macosFiles.agent));
  expect(unix(renderDirectoryScript(service))).toBe(directoryTemplates[0].render(service));
});
