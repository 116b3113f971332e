/** The checks of a source on a terminal: grouped, aligned, with what to do under everything that is not well. Pure. */
import type { Finding } from '../core/facts.ts';
import { printable } from '../reports/cell.ts';

const groups: readonly (readonly [string, (finding: Finding) => boolean])[] = [
  ['the instrument: do the values mean anything', ({ instrument }) => instrument],
  ['smart groups', ({ check }) => check.startsWith('macos.smart-group-')],
  ['deployment', ({ check }) => /^(macos|windows)\./.test(check)],
  ['downloads of the service', ({ check }) => check.startsWith('service.')],
  ['prerequisites', ({ check }) => check.startsWith('prerequisite.')],
  ['others', () => true],
];

export function isWell({ result }: Finding): boolean {
  return result === 'pass' || result === 'not-checked';
}

export function findingLines(findings: readonly Finding[]): string[] {
  const width = Math.max(0, ...findings.map(({ check }) => check.length));
  const groupOf = (finding: Finding) => groups.find(([, belongs]) => belongs(finding))?.[0];
  return groups.flatMap(([title]) => {
    const rows = findings.filter((finding) => groupOf(finding) === title);
    return rows.length === 0 ? [] : [`  ${title}`, ...rows.flatMap((finding) => linesOf(finding, width))];
  });
}

function linesOf(finding: Finding, width: number): string[] {
  const { check, result, expected, found, advice } = finding;
  const head = `    ${result.padEnd(11)}  ${check.padEnd(width)}`;
  if (result === 'pass') return [`${head}  ${printable(found)}`.trimEnd()];
  if (result === 'not-checked') return [`${head}  ${advice}`.trimEnd()];
  const below = ' '.repeat(17);
  return [
    `${head}  ${printable(found)}`,
    `${below}expected: ${expected}`,
    ...(advice === '' ? [] : [`${below}to do: ${advice}`]),
  ];
}

/** Reading some things shows secrets to whoever reads: to be known before the permission is granted. */
export function secretLines(exposed: string): string[] {
  return [
    `  secrets   ${exposed}.`,
    '            Muster compares such values in memory and keeps none; others with the permission may not.',
  ];
}
