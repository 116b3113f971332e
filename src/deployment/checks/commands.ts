/** Checks the app's two command lines: docs/coverage.md, section 1.2. They are compared word by word; findings quote nothing of them. */
import type { Finding } from '../../core/facts.ts';
import { windows } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { passOrFail, reportNotChecked, reportUnknown } from '../finding.ts';
import { hasScheme, isSafeUrl, parseHost } from '../hosts.ts';
import { type AppsReading, prefixAppId } from './app.ts';

export function checkInstallCommand(settings: DeploymentSettings, apps: AppsReading): Finding {
  const check = 'windows.install-command';
  const { circleId, memberRoleId } = settings.windows;
  if (settings.service === undefined && circleId === undefined && memberRoleId === undefined) {
    return reportNotChecked(check, 'deployment.service, deployment.windows.circleId and memberRoleId');
  }
  if ('is' in apps) {
    return reportUnknown(check, apps);
  }
  const problems = apps.flatMap((app) =>
    findInstallProblems(app.installCommand, settings).map((problem) => prefixAppId(app, apps, problem)),
  );
  const advice =
    'Enter the command as section 1.2 of the deployment interface describes; `muster artifacts install-command.txt` renders it.';
  return passOrFail(check, problems, 'as documented; its API key is set', advice);
}

/** Whether the command gives that parameter a value other than a placeholder. */
export function hasParameterValue(command: string, name: string): boolean {
  const words = splitCommandLine(command) ?? [];
  const at = words.findIndex((word) => word.toLowerCase() === name.toLowerCase());
  const value = at < 0 ? '' : (words[at + 1] ?? '');
  return value !== '' && !value.startsWith('-') && !isPlaceholder(value);
}

function findInstallProblems(command: string, settings: DeploymentSettings): string[] {
  const words = splitCommandLine(command);
  if (words === undefined) {
    return ['a quotation mark is not closed'];
  }
  const [program, ...rest] = words;
  if (program?.toLowerCase() !== windows.powershell.toLowerCase()) {
    return ['it does not begin with the documented powershell.exe (through sysnative)'];
  }
  const problems: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < rest.length; at += 2) {
    const name = (rest[at] ?? '').toLowerCase();
    const value = rest[at + 1];
    if (!knownParameters.has(name)) {
      return [...problems, 'it has arguments that the deployment interface does not show'];
    }
    if (given.has(name)) {
      problems.push(`${knownParameters.get(name)} is given twice`);
    }
    given.set(name, value === undefined || value.startsWith('-') ? '' : value);
  }
  for (const [name, shown] of knownParameters) {
    if ((given.get(name) ?? '') === '') {
      problems.push(`${shown} has no value`);
    }
  }
  if (problems.length > 0) {
    return problems;
  }
  const value = (name: string): string => given.get(name.toLowerCase()) ?? '';
  if (value('-ExecutionPolicy').toLowerCase() !== windows.executionPolicy) {
    problems.push(`-ExecutionPolicy is not ${windows.executionPolicy}`);
  }
  if (value('-File').replace(/^\.\\/, '').toLowerCase() !== windows.script.toLowerCase()) {
    problems.push(`-File is not ${windows.script}`);
  }
  // Everything after -File is a parameter of the script.
  if ([...given.keys()].indexOf('-file') > 1) {
    problems.push('-File must come before the four parameters');
  }
  return [...problems, ...findValueProblems(value, settings)];
}

const knownParameters: ReadonlyMap<string, string> = new Map(
  ['-ExecutionPolicy', '-File', ...windows.parameters.map(({ name }) => name)].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function findValueProblems(
  value: (name: string) => string,
  { service, windows: wanted }: DeploymentSettings,
): string[] {
  const problems: string[] = [];
  const address = value('-fqdn');
  if (hasScheme(address) && !isSafeUrl(address)) {
    problems.push('-fqdn is not HTTPS');
  }
  if (service !== undefined && parseHost(address) !== parseHost(service)) {
    problems.push('-fqdn is another host than deployment.service');
  }
  if (isPlaceholder(value('-ApiKey'))) {
    problems.push('-ApiKey is still a placeholder');
  }
  if (wanted.circleId !== undefined && value('-circleid') !== wanted.circleId) {
    problems.push('-circleid is not the circle in the settings');
  }
  if (wanted.memberRoleId !== undefined && value('-MemberRoleId') !== wanted.memberRoleId) {
    problems.push('-MemberRoleId is not the role in the settings');
  }
  return problems;
}

function isPlaceholder(value: string): boolean {
  return /^<.*>$/.test(value);
}

export function checkUninstallCommand(settings: DeploymentSettings, apps: AppsReading): Finding {
  const check = 'windows.uninstall-command';
  const { vendorFolder } = settings.windows;
  if (vendorFolder === undefined) {
    return reportNotChecked(check, 'deployment.windows.vendorFolder');
  }
  if ('is' in apps) {
    return reportUnknown(check, apps);
  }
  const file = `${windows.programs}\\${vendorFolder}\\${windows.uninstaller}`.toLowerCase();
  const allowed = [`${file} ${windows.uninstallSwitch}`, `"${file}" ${windows.uninstallSwitch}`].map((text) =>
    text.toLowerCase(),
  );
  const problems = apps
    .filter(({ uninstallCommand }) => !allowed.includes(uninstallCommand.trim().replace(/\s+/g, ' ').toLowerCase()))
    .map((app) => prefixAppId(app, apps, 'it is a different command'));
  const advice = `Enter ${windows.uninstaller} ${windows.uninstallSwitch} with its folder below Program Files (x86).`;
  return passOrFail(check, problems, 'as documented', advice);
}

/** The words of a Windows command line; quotes join a word. Undefined where a quote is not closed. */
function splitCommandLine(command: string): string[] | undefined {
  if ((command.match(/"/g)?.length ?? 0) % 2 !== 0) {
    return undefined;
  }
  return [...command.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}
