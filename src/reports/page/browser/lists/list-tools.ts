/** Tools of a list: the shown rows as text, on the clipboard or as a file, and the choice of its columns. */
import { formatCell } from '../../../cell.ts';
import { fillText, formatNumber } from '../../shared/format.ts';
import type { ListColumn } from '../../shared/list.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { createButton, createElement } from '../dom.ts';

type Cells = readonly (readonly string[])[];

/** Makes Excel read a CSV file as UTF-8 rather than in the code page of the machine. */
const byteOrderMark = '\uFEFF';

/** Buttons for downloading the shown rows, and on demand for other ways to take them. */
export function createExportButtons(
  file: string,
  listCells: () => Cells,
  findLink: () => string | undefined,
  say: (text: string) => void,
): HTMLElement[] {
  const downloadCsv = (start: string) => downloadText(`${file}.csv`, `${start}${toCsv(listCells())}\n`);
  const copyRows = async (format: (cells: Cells) => string) => {
    const cells = listCells();
    const count = formatNumber(cells.length - 1);
    say((await copyToClipboard(format(cells))) ? fillText(listTexts.copied, { count }) : listTexts.copyFailed);
  };
  const copyLink = async () => {
    const link = findLink();
    if (link === undefined) {
      say(listTexts.noLink);
    } else {
      say((await copyToClipboard(link)) ? listTexts.linkCopied : listTexts.copyFailed);
    }
  };
  const others = [
    createButton(listTexts.downloadForExcel, () => downloadCsv(byteOrderMark)),
    createButton(listTexts.copy, () => copyRows(toCsv)),
    createButton(listTexts.copyTable, () => copyRows(toTabSeparated)),
    createButton(listTexts.copyLink, copyLink),
  ];
  const summary = createElement('summary', {}, listTexts.moreFormats);
  return [
    createButton(listTexts.download, () => downloadCsv('')),
    createElement('details', { class: 'formats' }, summary, createElement('div', {}, ...others)),
  ];
}

function toCsv(lines: Cells): string {
  return lines.map((values) => values.map((value) => quoteCsvValue(formatCell(value))).join(',')).join('\n');
}

/** Rows in the form in which spreadsheets paste cells; no value contains a tab or a line break. */
function toTabSeparated(lines: Cells): string {
  return lines.map((values) => values.map(formatCell).join('\t')).join('\n');
}

function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  createElement('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function quoteCsvValue(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page over plain HTTP has no clipboard; the older command works there.
    const box = createElement('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    return done;
  }
}

/** The choice of a list's columns; at least one stays. */
export function createColumnChoice<Row>(
  columns: readonly ListColumn<Row>[],
  onChoose: (visible: ListColumn<Row>[]) => void,
): HTMLElement {
  const boxes = columns.map(({ isHidden }) => createElement('input', { type: 'checkbox', checked: isHidden !== true }));
  for (const box of boxes) {
    box.addEventListener('change', () => {
      box.checked ||= boxes.every(({ checked }) => !checked);
      onChoose(columns.filter((_, at) => boxes[at]?.checked));
    });
  }
  const labels = columns.map(({ title }, at) => createElement('label', {}, boxes[at], ` ${title}`));
  const summary = createElement('summary', {}, listTexts.columns);
  return createElement('details', { class: 'columns' }, summary, createElement('div', {}, ...labels));
}
