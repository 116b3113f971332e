/** `muster check`: what a night would meet, without writing anything. */

import type { Settings } from '../compose/read-settings.ts';
import { findSourceKind } from '../compose/source-kinds.ts';
import { intervalOf } from '../core/coverage.ts';
import { problemOf } from '../core/exemptions.ts';
import { judge } from '../core/judge.ts';
import type { JudgedDevice, JudgedSource, Night } from '../core/judged.ts';
import { pluralize } from '../core/pluralize.ts';
import { MusterError } from '../errors.ts';
import { printable } from '../reports/cell.ts';
import { gather } from '../run/gather.ts';
import { exemptionsOf, frameOf } from '../run/run-context.ts';
import { dateIn } from '../settings/schedule.ts';
import { findingLines, isWell, secretLines } from './findings.ts';
import { packageFinding } from './package-folder.ts';
import { openSession } from './session.ts';
import { number } from './summary.ts';

export interface CheckOptions {
  readonly settings?: string;
  /** The folder that is to be packaged for Windows. */
  readonly package?: string;
}

export async function check(options: CheckOptions): Promise<number> {
  const session = await openSession(options.settings);
  try {
    const { settings, folder, parts, file } = session;
    await refuseInvalidExemptions(settings, folder);
    const now = parts.clock.now();
    const frame = await frameOf(settings, folder);
    const slot = dateIn(settings.schedule.timezone, now);
    const facts = await gather(parts, { ...frame, slot, moment: now.toISOString() }, undefined);
    const night = judge(facts, undefined, parts.rules);
    const local = options.package === undefined ? [] : [await packageFinding(options.package)];
    const packaged = local.length === 0 ? [] : ['', `package folder ${options.package}`, ...findingLines(local)];
    process.stdout.write(`${[`Settings: ${file} is sound.`, ...report(night), ...packaged].join('\n')}\n`);
    return night.sources.every(isSourceWell) && local.every(isWell) ? 0 : 3;
  } finally {
    session.close();
  }
}

function isSourceWell(source: JudgedSource): boolean {
  return source.soundness === 'complete' && source.findings.every(isWell);
}

/** A night ignores such rows and says so; before the first night they are better mended. */
async function refuseInvalidExemptions(settings: Settings, folder: string): Promise<void> {
  const rows = await exemptionsOf(settings, folder);
  const problems = rows.flatMap((row, index) => {
    const problem = problemOf(row);
    return problem === undefined ? [] : [`  row ${index + 1}: ${problem}.`];
  });
  if (problems.length === 0) return;
  throw new MusterError(
    'settings-invalid',
    `The exemptions in ${settings.exemptions} have rows that no night would honour:\n${problems.join('\n')}`,
  );
}

function report(night: Night): string[] {
  return night.sources.flatMap((source) => [
    '',
    `${source.name} (${findSourceKind(source.kind).title})`,
    ...readingLines(source),
    ...ageLines(
      night.devices.filter((device) => device.source === source.name),
      findSourceKind(source.kind).answerNoun,
    ),
    ...coverageLine(source, night),
    ...secretLines(findSourceKind(source.kind).exposedSecrets),
    ...findingLines(source.findings),
  ]);
}

function readingLines({ problem, receipt }: JudgedSource): string[] {
  const counted = receipt.claimed ?? receipt.received;
  const devices = pluralize(counted, 'device');
  const rows =
    receipt.claimed === undefined
      ? `${number(receipt.received)} ${devices}`
      : `${number(receipt.received)} of ${number(receipt.claimed)} ${devices}`;
  if (problem === undefined)
    return [`  reading   complete: ${rows} in ${receipt.pages} ${pluralize(receipt.pages, 'page')}`];
  return [`  reading   not complete after ${rows} [${problem.code}]`, `            ${printable(problem.message)}`];
}

/** How old the answers are says how much a first night can prove. */
function ageLines(devices: readonly JudgedDevice[], what: string): string[] {
  if (devices.length === 0) return [];
  const dates = devices.flatMap((device) => device.valueAt ?? []).sort();
  const stale = devices.filter((device) => device.stale).length;
  const silent = devices.filter((device) => device.reason === 'never-reported').length;
  const span =
    dates.length === 0 ? 'none has a date' : `from ${dates[0]?.slice(0, 10)} to ${dates.at(-1)?.slice(0, 10)}`;
  return [
    `  answers   ${span}`,
    `            ${number(stale)} of ${number(devices.length)} ${pluralize(stale, 'is', 'are')} old or of unknown age, ${number(silent)} ${pluralize(silent, 'has', 'have')} no ${what}`,
  ];
}

function coverageLine(source: JudgedSource, night: Night): string[] {
  const row = night.coverage.find(({ source: name }) => name === source.name);
  if (row === undefined || row.counted === 0) return [];
  const { coverage, low, high } = intervalOf(row);
  return [
    `  coverage  would be ${coverage} % of ${number(row.counted)} counted ${pluralize(row.counted, 'device')} (certainly ${low} %, at most ${high} %)`,
  ];
}
