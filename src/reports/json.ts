/** `report.json`: the document, with one line for each element of a list. */
import { getReportDocument } from './document/document.ts';
import { type Report, toBuffers } from './report.ts';

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
