/** The app's two command lines: section 1.2. Compared word by word; no word of a platform's command is ever shown. */
import type { Finding } from '../../core/facts.ts';
import { windows } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { passOrFail, reportNotChecked, reportUnknown } from '../finding.ts';
import { hasScheme, isSafeUrl, parseHost } from '../hosts.ts';
import { type AppsReading, prefixAppId } from './app.ts';

export function checkInstallCommand(asked: DeploymentSettings, apps: AppsReading): Finding {
  const check = 'windows.install-command';
  const { circleId, memberRoleId } = asked.windows;
  if (asked.service === undefined && circleId === undefined && memberRoleId === undefined) {
    return reportNotChecked(check, 'deployment.service, deployment.windows.circleId and memberRoleId');
  }
  if ('is' in apps) {
    return reportUnknown(check, apps);
  }
  const problems = apps.flatMap((app) =>
    findInstallProblems(app.installCommand, asked).map((problem) => prefixAppId(app, apps, problem)),
  );
  const advice = 'Enter the command as section 1.2 says; `muster artifacts install-command.txt` renders it.';
  return passOrFail(check, problems, 'as documented; its API key is set', advice);
}

/** Whether the command gives that parameter a value of its own. */
export function hasParameterValue(command: string, name: string): boolean {
  const words = splitCommandLine(command) ?? [];
  const at = words.findIndex((word) => word.toLowerCase() === name.toLowerCase());
  const value = at < 0 ? '' : (words[at + 1] ?? '');
  return value !== '' && !value.startsWith('-') && !isPlaceholder(value);
}

function findInstallProblems(command: string, asked: DeploymentSettings): string[] {
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
      return [...problems, 'it holds words that the document does not show'];
    }
    if (given.has(name)) {
      problems.push(`${knownParameters.get(name)} stands twice`);
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
  // What follows -File are the script's own parameters.
  if ([...given.keys()].indexOf('-file') > 1) {
    problems.push('-File must stand before the four parameters');
  }
  return [...problems, ...findValueProblems(value, asked)];
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

export function checkUninstallCommand(asked: DeploymentSettings, apps: AppsReading): Finding {
  const check = 'windows.uninstall-command';
  const { vendorFolder } = asked.windows;
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
    .map((app) => prefixAppId(app, apps, 'it is another command'));
  const advice = `Enter ${windows.uninstaller} ${windows.uninstallSwitch} with its folder below Program Files (x86).`;
  return passOrFail(check, problems, 'as documented', advice);
}

/** Words of a Windows command line; quotes hold a word together. Undefined where one is not closed. */
function splitCommandLine(command: string): string[] | undefined {
  if ((command.match(/"/g)?.length ?? 0) % 2 !== 0) {
    return undefined;
  }
  return [...command.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}
