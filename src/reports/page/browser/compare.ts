/** Two of the last runs side by side: their figures, and every device whose status is not the same in both. */
import type { TrendNight } from '../../document/report-document.ts';
import type { PageData } from '../page-data.ts';
import {
  columnTitles,
  fillText,
  formatNumber,
  formatPercent,
  listTexts,
  overviewTexts,
  compareTexts as texts,
} from '../texts.ts';
import { onAddressChange, readAddressParameter, writeParametersOf } from './address.ts';
import { type CardOpener, requireListHost } from './devices.ts';
import { createElement, createIsolatedText } from './dom.ts';
import type { GridColumn } from './grid.ts';
import { mountList } from './list.ts';
import { readWord } from './unpack.ts';

interface Difference {
  readonly device: number;
  readonly name: string;
  readonly id: string;
  /** '' where the device was not there. */
  readonly before: string;
  readonly after: string;
}

const comparedNights = 30;

export function mountComparison(data: PageData, open: CardOpener): void {
  const host = requireListHost('compare');
  const nights = (data.trend[0]?.nights ?? []).slice(-comparedNights);
  if (nights.length < 2) {
    host.replaceChildren(createElement('p', { class: 'quiet' }, texts.none));
    return;
  }
  const result = createElement('div');
  const first = createSlotChoice(texts.from, nights, nights.at(-2)?.slot ?? '');
  const second = createSlotChoice(texts.to, nights, nights.at(-1)?.slot ?? '');
  const show = () => {
    const [from, to] = [first.box.value, second.box.value].sort();
    const [before, after] = [from, to].map((slot) => nights.find((night) => night.slot === slot));
    if (before !== undefined && after !== undefined) {
      result.replaceChildren(...createComparison(data, before, after, open));
    }
  };
  const change = () => {
    writeParametersOf('compare', [
      ['from', first.box.value],
      ['to', second.box.value],
    ]);
    show();
  };
  first.box.addEventListener('change', change);
  second.box.addEventListener('change', change);
  host.replaceChildren(createElement('div', { class: 'tools' }, first.part, second.part), result);
  onAddressChange(() => {
    first.choose(readAddressParameter('compare.from'));
    second.choose(readAddressParameter('compare.to'));
    show();
  });
}

function createSlotChoice(label: string, nights: readonly TrendNight[], preset: string) {
  const slots = nights.map(({ slot }) => slot).reverse();
  const box = createElement('select', {}, ...slots.map((slot) => createElement('option', { value: slot }, slot)));
  const choose = (slot: string | undefined) => {
    box.value = slot !== undefined && slots.includes(slot) ? slot : preset;
  };
  choose(undefined);
  return { box, choose, part: createElement('label', {}, label, box) };
}

function createComparison(data: PageData, before: TrendNight, after: TrendNight, open: CardOpener): HTMLElement[] {
  const list = createElement('div');
  const differences = listDifferences(data, before.slot, after.slot);
  const text = (read: (difference: Difference) => string) => (row: number) => {
    const difference = differences[row];
    return difference === undefined ? '' : read(difference);
  };
  const column = (key: string, title: string, width: string, read: (row: number) => string): GridColumn => ({
    ...{ key, title, width, text: read },
    show: (row) => createIsolatedText(read(row)),
  });
  const departed = indexDepartedSerialNumbers(data);
  const serialNumber = text(({ device, id }) => data.devices.serialNumber[device] ?? departed.get(id) ?? '');
  const status = (word: string) => (word === '' ? texts.notThere : word);
  mountList(list, {
    id: 'differences',
    file: `compare-${before.slot}-${after.slot}`,
    label: texts.title,
    empty: texts.same,
    count: listTexts.shownRows,
    rows: differences.map((_, row) => row),
    search: (row) => `${text(({ name }) => name)(row)}\n${serialNumber(row)}\n${text(({ id }) => id)(row)}`,
    open: (row) => (differences[row]?.device ?? -1) >= 0 && open(differences[row]?.device ?? 0),
    columns: [
      column(
        'name',
        columnTitles.name,
        'minmax(12rem, 2fr)',
        text(({ name }) => name),
      ),
      column('serialNumber', columnTitles.serialNumber, 'minmax(10rem, 1fr)', serialNumber),
      column(
        'before',
        before.slot,
        '9rem',
        text((difference) => status(difference.before)),
      ),
      column(
        'after',
        after.slot,
        '9rem',
        text((difference) => status(difference.after)),
      ),
      column(
        'id',
        columnTitles.id,
        'minmax(12rem, 1fr)',
        text(({ id }) => id),
      ),
    ],
    facets: [
      { key: 'before', label: before.slot, of: text((difference) => status(difference.before)) },
      { key: 'after', label: after.slot, of: text((difference) => status(difference.after)) },
    ],
  });
  return [createFigures(data, before, after), list];
}

/** Of devices that are no longer listed. */
function indexDepartedSerialNumbers({ departed }: PageData): Map<string, string> {
  return new Map(
    departed.id.map((id, index) => [
      `${readWord(departed.source, index) ?? ''}/${id}`,
      departed.serialNumber[index] ?? '',
    ]),
  );
}

function createFigures(data: PageData, before: TrendNight, after: TrendNight): HTMLElement {
  const figure = (name: string, read: (night: TrendNight) => string) =>
    createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, name),
      createElement('td', { class: 'figure' }, read(before)),
      createElement('td', { class: 'figure' }, read(after)),
    );
  const heads = ['', before.slot, after.slot].map((text) =>
    createElement(text === '' ? 'td' : 'th', text === '' ? {} : { scope: 'col' }, text),
  );
  const table = createElement(
    'table',
    { class: 'compared' },
    createElement('thead', {}, createElement('tr', {}, ...heads)),
    createElement(
      'tbody',
      {},
      figure(texts.coverage, ({ coverage }) => `${formatPercent(coverage)} %`),
      figure(overviewTexts.certainly, ({ low }) => `${formatPercent(low)} %`),
      figure(overviewTexts.most, ({ high }) => `${formatPercent(high)} %`),
      figure(columnTitles.counted, ({ counted }) => formatNumber(counted)),
      figure(listTexts.needsAction, ({ notInstalled }) => formatNumber(notInstalled)),
      figure(texts.quality, ({ soundness }) => soundness),
    ),
  );
  const lead = fillText(texts.lead, { slot: data.slot });
  return createElement('div', {}, createElement('p', { class: 'lead' }, lead), table);
}

/** The first transition after the earlier run says what a device was then, the last one up to the later run what it was there. */
function listDifferences({ transitions, devices }: PageData, from: string, to: string): Difference[] {
  const found = new Map<string, Difference>();
  for (const [index, device] of transitions.device.entries()) {
    const slot = readWord(transitions.slot, index) ?? '';
    if (slot <= from || slot > to) {
      continue;
    }
    const id = transitions.id[index] ?? `${readWord(devices.source, device) ?? ''}/${devices.id[device] ?? ''}`;
    const name = (device === -1 ? transitions.name[index] : devices.name[device]) ?? '';
    const before = found.get(id)?.before ?? readWord(transitions.from, index) ?? '';
    found.set(id, { device, name, id, before, after: readWord(transitions.to, index) ?? '' });
  }
  return [...found.values()].filter(({ before, after }) => before !== after);
}
