/** A digest as text: for mail, for a terminal. */
import { pluralize } from '../../core/pluralize.ts';
import type { Digest } from './digest.ts';

export function textOf(digest: Digest): string {
  return `${linesOf(digest).join('\n')}\n`;
}

function linesOf({ about, agent, slot, title, figures, sections, further, link }: Digest): string[] {
  return [
    `${agent} – ${about === 'test' ? 'test' : `night of ${slot}`}`,
    title,
    ...(figures === undefined ? [] : [figures]),
    ...sections.flatMap(({ title: heading, ask, count, lines, more }) => [
      '',
      count > 1 ? `${heading} (${count})` : heading,
      ask,
      ...lines.map((line) => `  - ${line}`),
      ...moreLine(more).map((line) => `  - ${line}`),
    ]),
    ...furtherLine(further),
    ...(link === undefined ? [] : ['', `The whole report: ${link}`]),
  ];
}

export function moreLine(more: number): string[] {
  return more === 0 ? [] : [`and ${more} more, in the report`];
}

export function furtherLine(further: number): string[] {
  return further === 0 ? [] : ['', `${further} more of these lists ${pluralize(further, 'is', 'are')} in the report.`];
}
