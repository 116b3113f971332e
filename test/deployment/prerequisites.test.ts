/** The prerequisites of each mode, and the folder that is packaged. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPackageFolder } from '../../src/cli/check/check.ts';
import { runChecks } from '../../src/deployment/checks/check.ts';
import { createPrerequisiteChecks } from '../../src/deployment/checks/common-checks.ts';
import { intuneChecks } from '../../src/deployment/checks/intune/checks.ts';
import type { IntuneReading } from '../../src/deployment/checks/intune/reading.ts';
import { jamfChecks } from '../../src/deployment/checks/jamf/checks.ts';
import type { JamfReading } from '../../src/deployment/checks/jamf/reading.ts';
import type { DeploymentSettings } from '../../src/deployment/settings.ts';
import { everyone, makeApp, makeContext, makeJamfReading, one, say, unread } from './judging.ts';

it('are those of the mode, in order; of both where no mode is set', () => {
  const ids = (identity: DeploymentSettings['identity']) =>
    runChecks(createPrerequisiteChecks({}), undefined, makeContext({ identity })).map(
      ({ check, result }) => `${check} ${result}`,
    );
  expect(ids('directory')).toEqual([
    'prerequisite.directory-configured not-checked',
    'prerequisite.circles-configured not-checked',
    'prerequisite.directory-agent not-checked',
  ]);
  expect(ids('email')).toHaveLength(7);
  expect(ids(undefined)).toHaveLength(10);
});

describe('prerequisites', () => {
  it('are proved, attested, or not known', () => {
    const attested = { 'circle-id': '2026-10-01', 'api-key': '2024-10-01' };
    const checks = createPrerequisiteChecks<undefined>({ 'group-exists': () => 'there is one' });
    const findings = runChecks(checks, undefined, makeContext({ identity: 'email', attested }));
    const find = (id: string) => findings.find(({ check }) => check === `prerequisite.${id}`);
    expect(find('group-exists')).toMatchObject({ result: 'pass', found: 'there is one' });
    expect(find('circle-id')).toMatchObject({ result: 'pass', found: 'attested on 2026-10-01' });
    expect(find('api-key')).toMatchObject({
      result: 'fail',
      found: 'attested on 2024-10-01, more than a year ago',
      advice: 'Verify it again, then update the date in deployment.attested.api-key.',
    });
    expect(find('device-enrolled')).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.attested.device-enrolled to have this checked.',
    });
    const open = runChecks(checks, undefined, makeContext());
    expect(new Set(open.map(({ result, advice }) => `${result} ${advice}`))).toEqual(
      new Set(['not-checked Set deployment.identity to have this checked.']),
    );
  });

  const context = makeContext({ identity: 'email', macos: { policy: 'Deploy' } });
  const proved = (findings: ReturnType<typeof runChecks>) =>
    findings
      .filter(({ check, result }) => check.startsWith('prerequisite.') && result === 'pass')
      .map(({ check, found }) => `${check.replace('prerequisite.', '')}: ${found}`);
  const macos = (read: Partial<JamfReading>) => proved(runChecks(jamfChecks, makeJamfReading(read), context));
  const windows = (read: IntuneReading) => proved(runChecks(intuneChecks, read, context));

  it('are proved by what Jamf Pro shows', () => {
    const parameters = new Map([
      [8, 'key'],
      [9, '<CIRCLE_ID>'],
    ]);
    const smart = one({ smart: true, criteria: [] });
    const policy = (values: ReadonlyMap<number, string>) =>
      one({ enabled: true, scope: everyone, updatesInventory: true, scripts: [{ name: 'x', parameters: values }] });
    expect(macos({})).toEqual([]);
    expect(macos({ installedGroup: smart })).toEqual(['group-exists: the server has a smart group for it']);
    expect(macos({ notInstalledGroup: smart })).toEqual(['group-exists: the server has a smart group for it']);
    expect(macos({ installedGroup: { kind: 'none' }, notInstalledGroup: { kind: 'several' } })).toEqual([]);
    expect(macos({ devices: 1 })).toEqual(['device-enrolled: the server lists enrolled computers']);
    expect(macos({ policy: policy(parameters) })).toEqual(['api-key: parameter 8 of the policy is set']);
    expect(macos({ policy: policy(new Map([[9, 'c']])) })).toEqual(['circle-id: parameter 9 of the policy is set']);
  });

  it('are proved by what Intune shows', () => {
    const bare = makeApp({ installCommand: '', setupFile: '' });
    expect(windows({})).toEqual([]);
    expect(windows({ apps: [bare] })).toEqual([]);
    expect(windows({ devices: 1 })).toEqual(['device-enrolled: the tenant lists enrolled devices']);
    const withTarget = (...targets: string[]) => [
      { ...bare, assignments: targets.map((target) => ({ intent: 'available', target, groupId: undefined })) },
    ];
    expect(windows({ apps: withTarget('allDevicesAssignmentTarget') })).toEqual([]);
    expect(
      windows({
        apps: [...withTarget('allDevicesAssignmentTarget', 'groupAssignmentTarget'), { ...bare, assignments: unread }],
      }),
    ).toEqual(['group-exists: the app is assigned to a group']);
    expect(
      windows({ apps: [bare, makeApp({ setupFile: 'INSTALL-AGENT.PS1', installCommand: 'x -ApiKey k' })] }).toSorted(),
    ).toEqual(['api-key: -ApiKey of the install command is set', 'install-script: the app was packaged around it']);
    expect(windows({ apps: [makeApp({ setupFile: '', installCommand: 'x -circleid c' })] })).toEqual([
      'circle-id: -circleid of the install command is set',
    ]);
  });
});

it('the folder that is packaged holds exactly the two files, and no folder in place of one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-package-'));
  const check = async () => say(await checkPackageFolder(folder, makeContext()));
  writeFileSync(join(folder, 'Install-Agent.ps1'), 'x');
  mkdirSync(join(folder, 'fhfs.exe'));
  expect(await check()).toBe('fail: fhfs.exe is not a file');
  rmSync(join(folder, 'fhfs.exe'), { recursive: true });
  writeFileSync(join(folder, 'fhfs.exe'), 'x');
  expect(await check()).toBe('pass: exactly Install-Agent.ps1 and fhfs.exe');
  rmSync(folder, { recursive: true });
  expect(await check()).toBe('unknown: the folder could not be read');
});
