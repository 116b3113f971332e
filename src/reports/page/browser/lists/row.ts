/** Shows and sorts the rows of a table. Where a row is a device, its name is a link to the card. */
import type { DeviceReference } from '../../../../core/facts/judged.ts';
import { isVisible } from '../../../../core/text/visible-text.ts';
import type { ListColumn } from '../../shared/list.ts';
import { cardTexts } from '../../shared/list-texts.ts';
import { toCardAddress, toRowsAddress } from '../address.ts';
import { createDayElement, createElement, createIsolatedText } from '../dom.ts';

export interface TableColumn<Row> extends ListColumn<Row> {
  /** Shows a node instead of the text, which is then neither sorted nor copied. */
  show?(row: Row): Node | undefined;
}

export function createRow<Row>(
  row: Row,
  columns: readonly TableColumn<Row>[],
  device: DeviceReference | undefined,
): HTMLElement {
  const linked = columns.find(({ key }) => key === 'name') ?? columns[0];
  const cells = columns.map((column) => {
    const content = createContent(column, row);
    const note = column.note?.(row) ?? '';
    const isHead = column.kind === 'head';
    return createElement(
      isHead ? 'th' : 'td',
      isHead ? { scope: 'row' } : { class: column.kind, 'data-title': column.title },
      device && column === linked ? createDeviceLink(content, column.text(row), device) : content,
      note === '' ? undefined : createElement('span', { class: 'quiet' }, createIsolatedText(note)),
    );
  });
  return createElement('tr', {}, ...cells);
}

function createContent<Row>(column: TableColumn<Row>, row: Row): Node {
  const shown = column.show?.(row);
  if (shown !== undefined) {
    return shown;
  }
  const text = column.text(row);
  const rows = column.counts?.(row);
  if (rows !== undefined) {
    return createElement('a', { href: toRowsAddress(rows), 'data-rows': rows }, text);
  }
  if (column.kind === 'time' && text !== '') {
    return createDayElement(Date.parse(text));
  }
  // Plain text has one direction; omitting the element in each cell makes a search faster.
  return /^[ -~]*$/.test(text) ? document.createTextNode(text) : createIsolatedText(text);
}

function createDeviceLink(content: Node, text: string, device: DeviceReference): HTMLElement {
  const label = isVisible(text) ? undefined : `${cardTexts.noName}, ${device.id}`;
  const attributes = { class: 'device', href: toCardAddress(device), tabindex: -1, 'aria-label': label };
  return createElement('a', attributes, content);
}

/** Sorts by a column, upwards by `name` or downwards by `-name`; unknown values come last in both directions. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[], order: string): Row[] {
  const column = columns.find(({ key }) => key === order.replace(/^-/, ''));
  const readKey = (row: Row) => (column?.sortKey ? column.sortKey(row) : column?.text(row).toLowerCase()) ?? '';
  const keyed = rows.map((row) => ({ row, key: readKey(row) }));
  const known = keyed.filter(({ key }) => key !== '');
  const unknown = keyed.filter(({ key }) => key === '');
  const direction = order.startsWith('-') ? -1 : 1;
  known.sort((left, right) => (left.key < right.key ? -direction : left.key > right.key ? direction : 0));
  return [...known, ...unknown].map(({ row }) => row);
}
