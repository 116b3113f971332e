/** The tools of a list: the shown rows as text, on the clipboard or as a file, and the choice of its columns. */
import { formatCell } from '../../../cell.ts';
import type { ListColumn } from '../../shared/list.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { createButton, createElement } from '../dom.ts';

type Cells = readonly (readonly string[])[];

/** Excel reads a CSV file without a byte order mark in the code page of the machine. */
const byteOrderMark = '\uFEFF';

/** A file of the shown rows, and on demand the other ways to take them. */
export function createExportButtons(
  file: string,
  listCells: () => Cells,
  onCopied: (done: boolean) => void,
): HTMLElement[] {
  const downloadCsv = (start: string) => downloadText(`${file}.csv`, `${start}${toCsv(listCells())}\n`);
  const others = [
    createButton(listTexts.downloadForExcel, () => downloadCsv(byteOrderMark)),
    createButton(listTexts.copy, async () => onCopied(await copyToClipboard(toCsv(listCells())))),
    createButton(listTexts.copyTable, async () => onCopied(await copyToClipboard(toTabSeparated(listCells())))),
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

/** As spreadsheets take cells from the clipboard; no value holds a tab or a line break. */
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

/** The choice of a list's columns; one of them always stays. */
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
