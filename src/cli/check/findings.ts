/** What was checked, on a terminal. The checks of a source are grouped and aligned, with what to do under every check that does not pass. Pure. */
import type { Finding } from '../../core/facts/facts.ts';
import { toPrintableText } from '../../reports/cell.ts';

/** What was found of the store or of the channels, and what is to be done. */
export interface CheckReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
}

export function formatCheckReport(title: string, { facts, problems }: CheckReport): string[] {
  return ['', title, ...facts.map((line) => `  ${line}`), ...problems.map((line) => `  to do: ${line}`)];
}

const findingGroups: readonly (readonly [string, (finding: Finding) => boolean])[] = [
  ['the instrument: do the values mean anything', ({ instrument }) => instrument],
  ['canaries: machines kept with and without the agent', ({ check }) => check.startsWith('canary.')],
  ['smart groups', ({ check }) => check.startsWith('macos.smart-group-')],
  ['deployment', ({ check }) => /^(macos|windows)\./.test(check)],
  ['downloads of the service', ({ check }) => check.startsWith('service.')],
  ['prerequisites', ({ check }) => check.startsWith('prerequisite.')],
  ['others', () => true],
];

export function isPassing({ result }: Finding): boolean {
  return result === 'pass' || result === 'not-checked';
}

export function formatFindings(findings: readonly Finding[]): string[] {
  const width = Math.max(0, ...findings.map(({ check }) => check.length));
  const groupOf = (finding: Finding) => findingGroups.find(([, belongs]) => belongs(finding))?.[0];
  return findingGroups.flatMap(([title]) => {
    const rows = findings.filter((finding) => groupOf(finding) === title);
    return rows.length === 0 ? [] : [`  ${title}`, ...formatGroupRows(rows, width)];
  });
}

/** Checks that could not be made for one reason are one line: the reason is what is to be mended. */
function formatGroupRows(rows: readonly Finding[], width: number): string[] {
  const shown = new Set<string>();
  return rows.flatMap((finding) => {
    const { result, found, advice } = finding;
    const alike = rows.filter((other) => other.result === result && other.found === found && other.advice === advice);
    if (result !== 'unknown' || alike.length < 2) {
      return formatFinding(finding, width);
    }
    const isFirst = !shown.has(found);
    shown.add(found);
    return isFirst ? formatUnknownChecks(alike) : [];
  });
}

function formatUnknownChecks(alike: readonly Finding[]): string[] {
  const [{ found, advice }] = alike as readonly [Finding, ...Finding[]];
  const below = ' '.repeat(17);
  return [
    `    unknown      ${alike.length} checks: ${toPrintableText(found)}`,
    `${below}${alike.map(({ check }) => check).join(', ')}`,
    ...(advice === '' ? [] : [`${below}to do: ${advice}`]),
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
