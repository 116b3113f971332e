/** The tools of a list: the shown rows as text, on the clipboard or as a file, and the choice of its columns. */
import { formatCell } from '../../../cell.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { createButton, createElement } from '../dom.ts';

type Cells = readonly (readonly string[])[];

export function createCopyButtons(
  file: string,
  listCells: () => Cells,
  onCopied: (done: boolean) => void,
): HTMLElement[] {
  return [
    createButton(listTexts.copy, async () => onCopied(await copyToClipboard(toCsv(listCells())))),
    createButton(listTexts.copyTable, async () => onCopied(await copyToClipboard(toTabSeparated(listCells())))),
    createButton(listTexts.download, () => downloadText(`${file}.csv`, `${toCsv(listCells())}\n`)),
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

interface Column {
  readonly key: string;
  readonly title: string;
}

/** The choice of a list's columns; one of them always stays. */
export function createColumnChoice<C extends Column>(
  columns: readonly C[],
  visible: readonly C[],
  onChoose: (visible: C[]) => void,
): HTMLElement {
  const shown = new Set(visible.map(({ key }) => key));
  const boxes = columns.map(({ key, title }) => {
    const box = createElement('input', { type: 'checkbox', checked: shown.has(key) });
    box.addEventListener('change', () => {
      if (box.checked) {
        shown.add(key);
      } else if (shown.size > 1) {
        shown.delete(key);
      } else {
        box.checked = true;
      }
      onChoose(columns.filter((column) => shown.has(column.key)));
    });
    return createElement('label', {}, box, title);
  });
  const summary = createElement('summary', {}, listTexts.columns);
  return createElement('details', { class: 'columns' }, summary, createElement('div', {}, ...boxes));
}
