/** docs/mutation.md, and what docs/reliability.md says of it. */
import {
  type Counts,
  computeOverallScore,
  computeScore,
  countKilled,
  type Figures,
  readFigures,
  type Survivor,
  sumCounts,
} from './figures.ts';
import { type GroupName, groups } from './groups.ts';
import { findReason, type Reason, reasons } from './reasons.ts';

export function renderMutationPage(): string {
  const figures = readFigures();
  const names = (Object.keys(groups) as GroupName[]).filter((name) => figures[name] !== undefined);
  const measured = names.flatMap((name) => figures[name] ?? []);
  const survivors = measured.flatMap((one) => one.survivors);
  const open = survivors.filter((survivor) => findReason(survivor) === undefined);
  return `${[
    '# Mutation testing',
    'Stryker changes the program in one place (a mutant) and runs the tests that come by it. A mutant that no test notices survives. `npm run mutation` measures all groups and takes hours; `npm run mutation -- core` one group, `npm run mutation -- src/core/breaker.ts` one file, `npm run mutation -- 8 commit` every eighth mutant of a group, `npm run mutation -- again core` what survived the last time. A group renews `test/mutation/figures.json`, from which this page is made (`npm run format`, then `npm run test:one test/docs/mutation.test.ts -- -u`). `test/mutation/groups.ts` says which files a group has and which quick tests hold it: random histories, kills of processes and whole runs are left out, so that the score is what the tests of each rule hold by themselves. A score of a sample is some points uncertain: of 160 mutants, about six either way.',
    [
      '| group | tried | mutants | killed | survived | of these not reached | score | measured |',
      '|---|---|---|---|---|---|---|---|',
      ...(Object.keys(groups) as GroupName[]).map((name) => renderGroup(name, figures[name])),
      renderTotal(measured),
    ].join('\n'),
    `Not tried: ${sumCounts(measured).atLoad} mutants of what runs once, while a file is loaded (tables, constants, patterns). ${sumCounts(measured).refused} that no test noticed do not count, because they do not compile: \`npm run check\` stops them.`,
    '## Survivors with a reason',
    [
      '| where | code | instead | survivors | why no test can tell, or need not |',
      '|---|---|---|---|---|',
      ...reasons.map((reason) => renderReason(reason, survivors)),
    ].join('\n'),
    '## Survivors that nobody has examined yet',
    'With their code in `test/mutation/figures.json`.',
    ['| file | survivors |', '|---|---|', ...countByFile(open)].join('\n'),
  ].join('\n\n')}\n`;
}

/** The last cell of the row of docs/reliability.md. */
export function describeMutations(): string {
  const figures = readFigures();
  const measured = Object.values(figures);
  const sum = sumCounts(measured);
  const scores = (Object.keys(groups) as GroupName[]).map((name) => {
    const one = figures[name];
    return one === undefined ? `${name} not measured` : `${name} ${computeScore(one).toFixed(1)}`;
  });
  return `${formatCount(countKilled(sum))} of ${formatCount(countKilled(sum) + sum.survived)} killed; in per cent ${computeOverallScore(measured).toFixed(1)} overall (${scores.join(', ')})`;
}

function renderGroup(name: GroupName, figures: Figures | undefined): string {
  if (figures === undefined) {
    return renderRow([name, 'not measured', '', '', '', '', '', '']);
  }
  const { oneIn, date } = figures;
  const tried = oneIn === 1 ? 'all' : `1 in ${oneIn}`;
  return renderRow([name, tried, ...renderCounts(figures), computeScore(figures).toFixed(1), date]);
}

/** Where a sample was tried, it stands for its group. */
function renderTotal(measured: readonly Figures[]): string {
  return renderRow([
    'all that were measured',
    '',
    ...renderCounts(sumCounts(measured)),
    computeOverallScore(measured).toFixed(1),
    '',
  ]);
}

function renderCounts(counts: Counts): string[] {
  const { survived, notReached } = counts;
  return [countKilled(counts) + survived, countKilled(counts), survived, notReached].map(formatCount);
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Files by the names that they had when they were measured: not as code, which must exist. */
function renderReason(reason: Reason, survivors: readonly Survivor[]): string {
  const { file, code, instead } = reason;
  const count = survivors.filter((survivor) => findReason(survivor) === reason).length;
  return renderRow([
    file ?? 'all groups',
    typeof code === 'string' ? renderCode(code) : `what fits ${renderCode(String(code))}`,
    instead === undefined ? 'any' : renderCode(instead),
    formatCount(count),
    reason.reason,
  ]);
}

function renderCode(code: string): string {
  return `\`${code.replaceAll('|', '\\|').replaceAll('`', 'ˋ')}\``;
}

function countByFile(survivors: readonly Survivor[]): string[] {
  const counts = Map.groupBy(survivors, ({ file }) => file);
  return [...counts].map(([file, all]) => `| ${file} | ${all.length} |`).sort();
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
