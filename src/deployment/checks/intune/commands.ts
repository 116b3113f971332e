/** Checks the app's two commands: docs/coverage.md, section 1.2. Compares them word by word; findings quote nothing of them. */

import { isPlaceholder, windows } from '../../definition.ts';
import { hasForeignPath, hasScheme, isSafeUrl, parseHost } from '../../hosts.ts';
import type { DeploymentSettings } from '../../settings.ts';
import { findUninstallFile } from '../../windows-places.ts';
import type { Check } from '../check.ts';
import { collectProblems, passOrFail, reportNotChecked } from '../verdicts.ts';
import { judgeApps, listAppProblems } from './app.ts';
import type { IntuneReading } from './reading.ts';

export const installCommand: Check<IntuneReading> = {
  id: 'windows.install-command',
  expected: 'the documented install command with its four parameters',
  blindSpot: 'whether the API key is right, whether it may invite users, and which roles the service knows',
  settings: ['deployment.service', 'deployment.windows.circleId', 'deployment.windows.memberRoleId'],
  judge({ apps }, { settings }) {
    const { circleId, memberRoleId } = settings.windows;
    if (settings.service === undefined && circleId === undefined && memberRoleId === undefined) {
      return reportNotChecked('deployment.service, deployment.windows.circleId and memberRoleId');
    }
    const advice =
      'Enter the command as section 1.2 of the deployment interface describes; `muster artifacts install-command.txt` renders it.';
    return judgeApps(apps, (read) => {
      const problems = listAppProblems(read, (app) => findInstallProblems(app.installCommand, settings));
      return passOrFail(problems, 'as documented; its API key is set', advice);
    });
  },
};

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
  const given = new Map<Parameter, string>();
  for (let at = 0; at < rest.length; at += 2) {
    const [word = '', value = ''] = rest.slice(at);
    const name = knownParameters.find((known) => known.toLowerCase() === word.toLowerCase());
    if (name === undefined) {
      return [...problems, 'it has arguments that the deployment interface does not show'];
    }
    if (given.has(name)) {
      problems.push(`${name} is given twice`);
    }
    given.set(name, value.startsWith('-') ? '' : value);
  }
  const read = (name: Parameter) => given.get(name) ?? '';
  problems.push(...knownParameters.filter((name) => read(name) === '').map((name) => `${name} has no value`));
  if (problems.length > 0) {
    return problems;
  }
  const isOtherPolicy = read('-ExecutionPolicy').toLowerCase() !== windows.executionPolicy;
  const script = read('-File').replace(/^\.\\/, '');
  return collectProblems([
    [isOtherPolicy, `-ExecutionPolicy is not ${windows.executionPolicy}`],
    [script.toLowerCase() !== windows.script.toLowerCase(), `-File is not ${windows.script}`],
    // PowerShell passes everything after -File to the script.
    [[...given.keys()].indexOf('-File') > 1, '-File must come before the four parameters'],
  ]).concat(findValueProblems(read, settings));
}

const knownParameters = ['-ExecutionPolicy', '-File', ...windows.parameters] as const;
type Parameter = (typeof knownParameters)[number];

function findValueProblems(
  read: (name: Parameter) => string,
  { service, windows: { circleId, memberRoleId } }: DeploymentSettings,
): string[] {
  const unfilled = windows.parameters.filter((name) => isPlaceholder(read(name)));
  if (unfilled.length > 0) {
    return unfilled.map((name) => `${name} is still a placeholder`);
  }
  const address = read('-fqdn');
  const isOtherHost = service !== undefined && parseHost(address) !== parseHost(service);
  const isOtherRole = memberRoleId !== undefined && read('-MemberRoleId') !== memberRoleId;
  return collectProblems([
    [hasScheme(address) && !isSafeUrl(address), '-fqdn is not HTTPS'],
    [isOtherHost, '-fqdn is another host than deployment.service'],
    [hasForeignPath(address, service), '-fqdn holds a path behind the host'],
    [circleId !== undefined && read('-circleid') !== circleId, '-circleid is not the circle in the settings'],
    [isOtherRole, '-MemberRoleId is not the role in the settings'],
  ]);
}

/**
 * Splits a Windows command line into words: only blanks and tabs separate them, and quotes join a word. Undefined where
 * a quote is not closed.
 */
function splitCommandLine(command: string): string[] | undefined {
  if ((command.match(/"/g)?.length ?? 0) % 2 !== 0) {
    return undefined;
  }
  return [...command.matchAll(/(?:"[^"]*"|[^ \t"])+/g)].map(([word]) => word.replaceAll('"', ''));
}

export const uninstallCommand: Check<IntuneReading> = {
  id: 'windows.uninstall-command',
  expected: 'the documented uninstall command, unattended',
  blindSpot: 'whether the uninstaller is there and works',
  settings: ['deployment.windows.vendorFolder', 'deployment.windows.uninstallFile'],
  judge({ apps }, { settings }) {
    const file = findUninstallFile(settings);
    if (file === undefined) {
      return reportNotChecked('deployment.windows.vendorFolder');
    }
    const advice = `Enter the uninstaller with its folder, and ${windows.uninstallSwitch} alone behind it; \`muster artifacts uninstall-command.txt\` renders it.`;
    return judgeApps(apps, (read) => {
      const problems = listAppProblems(read, (app) => findUninstallProblems(app.uninstallCommand, file));
      return passOrFail(problems, 'as documented', advice);
    });
  },
};

/** Problems of the uninstall command. Case matters only in the uninstaller's switch: /s opens a window and waits. */
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
