/** Judges one check on what a test says was read. */
import type { CheckResult } from '../../src/core/facts/facts.ts';
import { type Check, type CheckContext, runCheck } from '../../src/deployment/checks/check.ts';
import type { AppFacts, IntuneReading } from '../../src/deployment/checks/intune/reading.ts';
import type { JamfReading } from '../../src/deployment/checks/jamf/reading.ts';
import type { ScopeFacts } from '../../src/deployment/checks/jamf/scope.ts';
import type { LookupResult } from '../../src/deployment/checks/verdicts.ts';
import { type DeploymentSettings, emptyDeploymentSettings } from '../../src/deployment/settings.ts';

export const unread = { kind: 'unread', why: 'it was not read', advice: 'Read it.' } as const;
export const everyone: ScopeFacts = { allComputers: true, targets: [], exclusions: [], limitations: [] };

export function one<Value>(value: Value): LookupResult<Value> {
  return { kind: 'one', value };
}

export interface SettingsChange extends Partial<Omit<DeploymentSettings, 'macos' | 'windows'>> {
  readonly macos?: Partial<DeploymentSettings['macos']>;
  readonly windows?: Partial<DeploymentSettings['windows']>;
}

export function makeSettings({ macos, windows, ...more }: SettingsChange = {}): DeploymentSettings {
  const { macos: ownMacos, windows: ownWindows } = emptyDeploymentSettings;
  return {
    ...emptyDeploymentSettings,
    ...more,
    macos: { ...ownMacos, ...macos },
    windows: { ...ownWindows, ...windows },
  };
}

/** The context of a check on the night of 20 November 2026. */
export function makeContext(change: SettingsChange = {}): CheckContext {
  return { settings: makeSettings(change), slot: '2026-11-20', moment: new Date('2026-11-20T05:15:00Z') };
}

export function makeJamfReading(read: Partial<JamfReading>): JamfReading {
  return { attributeName: 'Agent Status', server: 'https://jamf.example.com', site: '', ...read };
}

export function judgeJamf(check: Check<JamfReading>, read: Partial<JamfReading>, change?: SettingsChange): CheckResult {
  return runCheck(check, makeJamfReading(read), makeContext(change));
}

export function judgeIntune(check: Check<IntuneReading>, read: IntuneReading, change?: SettingsChange): CheckResult {
  return runCheck(check, read, makeContext(change));
}

/** Result and words, for comparing with what is expected. */
export function say({ result, found }: Pick<CheckResult, 'result' | 'found'>): string {
  return `${result}: ${found}`;
}

export const installCommand =
  '%SystemRoot%\\sysnative\\WindowsPowerShell\\v1.0\\powershell.exe -ExecutionPolicy bypass -File Install-Agent.ps1 ' +
  '-fqdn https://files.example.com -ApiKey k -circleid circle-42 -MemberRoleId operator';
export const uninstallFile = 'C:\\Program Files (x86)\\Vendor\\uninstall.exe';

export function makeApp(changes: Partial<AppFacts> = {}): AppFacts {
  return {
    id: 'one',
    type: 'win32LobApp',
    publishingState: 'published',
    detectionRules: [],
    installCommand,
    uninstallCommand: `"${uninstallFile}" /S`,
    setupFile: 'Install-Agent.ps1',
    assignments: [],
    ...changes,
  };
}
