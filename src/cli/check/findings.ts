/** What was checked, on a terminal. The checks of a source are grouped and aligned, with what to do under every check that does not pass. Pure. */
import type { Finding } from '../../core/facts/facts.ts';
import { isCanaryCheck } from '../../core/source/canaries.ts';
import type { CheckDescription } from '../../deployment/checks/check.ts';
import { toPrintableText } from '../../reports/cell.ts';

const instrumentHeading = 'the instrument: do the values mean anything';
const devicesHeading = 'the listed devices';
const canariesHeading = 'canaries: machines kept with and without the agent';

/** What was found of the store or of the channels, and what is to be done. */
export interface CheckReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
}

export function formatCheckReport(title: string, { facts, problems }: CheckReport): string[] {
  return ['', title, ...facts.map((line) => `  ${line}`), ...problems.map((line) => `  to do: ${line}`)];
}

export function isPassing({ result }: Finding): boolean {
  return result === 'pass' || result === 'not-checked';
}

/** The judgement's own findings are about devices. Whoever looks at the setup cannot mend them, so that they fail no check. */
export function isAboutDevices({ check }: Finding): boolean {
  return check.startsWith('devices.');
}

/** What the values stand on comes first, then the groups in the order of their checks. */
export function formatFindings(findings: readonly Finding[], checks: readonly CheckDescription[]): string[] {
  const width = Math.max(0, ...findings.map(({ check }) => check.length));
  const groups = Map.groupBy(findings, (finding) => findHeading(finding, checks));
  const headings = new Set([instrumentHeading, canariesHeading, ...groups.keys()]);
  return [...headings].flatMap((heading) => {
    const rows = groups.get(heading);
    return rows === undefined ? [] : [`  ${heading}`, ...formatGroupRows(rows, width)];
  });
}

/** The judgement adds findings of its own, which are no checks of the deployment. */
function findHeading(finding: Finding, checks: readonly CheckDescription[]): string {
  const { check, instrument } = finding;
  if (instrument) {
    return instrumentHeading;
  }
  if (isAboutDevices(finding)) {
    return devicesHeading;
  }
  const description = checks.find(({ id }) => id === check);
  if (description !== undefined) {
    return description.group ?? 'deployment';
  }
  return isCanaryCheck({ check }) ? canariesHeading : 'others';
}

/** Checks that were not made for one reason are one line: the reason is what is to be mended. */
function formatGroupRows(rows: readonly Finding[], width: number): string[] {
  return rows.flatMap((finding) => {
    const { result, found, advice } = finding;
    const alike = rows.filter((other) => other.result === result && other.found === found && other.advice === advice);
    if ((result !== 'unknown' && result !== 'not-checked') || alike.length < 2) {
      return formatFinding(finding, width);
    }
    return alike[0] === finding ? formatChecksNotMade(alike) : [];
  });
}

function formatChecksNotMade(alike: readonly Finding[]): string[] {
  const [{ result, found, advice }] = alike as readonly [Finding, ...Finding[]];
  const below = ' '.repeat(17);
  const isUnknown = result === 'unknown';
  return [
    `    ${result.padEnd(11)}  ${alike.length} checks: ${isUnknown ? toPrintableText(found) : advice}`,
    `${below}${alike.map(({ check }) => check).join(', ')}`,
    ...(isUnknown && advice !== '' ? [`${below}to do: ${advice}`] : []),
  ];
}

function formatFinding(finding: Finding, width: number): string[] {
  const { check, result, expected, found, advice } = finding;
  const head = `    ${result.padEnd(11)}  ${check.padEnd(width)}`;
  if (result === 'pass') {
    return [`${head}  ${toPrintableText(found)}`.trimEnd()];
  }
  if (result === 'not-checked') {
    return [`${head}  ${advice}`.trimEnd()];
  }
  const below = ' '.repeat(17);
  return [
    `${head}  ${toPrintableText(found)}`,
    `${below}expected: ${expected}`,
    ...(advice === '' ? [] : [`${below}to do: ${advice}`]),
  ];
}

/** Some permissions show secrets to the account that has them: the administrator should know before granting them. */
export function formatSecretWarning(exposed: string): string[] {
  return [
    `  secrets   ${exposed}.`,
    '            Muster compares such values in memory and keeps none; others with the permission may not.',
  ];
}
