/** Reports on each source for `muster check`: what was read, the ages of the answers, the coverage, and the findings. */
import type { Settings } from '../../compose/read-settings.ts';
import { findSourceKind } from '../../compose/source-kinds.ts';
import type { JudgedDevice, JudgedSource, Night } from '../../core/facts/judged.ts';
import { readValueTime } from '../../core/record/judge-record.ts';
import { computeInterval } from '../../core/source/coverage.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { toPrintableText } from '../../reports/cell.ts';
import { formatReceived } from '../console/summary.ts';
import { formatFindings } from './findings.ts';

export async function formatSources(night: Night, settings: Settings): Promise<string[]> {
  const parts = night.sources.map(async (source) => {
    const { title, answerNoun, exposedSecrets, loadChecks } = findSourceKind(source.kind);
    const devices = night.devices.filter((device) => device.source === source.name);
    const ownSettings = settings.sources.find(({ name }) => name === source.name);
    return [
      '',
      `${source.name} (${title})`,
      ...formatReadingLines(source),
      ...formatSiteLines(devices, ownSettings),
      ...formatAgeLines(devices, answerNoun),
      ...formatCoverageLines(source, night),
      // Some permissions show secrets to the account that has them; the administrator should know before granting them.
      `  secrets   ${exposedSecrets}.`,
      '            Muster compares such values in memory and keeps none; others with the permission may not.',
      ...formatFindings(source.findings, await loadChecks()),
    ];
  });
  return (await Promise.all(parts)).flat();
}

function formatReadingLines({ soundness, problem, receipt }: JudgedSource): string[] {
  const rows = formatReceived(receipt, 'device');
  const why = problem === undefined ? [] : [`            ${toPrintableText(problem.message)}`];
  if (problem !== undefined && (soundness === 'missing' || soundness === 'carried')) {
    return [`  reading   not complete after ${rows} [${problem.code}]`, ...why];
  }
  const reading = `  reading   complete: ${rows} in ${receipt.pages} ${pluralize(receipt.pages, 'page')}`;
  return problem === undefined ? [reading] : [reading, `  quality   ${soundness} [${problem.code}]`, ...why];
}

/** Lines about the site. An account that sees all sites ignores a site in the settings that does not exist. */
function formatSiteLines(devices: readonly JudgedDevice[], source: Settings['sources'][number] | undefined): string[] {
  const site = source !== undefined && 'site' in source ? source.site : '';
  const sites = [...new Set(devices.flatMap(({ facts }) => facts.site ?? []))].sort();
  if (typeof site !== 'string' || site === '' || devices.length === 0 || sites.includes(site)) {
    return [];
  }
  const found = sites.length === 0 ? 'none is in a site' : `they are in ${sites.map(toPrintableText).join(', ')}`;
  return [`  to do: site is "${site}", and no device is in that site: ${found}. Correct it, or leave it out.`];
}

/** Lines about the ages of answers, which decide how much a first run can prove. */
function formatAgeLines(devices: readonly JudgedDevice[], what: string): string[] {
  if (devices.length === 0) {
    return [];
  }
  const dates = devices.flatMap((device) => readValueTime(device) ?? []).sort();
  const stale = devices.filter((device) => device.judgement.stale).length;
  const withoutValue = devices.filter((device) => device.judgement.reason === 'never-reported').length;
  const span =
    dates.length === 0 ? 'none has a date' : `from ${dates[0]?.slice(0, 10)} to ${dates.at(-1)?.slice(0, 10)}`;
  return [
    `  answers   ${span}`,
    `            ${formatCount(stale)} of ${formatCount(devices.length)} ${pluralize(stale, 'is', 'are')} old or of unknown age, ${formatCount(withoutValue)} ${pluralize(withoutValue, 'has', 'have')} no ${what}`,
  ];
}

function formatCoverageLines(source: JudgedSource, night: Night): string[] {
  const row = night.coverage.find(({ source: name }) => name === source.name);
  if (row === undefined || row.counted === 0) {
    return [];
  }
  const { coverage, low, high } = computeInterval(row);
  return [
    `  coverage  would be ${coverage} % of ${formatCount(row.counted)} counted ${pluralize(row.counted, 'device')} (certainly ${low} %, at most ${high} %)`,
  ];
}

/**
 * Problems of two sources that show the same records, such as one server by two addresses: each machine would have two
 * records, and be counted in only one of the sources.
 */
export function listDoubledSources({ sources, devices }: Pick<Night, 'sources' | 'devices'>): string[] {
  const records = sources.map(({ name, kind }) => {
    const own = devices.filter(({ source, facts }) => source === name && facts.serialNumber !== undefined);
    return { name, kind, keys: new Set(own.map(({ facts }) => `${facts.id} ${facts.serialNumber}`)) };
  });
  return records.flatMap((one, index) =>
    records.slice(index + 1).flatMap((other) => {
      const same = one.kind === other.kind ? [...one.keys].filter((key) => other.keys.has(key)).length : 0;
      const sentence = `${one.name} and ${other.name} both list ${formatCount(same)} ${pluralize(same, 'device')} with the same id and serial number: each is counted in one of the two alone. Remove one source, or give each a site of its own.`;
      return same === 0 ? [] : [sentence];
    }),
  );
}
