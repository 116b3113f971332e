/** Small parts that the sections of the page share: a word that links to the glossary, a time, a filled-in sentence. */
import type { SourceReport } from '../../document/report-document.ts';
import { toWordId } from '../shared/glossary.ts';
import { toRows } from '../shared/list.ts';
import { type Html, html } from './html.ts';

const notableWords = new Set(['fail', 'unknown', 'missing', 'carried', 'untrusted', 'suspect']);

export function renderWord(group: string, text: string): Html {
  return html`<a class="word ${notableWords.has(text) ? 'notable' : ''}" href="#${toWordId(group, text)}">${text}</a>`;
}

/** In UTC; the page's script changes it to the reader's time zone. */
export function renderTime(iso: string | undefined): Html {
  if (iso === undefined) {
    return html`<span class="quiet">–</span>`;
  }
  const utc = `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return html`<time datetime="${iso}" title="${utc}">${utc}</time>`;
}

/** A link to devices of a source, those that all these filters hold. */
export function renderSourceRows(source: string, text: string, filters: Readonly<Record<string, string>> = {}): Html {
  const rows = toRows('all-devices', { source, ...filters });
  return html`<a href="#all-devices" data-rows="${rows}">${text}</a>`;
}

/** Rows that were received are the devices on the page, unless these are of an earlier run. */
export function renderReceivedRows(
  { name, receipt }: Pick<SourceReport, 'name' | 'receipt'>,
  text: string,
  devices: number | undefined,
): Html {
  return devices === receipt.received ? renderSourceRows(name, text) : html`${text}`;
}

/** A text of the page with HTML in place of each `{…}`. */
export function fillWithHtml(text: string, values: Readonly<Record<string, Html>>): Html {
  return html`${text.split(/(\{\w+\})/).map((part) => values[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''] ?? html`${part}`)}`;
}

/** A table that scrolls by itself where it is wider than the page. */
export function renderTable(label: string, heads: readonly string[], rows: readonly Html[], name = ''): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="${name}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
