/** What the lists of machines say, beside the headline: one sentence for each, or why it says nothing. */
import type { Figures, ReportDocument } from '../../document/report-document.ts';
import { chooseForms, fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { overviewTexts as texts } from '../shared/texts.ts';
import { fillWithHtml, type Html, html, renderIsolatedText, renderRowsLink, renderWord } from './html.ts';

export function renderLists({ lists: { expected, reporting } = {} }: ReportDocument, all: Figures): Html {
  const { enrolledNowhere = 0, notExpected = 0, silent = 0, reportingInterval = {} } = all;
  const nowhere = linkRows('unenrolled', texts.nowhere, enrolledNowhere);
  const others = linkRows('all-devices.counted=yes&all-devices.expected=no', texts.notExpected, notExpected);
  const sentences = [
    ...describeUnsound('expected', expected),
    ...describeUnsound('reporting', reporting),
    ...(expected?.soundness !== 'sound'
      ? []
      : [
          expected.unenrolled
            ? fillWithHtml(chooseForms(texts.enrolledNowhere, { expected: expected.expected }), {
                expected: html`${formatNumber(expected.expected)}`,
                nowhere,
                others,
              })
            : fillWithHtml(texts.notJudged, { sources: renderIsolatedText(expected.heldBy.join(', ')) }),
        ]),
    ...(reportingInterval.coverage === undefined
      ? []
      : [
          fillWithHtml(texts.reporting, {
            coverage: html`<b id="reporting">${formatPercent(reportingInterval.coverage)}</b>`,
            low: html`${formatPercent(reportingInterval.low)}`,
            high: html`${formatPercent(reportingInterval.high)}`,
            silent: linkRows('all-devices.silent=yes', texts.silent, silent),
          }),
        ]),
  ];
  return sentences.length === 0
    ? html``
    : html`<div class="machines" id="lists">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>`;
}

type JudgedLists = NonNullable<ReportDocument['lists']>;

function describeUnsound(name: keyof JudgedLists, list: JudgedLists[keyof JudgedLists]): Html[] {
  if (list?.problem === undefined) {
    return [];
  }
  const values = { list: html`lists.${name}`, soundness: renderWord('list', list.soundness) };
  return [
    html`${fillWithHtml(texts.unsoundList, values)} <span class="why">${renderIsolatedText(list.problem.message)}</span>`,
  ];
}

function linkRows(rows: string, text: string, count: number): Html {
  return renderRowsLink(rows, fillText(text, { count: formatNumber(count) }));
}
