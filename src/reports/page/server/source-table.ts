/** Renders a line for each source: its soundness, figures, receipt, the ages of its values, and its detection method. */

import { type Html, html } from '../../../base/html.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { SourceReport } from '../../document/sources.ts';
import { formatInterval } from '../shared/breakdown-list.ts';
import { fillText, formatNumber, formatOperatingSystem, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { columnTitles } from '../shared/list-texts.ts';
import { sectionTitles, sourceTexts as texts } from '../shared/texts.ts';
import {
  fillWithHtml,
  type HtmlColumn,
  renderIsolatedText,
  renderRowsLink,
  renderSourceRows,
  renderTable,
  renderTime,
  renderWord,
} from './html.ts';

export function renderSourceTable(document: ReportDocument): Html {
  const findFigures = ({ name }: SourceReport) => document.coverage.find(({ source }) => source === name);
  const columns: readonly HtmlColumn<SourceReport>[] = [
    ...describeSourceColumns(document),
    {
      title: texts.coverage,
      kind: 'figure',
      cell: (source) => {
        const coverage = formatPercent(findFigures(source)?.coverage);
        return renderSourceRows(source.name, coverage, { counted: 'yes', status: 'Installed' });
      },
    },
    { title: texts.interval, kind: 'figure quiet', cell: (source) => formatInterval(findFigures(source) ?? {}) },
    {
      title: sectionTitles['needs-action'],
      kind: 'figure',
      cell: (source) =>
        renderRowsLink(toRows('needs-action', { source: source.name }), findFigures(source)?.notInstalled ?? 0),
    },
    { title: texts.rows, cell: (source) => renderReceipt(source, document) },
    { title: texts.newest, cell: ({ values }) => renderTime(values.newest) },
    { title: texts.oldest, cell: ({ values }) => renderTime(values.oldest) },
    { title: texts.instrument, cell: renderInstrument },
  ];
  return renderTable(texts.caption, columns, document.sources, 'sources');
}

function renderInstrument({ name, instrument, values }: SourceReport): Html {
  const { since: slot, changed: isChanged, repairedAt } = instrument;
  if (slot === undefined) {
    return html`${texts.instrumentUnknown}`;
  }
  const measured = fillText(texts.measured, {
    count: formatNumber(values.byPresentInstrument),
    all: formatNumber(values.count),
  });
  // Both a change and a repair leave values that the current method has not measured.
  const repaired = repairedAt === undefined ? '' : repairedAt.slice(0, 10);
  const text = repaired > slot ? texts.repairedOn : isChanged ? texts.changedOn : texts.unchanged;
  const since = fillWithHtml(text, { slot: html`<span class="day">${repaired > slot ? repaired : slot}</span>` });
  return html`${renderSourceRows(name, measured, { measured: 'current' })}<span class="quiet below">${since}</span>`;
}

/** Each table of sources begins with their names, platforms and soundness. */
export function describeSourceColumns({ platformTitles }: ReportDocument): readonly HtmlColumn<SourceReport>[] {
  return [
    {
      title: columnTitles.source,
      kind: 'head',
      cell: ({ name, platform }) =>
        html`${renderIsolatedText(name)} <span class="quiet below">${formatOperatingSystem(platformTitles, platform)}</span>`,
    },
    { title: sectionTitles['data-quality'], cell: ({ soundness }) => renderWord('soundness', soundness) },
  ];
}

/** Renders the received and claimed numbers of rows and answers, and the proof of the answers. */
export function renderReceipt(source: SourceReport, { coverage }: ReportDocument): Html {
  const { received, claimed, answersReceived, answersClaimed, answersProof } = source.receipt;
  const rows = { received: formatNumber(received), claimed: formatKnown(claimed) };
  const text = claimed === undefined ? rows.received : fillText(texts.of, rows);
  const answers = { received: formatKnown(answersReceived), claimed: formatKnown(answersClaimed) };
  const devices = coverage.find((figures) => figures.source === source.name)?.devices;
  // Received rows are the devices on the page, unless these are of an earlier run.
  return html`${devices === received ? renderSourceRows(source.name, text) : text}${
    answersReceived === undefined ? '' : html`<span class="quiet below">${fillText(texts.answers, answers)}</span>`
  }${answersProof === undefined ? '' : html`<span class="quiet below">${renderWord('proof', answersProof)}</span>`}`;
}

export function formatKnown(figure: number | undefined): string {
  return figure === undefined ? '–' : formatNumber(figure);
}
