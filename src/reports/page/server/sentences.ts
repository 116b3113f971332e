/** Sentences of the first screen: what to do first for the fleet, and what the lists of machines say beside the headline. */
import { isOverdue } from '../../../core/device/needs-action.ts';
import { reasons } from '../../../core/facts/vocabulary.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { Figures } from '../../document/trend.ts';
import { selectDevices } from '../shared/device-lists.ts';
import { chooseForms, fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { findNextStep } from '../shared/next-steps.ts';
import { overviewTexts as texts } from '../shared/texts.ts';
import { fillWithHtml, type Html, html, renderIsolatedText, renderRowsLink, renderWord } from './html.ts';
import type { KindTexts } from './page-data.ts';

export function countOverdue({ devices, policy, slot }: ReportDocument): number {
  const missing = selectDevices('needs-action', devices);
  return missing.filter(({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy)).length;
}

/**
 * The step that helps most of the devices that need action. An instrument that fails comes before every device: until it
 * is right, nobody knows what they have.
 */
export function renderFirstStep(document: ReportDocument, kinds: readonly KindTexts[]): Html | undefined {
  const step = describeBrokenInstrument(document) ?? describeCommonStep(document, kinds);
  return step && html`<p class="first"><b>${texts.doFirst}</b> ${step}</p>`;
}

function describeBrokenInstrument({ sources }: ReportDocument): Html | undefined {
  const [first] = sources.flatMap(({ name, findings }) =>
    findings.flatMap(({ result, instrument, advice }) =>
      result === 'fail' && instrument && advice !== '' ? [{ name, advice }] : [],
    ),
  );
  return first && html`${renderIsolatedText(first.name)}: ${renderIsolatedText(first.advice)}`;
}

function describeCommonStep(document: ReportDocument, kinds: readonly KindTexts[]): Html | undefined {
  const missing = selectDevices('needs-action', document.devices);
  const alike = Map.groupBy(missing, ({ source, platform, reason }) =>
    toRows('needs-action', { source, platform, reason }),
  );
  const [rows = '', devices = []] = [...alike].sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  const [device] = devices;
  const kind = document.sources.find(({ name }) => name === device?.source)?.kind;
  const steps = kinds.find((known) => known.kind === kind)?.nextSteps;
  if (device === undefined || steps === undefined) {
    return undefined;
  }
  const { source, platform, reason } = device;
  const step = findNextStep({ reason, platform }, steps, undefined);
  const values = {
    count: renderRowsLink(rows, devices.length, 'first-step-count'),
    all: html`${formatNumber(missing.length)}`,
    source: renderIsolatedText(source),
    why: html`${reasons[reason].inMessages}`,
    points: html`${formatPercent((devices.length / (document.coverage.at(-1)?.counted ?? 1)) * 100)}`,
    step: html`${step}`,
  };
  return step === undefined ? undefined : fillWithHtml(texts.firstStep, values);
}

type JudgedLists = NonNullable<ReportDocument['lists']>;

export function renderLists({ lists = {} }: ReportDocument, all: Figures): Html {
  const sentences = [
    ...describeUnsound('expected', lists.expected),
    ...describeUnsound('reporting', lists.reporting),
    ...describeExpected(lists.expected, all),
    ...describeReporting(all),
  ].map((sentence) => html`<p>${sentence}</p>`);
  return sentences.length === 0 ? html`` : html`<div class="machines" id="lists">${sentences}</div>`;
}

function describeUnsound(name: keyof JudgedLists, list: JudgedLists[keyof JudgedLists]): Html[] {
  const { problem, soundness } = list ?? {};
  if (problem === undefined || soundness === undefined) {
    return [];
  }
  const values = { list: html`lists.${name}`, soundness: renderWord('list', soundness) };
  const why = html`<span class="why">${renderIsolatedText(problem.message)}</span>`;
  return [html`${fillWithHtml(texts.unsoundList, values)} ${why}`];
}

function describeExpected(list: JudgedLists['expected'], { enrolledNowhere = 0, notExpected = 0 }: Figures): Html[] {
  if (list?.soundness !== 'sound') {
    return [];
  }
  const values = {
    expected: html`${formatNumber(list.expected)}`,
    nowhere: linkRows('unenrolled', texts.nowhere, enrolledNowhere),
    others: linkRows('all-devices.counted=yes&all-devices.expected=no', texts.notExpected, notExpected),
    sources: renderIsolatedText(list.heldBy.join(', ')),
  };
  const text = list.unenrolled ? chooseForms(texts.enrolledNowhere, { expected: list.expected }) : texts.notJudged;
  return [fillWithHtml(text, values)];
}

function describeReporting({ silent = 0, reportingInterval }: Figures): Html[] {
  const { coverage, low, high } = reportingInterval ?? {};
  const values = {
    coverage: html`<b id="reporting">${formatPercent(coverage)}</b>`,
    low: html`${formatPercent(low)}`,
    high: html`${formatPercent(high)}`,
    silent: linkRows('all-devices.silent=yes', texts.silent, silent),
  };
  return coverage === undefined ? [] : [fillWithHtml(texts.reporting, values)];
}

function linkRows(rows: string, text: string, count: number): Html {
  return renderRowsLink(rows, fillText(text, { count: formatNumber(count) }));
}
