/** The tools of a list: the shown rows as text, on the clipboard or as a file, and the choice of its columns. */
import { formatCell } from '../../../cell.ts';
import type { ListColumn } from '../../shared/list.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { createElement } from '../dom.ts';

interface ShownRows<Row> {
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
}

export function createCopyButtons<Row>(
  file: string,
  readShown: () => ShownRows<Row>,
  onCopied: (done: boolean) => void,
): HTMLElement[] {
  const listCells = () => {
    const { columns, rows } = readShown();
    return [columns.map(({ title }) => title), ...rows.map((row) => columns.map((column) => column.text(row)))];
  };
  const createButton = (name: string, work: () => void) => {
    const button = createElement('button', { type: 'button' }, name);
    button.addEventListener('click', work);
    return button;
  };
  return [
    createButton(listTexts.copy, async () => onCopied(await copyToClipboard(toCsv(listCells())))),
    createButton(listTexts.copyTable, async () => onCopied(await copyToClipboard(toTabSeparated(listCells())))),
    createButton(listTexts.download, () => downloadText(`${file}.csv`, `${toCsv(listCells())}\n`)),
  ];
}

function toCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((values) => values.map((value) => quoteCsvValue(formatCell(value))).join(',')).join('\n');
}

/** As spreadsheets take cells from the clipboard; no value holds a tab or a line break. */
function toTabSeparated(lines: readonly (readonly string[])[]): string {
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
interface Column {
  readonly key: string;
  readonly title: string;
}

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
  return createElement(
    'details',
    { class: 'columns' },
    createElement('summary', {}, listTexts.columns),
    createElement('div', {}, ...boxes),
  );
}
