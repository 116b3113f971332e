/** Formats findings for a terminal: grouped and aligned, with advice under every check that does not pass. Pure. */
import type { CheckResult } from '../../core/facts/facts.ts';
import { isCanaryCheck } from '../../core/source/canaries.ts';
import { isLeftOut } from '../../core/source/instrument.ts';
import type { CheckDescription } from '../../deployment/checks/check.ts';
import { toPrintableText } from '../../reports/cell.ts';

const instrumentHeading = 'the detection method: do the values mean anything';
const devicesHeading = 'the listed devices';
const canariesHeading = 'canaries: machines kept with and without the agent';

export function isPassing({ result }: CheckResult): boolean {
  return result === 'pass' || result === 'not-checked';
}

/** Whether a finding is about devices, which judgement adds. Such findings fail no check, since the setup cannot mend them. */
export function isAboutDevices({ check }: CheckResult): boolean {
  return check.startsWith('devices.');
}

/** Formats findings: the instrument's first, then the groups in the order of their checks. */
export function formatFindings(findings: readonly CheckResult[], checks: readonly CheckDescription[]): string[] {
  const shown = findings.filter((finding) => !isLeftOut(finding));
  const width = Math.max(0, ...shown.map(({ check }) => check.length));
  const groups = Map.groupBy(shown, (finding) => findHeading(finding, checks));
  const headings = new Set([instrumentHeading, canariesHeading, ...groups.keys()]);
  return [...headings].flatMap((heading) => {
    const rows = groups.get(heading);
    return rows === undefined ? [] : [`  ${heading}`, ...formatGroupRows(rows, width)];
  });
}

/** The heading of a finding; judgement adds findings that are not checks of the deployment. */
function findHeading(finding: CheckResult, checks: readonly CheckDescription[]): string {
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

/** Rows of a group. Checks that were not made for one reason share a line. */
function formatGroupRows(rows: readonly CheckResult[], width: number): string[] {
  const alike = Map.groupBy(rows, (finding) => {
    const { result, found, advice } = finding;
    return result === 'unknown' || result === 'not-checked' ? `${result}\n${found}\n${advice}` : finding;
  });
  return [...alike.values()].flatMap((findings) => formatAlike(findings, width));
}

/** Formats one finding, or several that differ in their checks alone. */
function formatAlike(findings: readonly CheckResult[], width: number): string[] {
  const [first] = findings as [CheckResult, ...CheckResult[]];
  const { check, result, expected, found, advice } = first;
  const isSingle = findings.length === 1;
  const name = isSingle ? `${check.padEnd(width)} ` : `${findings.length} checks:`;
  const said = result === 'not-checked' ? advice : toPrintableText(found);
  const isSettled = isPassing(first);
  const below = [
    ...(isSingle ? [] : [findings.map((one) => one.check).join(', ')]),
    ...(isSingle && !isSettled ? [`expected: ${expected}`] : []),
    ...(isSettled || advice === '' ? [] : [`to do: ${advice}`]),
  ];
  return [`    ${result.padEnd(11)}  ${name} ${said}`.trimEnd(), ...below.map((line) => `${' '.repeat(17)}${line}`)];
}
