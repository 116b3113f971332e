/** Renders the lists of machines beside the headline: one sentence for each, or why it was not judged. */

import { type Html, html } from '../../../base/html.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { Figures } from '../../document/trend.ts';
import { chooseForms, fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { overviewTexts as texts } from '../shared/texts.ts';
import { fillWithHtml, renderIsolatedText, renderRowsLink, renderWord } from './html.ts';

type JudgedLists = NonNullable<ReportDocument['lists']>;

export function renderLists({ lists = {} }: ReportDocument, all: Figures): Html | undefined {
  const sentences = [
    ...describeUnsound('expected', lists.expected),
    ...describeUnsound('reporting', lists.reporting),
    ...describeExpected(lists.expected, all),
    ...describeReporting(all),
  ].map((sentence) => html`<p>${sentence}</p> `);
  return sentences.length === 0 ? undefined : html`${sentences}`;
}

function describeUnsound(name: keyof JudgedLists, list: JudgedLists[keyof JudgedLists]): Html[] {
  const { problem, soundness } = list ?? {};
  if (problem === undefined || soundness === undefined) {
    return [];
  }
  const values = { list: html`lists.${name}`, soundness: renderWord('list', soundness) };
  return [html`${fillWithHtml(texts.unsoundList, values)} ${renderIsolatedText(problem.message)}`];
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
  const { coverage } = reportingInterval ?? {};
  const values = {
    coverage: html`<b id="reporting">${formatPercent(coverage)}</b>`,
    silent: linkRows('all-devices.silent=yes', texts.silent, silent),
  };
  return coverage === undefined ? [] : [fillWithHtml(texts.reporting, values)];
}

function linkRows(rows: string, text: string, count: number): Html {
  return renderRowsLink(rows, fillText(text, { count: formatNumber(count) }));
}
