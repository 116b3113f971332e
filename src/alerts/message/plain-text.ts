/** A digest as plain text: for e-mail and for a terminal. */
import { pluralize } from '../../core/pluralize.ts';
import { type Digest, formatHeading } from './digest.ts';

export function renderPlainText(digest: Digest): string {
  return `${formatDigestLines(digest).join('\n')}\n`;
}

function formatDigestLines(digest: Digest): string[] {
  const { title, figures, sections, further, link } = digest;
  return [
    formatHeading(digest),
    title,
    ...(figures === undefined ? [] : [figures]),
    ...sections.flatMap(({ title: heading, ask, count, lines, links = [], more }) => [
      '',
      count > 1 ? `${heading} (${count})` : heading,
      ask,
      ...lines.flatMap((line, index) => [`  - ${line}`, ...(links[index] ? [`    ${links[index]}`] : [])]),
      ...formatMoreLine(more).map((line) => `  - ${line}`),
    ]),
    ...formatFurtherLine(further),
    ...(link === undefined ? [] : ['', `The whole report: ${link}`]),
  ];
}

export function formatMoreLine(more: number): string[] {
  return more === 0 ? [] : [`and ${more} more, in the report`];
}

export function formatFurtherLine(further: number): string[] {
  return further === 0 ? [] : ['', `${further} more of these lists ${pluralize(further, 'is', 'are')} in the report.`];
}
