/** Checks the app's two command lines: docs/coverage.md, section 1.2. They are compared word by word; findings quote nothing of them. */
import type { Finding } from '../../core/facts.ts';
import { findUninstallFile } from '../agent-places.ts';
import { windows } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { passOrFail, reportNotChecked, reportUnknown } from '../finding.ts';
import { hasForeignPath, hasScheme, isSafeUrl, parseHost } from '../hosts.ts';
import { isPlaceholder } from '../placeholders.ts';
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
  const unfilled = windows.parameters.filter(({ name }) => isPlaceholder(value(name)));
  if (unfilled.length > 0) {
    return unfilled.map(({ name }) => `${name} is still a placeholder`);
  }
  const problems: string[] = [];
  const address = value('-fqdn');
  if (hasScheme(address) && !isSafeUrl(address)) {
    problems.push('-fqdn is not HTTPS');
  }
  if (service !== undefined && parseHost(address) !== parseHost(service)) {
    problems.push('-fqdn is another host than deployment.service');
  }
  if (hasForeignPath(address, service)) {
    problems.push('-fqdn holds a path behind the host');
  }
  if (wanted.circleId !== undefined && value('-circleid') !== wanted.circleId) {
    problems.push('-circleid is not the circle in the settings');
  }
  if (wanted.memberRoleId !== undefined && value('-MemberRoleId') !== wanted.memberRoleId) {
    problems.push('-MemberRoleId is not the role in the settings');
  }
  return problems;
}

export function checkUninstallCommand(settings: DeploymentSettings, apps: AppsReading): Finding {
  const check = 'windows.uninstall-command';
  const file = findUninstallFile(settings);
  if (file === undefined) {
    return reportNotChecked(check, 'deployment.windows.vendorFolder');
  }
  if ('is' in apps) {
    return reportUnknown(check, apps);
  }
  const problems = apps.flatMap((app) =>
    findUninstallProblems(app.uninstallCommand, file).map((problem) => prefixAppId(app, apps, problem)),
  );
  const advice = `Enter the uninstaller with its folder, and ${windows.uninstallSwitch} alone behind it; \`muster artifacts uninstall-command.txt\` renders it.`;
  return passOrFail(check, problems, 'as documented', advice);
}

/** Windows ignores case in a path. The uninstaller does not in its switch: with /s it opens a window and waits. */
function findUninstallProblems(command: string, file: string): string[] {
  const text = command.replace(/^[ \t]+|[ \t]+$/g, '');
  const program = [file, `"${file}"`].find((one) => text.slice(0, one.length).toLowerCase() === one.toLowerCase());
  const rest = text.slice(program?.length ?? 0);
  if (program === undefined || !/^([ \t]|$)/.test(rest)) {
    return ['it is a different command'];
  }
  const given = rest.replace(/^[ \t]+/, '');
  if (given === windows.uninstallSwitch) {
    return [];
  }
  return given.toLowerCase() === windows.uninstallSwitch.toLowerCase()
    ? [`its switch must be ${windows.uninstallSwitch}, in upper case`]
    : [`it must be followed by ${windows.uninstallSwitch} alone`];
}

/**
 * The words of a Windows command line: blanks and tabs separate them, no other space does, and quotes join a word.
 * Undefined where a quote is not closed.
 */
function splitCommandLine(command: string): string[] | undefined {
  if ((command.match(/"/g)?.length ?? 0) % 2 !== 0) {
    return undefined;
  }
  return [...command.matchAll(/(?:"[^"]*"|[^ \t"])+/g)].map(([word]) => word.replaceAll('"', ''));
}
