/** The small parts that sections of the page share. */
import { type Html, type HtmlValue, html } from '../../../base/html.ts';
import { showWord } from '../../../core/text/shown-words.ts';
import { toReadableText } from '../../../core/text/visible-text.ts';
import { formatNumber, toWordId } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';

/** Text from outside on one line, in the order of its characters, isolated so that its direction affects no other text. */
export function renderIsolatedText(text: string | undefined): Html {
  return text === undefined ? html`` : html`<bdi>${toReadableText(text).trim()}</bdi>`;
}

/** Fills a text of the page with HTML in place of each `{…}`. */
export function fillWithHtml(text: string, values: Readonly<Record<string, Html>>): Html {
  return html`${text.split(/(\{\w+\})/).map((part) => values[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''] ?? html`${part}`)}`;
}

const notableWords = new Set(['fail', 'unknown', 'missing', 'carried', 'untrusted', 'suspect', 'partial']);

export function renderWord(group: string, text: string): Html {
  return html`<a class="word ${notableWords.has(text) ? 'notable' : ''}" href="#${toWordId(group, text)}">${showWord(text)}</a>`;
}

/** Renders a time in UTC, which the page's script changes to the reader's zone. */
export function renderTime(iso: string | undefined): Html {
  if (iso === undefined) {
    return html`<span class="quiet">–</span>`;
  }
  const utc = `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return html`<time datetime="${iso}" title="${utc}">${utc}</time>`;
}

/** A link to the rows that a number counts; without the page's script it leads to their section. */
export function renderRowsLink(rows: string, content: string | number, id?: string): Html {
  const name = id === undefined ? '' : html` id="${id}"`;
  const text = typeof content === 'number' ? formatNumber(content) : content;
  return html`<a${name} href="#${rows.split(/[.=]/)[0]}" data-rows="${rows}">${text}</a>`;
}

/** A link to the devices of a source that match all filters. */
export function renderSourceRows(source: string, text: string, filters: Readonly<Record<string, string>> = {}): Html {
  return renderRowsLink(toRows('all-devices', { source, ...filters }), text);
}

export interface HtmlColumn<Row> {
  readonly title: string;
  cell(row: Row): HtmlValue;
  /** `head` names the row; any other kind is the class of its cells. */
  readonly kind?: string | undefined;
}

/** Renders a section that opens; sections for each morning are open. A link to anything in it opens it (`browser/address.ts`). */
export function renderSection(id: string, title: string, content: Html, isOpen = false): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><details${isOpen ? html` open` : ''}><summary><h2 id="${id}-title">${title}</h2></summary>${content}</details></section>`;
}

export function renderPart(id: string, title: string, content: Html): Html {
  return html`<details id="${id}"><summary><h3>${title}</h3></summary>${content}</details>`;
}

export function renderTable<Row>(
  label: string,
  columns: readonly HtmlColumn<Row>[],
  rows: readonly Row[],
  name = '',
): Html {
  const renderCell = ({ kind, title, cell }: HtmlColumn<Row>, row: Row) =>
    kind === 'head'
      ? html`<th scope="row">${cell(row)}</th>`
      : html`<td class="${kind}" data-title="${title}">${cell(row)}</td>`;
  return html`<div class="scroll ${name}" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => renderCell(column, row))}</tr>`)}</tbody></table></div>`;
}
