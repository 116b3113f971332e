/** Prerequisites: proved, attested, too old, or not checked. And the folder that is packaged. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPackageFolder } from '../../src/cli/package-folder.ts';
import { checkPrerequisites } from '../../src/deployment/checks/prerequisites.ts';
import { prerequisites } from '../../src/deployment/definition.ts';
import { type DeploymentSettings, emptyDeploymentSettings } from '../../src/deployment/deployment-settings.ts';

const at = { slot: '2026-11-20', moment: new Date('2026-11-20T05:15:00Z') };
const asked = (changes: Partial<DeploymentSettings>): DeploymentSettings => ({
  ...emptyDeploymentSettings,
  ...changes,
});

describe.each(prerequisites)('$id', ({ id, mode }) => {
  const judge = (on: string | undefined, proof?: string) =>
    checkPrerequisites(
      asked({ identity: mode, attested: on === undefined ? {} : { [id]: on } }),
      { [id]: proof },
      at,
    ).find(({ check }) => check === `prerequisite.${id}`);

  it.each<[string, string | undefined, string | undefined, string]>([
    ['proved', undefined, 'shown by the platform', 'pass'],
    ['proved, whatever was attested', '2020-01-01', 'shown by the platform', 'pass'],
    ['attested today', '2026-11-20', undefined, 'pass'],
    ['attested tomorrow, somewhere east', '2026-11-21', undefined, 'pass'],
    ['attested a year ago', '2025-11-20', undefined, 'pass'],
    ['attested more than a year ago', '2025-11-18', undefined, 'fail'],
    ['attested long ago', '2019-01-01', undefined, 'fail'],
    ['attested in the future', '2026-12-24', undefined, 'fail'],
    ['neither', undefined, undefined, 'not-checked'],
  ])('%s', (_what, on, proof, result) => {
    expect(judge(on, proof)).toMatchObject({ result });
  });
});

it('are those of the mode, in order; of both where no mode is set', () => {
  const ids = (identity: DeploymentSettings['identity']) =>
    checkPrerequisites(asked({ identity }), {}, at).map(({ check, result }) => `${check} ${result}`);
  expect(ids('directory')).toEqual([
    'prerequisite.directory-configured not-checked',
    'prerequisite.circles-configured not-checked',
    'prerequisite.directory-agent not-checked',
  ]);
  expect(ids('email')).toHaveLength(7);
  expect(ids(undefined)).toHaveLength(10);
});

describe('the folder that is packaged', () => {
  let folder = '';
  const make = (...names: string[]) => {
    folder = mkdtempSync(join(tmpdir(), 'muster-package-'));
    for (const name of names) {
      if (name.endsWith('/')) {
        mkdirSync(join(folder, name));
      } else {
        writeFileSync(join(folder, name), name.startsWith('empty') ? '' : 'x');
      }
    }
    return folder;
  };
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('holds exactly the two files', async () => {
    expect(await checkPackageFolder(make('Install-Agent.ps1', 'fhfs.exe'))).toMatchObject({ result: 'pass' });
  });

  it.each<[string, string[], string]>([
    ['no script', ['fhfs.exe'], 'Install-Agent.ps1 is missing'],
    ['no installer', ['Install-Agent.ps1'], 'fhfs.exe is missing'],
    ['an installer that was not renamed', ['Install-Agent.ps1', 'setup.exe'], 'fhfs.exe is missing'],
    ['the packaging tool', ['Install-Agent.ps1', 'fhfs.exe', 'IntuneWinAppUtil.exe'], 'the packaging tool is inside'],
    ['another file', ['Install-Agent.ps1', 'fhfs.exe', 'notes.txt'], 'notes.txt'],
    ['another folder', ['Install-Agent.ps1', 'fhfs.exe', 'old/'], 'old'],
    ['a folder in place of the installer', ['Install-Agent.ps1', 'fhfs.exe/'], 'fhfs.exe is no file'],
  ])('%s: fails', async (_what, names, words) => {
    expect(await checkPackageFolder(make(...names))).toMatchObject({
      result: 'fail',
      found: expect.stringContaining(words),
    });
  });

  it('that cannot be read is unknown', async () => {
    expect(await checkPackageFolder(join(tmpdir(), 'muster-nowhere'))).toMatchObject({ result: 'unknown' });
  });
});
