/** Renders `report.json`, and makes its document, from which the page and the workbook's summary are made too. */
import type { Night } from '../../core/facts/judged.ts';
import { type Report, toBuffers } from '../report.ts';
import { buildReportDocument, type ReportDocument } from './report-document.ts';

const documentCache = new WeakMap<Night, ReportDocument>();

/** The document, made once for each run, since three reports read it. */
export function getReportDocument(night: Night): ReportDocument {
  const known = documentCache.get(night) ?? buildReportDocument(night);
  documentCache.set(night, known);
  return known;
}

/** `report.json`: the document, with one line for each element of a list. */
export const jsonReport: Report = {
  file: 'report.json',
  render: (night) => toBuffers(renderJsonLines(getReportDocument(night))),
};

function* renderJsonLines(document: object): Generator<string> {
  let before = '{\n';
  for (const [name, value] of Object.entries(document)) {
    yield `${before}${JSON.stringify(name)}: `;
    if (Array.isArray(value)) {
      yield* renderJsonArray(value);
    } else {
      yield JSON.stringify(value);
    }
    before = ',\n';
  }
  yield '\n}\n';
}

function* renderJsonArray(values: readonly unknown[]): Generator<string> {
  let before = '[\n';
  for (const value of values) {
    yield `${before}${JSON.stringify(value)}`;
    before = ',\n';
  }
  yield values.length === 0 ? '[]' : '\n]';
}
