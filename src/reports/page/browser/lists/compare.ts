/** Two of the last runs side by side: their figures, and every device whose status is not the same in both. */
import { toDeviceKey } from '../../../../core/device/match-devices.ts';
import type { TrendNight } from '../../../document/report-document.ts';
import { type Difference, describeDifferenceList } from '../../shared/change-lists.ts';
import { fillText, formatNumber, formatPercent } from '../../shared/format.ts';
import { columnTitles, listTexts, compareTexts as texts } from '../../shared/list-texts.ts';
import { overviewTexts } from '../../shared/texts.ts';
import { onAddressChange, readAddressParameter, writeParametersOf } from '../address.ts';
import { createElement, requireListHost } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { SearchIndex } from '../search-index.ts';
import { List } from './list.ts';

const comparedNights = 30;

export function mountComparison(page: Page): void {
  const host = requireListHost('compare');
  const nights = (page.document.trend[0]?.nights ?? []).slice(-comparedNights);
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
      showComparison(result, page, before, after);
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
  onAddressChange('compare', () => {
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

function showComparison(host: HTMLElement, page: Page, before: TrendNight, after: TrendNight): void {
  const rows = listDifferences(page, before.slot, after.slot);
  const list = createElement('div');
  const lead = createElement('p', { class: 'lead' }, fillText(texts.lead, { slot: page.document.slot }));
  host.replaceChildren(lead, createFigures(before, after), list);
  const description = describeDifferenceList(before.slot, after.slot);
  new List(list, {
    ...description,
    rows,
    index: new SearchIndex(rows.length, (index) => {
      const { name, serialNumber, id, source } = rows[index] ?? {};
      return [name, serialNumber, `${source}/${id}`];
    }),
    count: listTexts.shownRows,
    findDevice: (difference) => difference,
    file: `compare-${before.slot}-${after.slot}`,
    facets: description.columns
      .filter(({ key }) => key === 'before' || key === 'after')
      .map(({ key, title, text }) => ({ key, label: title, read: text })),
  });
}

function createFigures(before: TrendNight, after: TrendNight): HTMLElement {
  const figure = (name: string, read: (night: TrendNight) => string) =>
    createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, name),
      createElement('td', { class: 'figure' }, read(before)),
      createElement('td', { class: 'figure' }, read(after)),
    );
  const heads = [before, after].map(({ slot }) => createElement('th', { scope: 'col' }, slot));
  return createElement(
    'table',
    { class: 'compared' },
    createElement('thead', {}, createElement('tr', {}, createElement('td'), ...heads)),
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
}

/** The first transition after the earlier run says what a device was then, the last one up to the later run what it was there. */
function listDifferences(page: Page, earlier: string, later: string): Difference[] {
  const found = new Map<string, Omit<Difference, 'serialNumber'>>();
  for (const { slot, source, id, name = '', from, to } of page.document.transitions) {
    if (slot > earlier && slot <= later) {
      const key = toDeviceKey(source, id);
      const known = found.get(key);
      found.set(key, { source, id, name, before: known ? known.before : from, after: to });
    }
  }
  const serialNumbers = found.size === 0 ? new Map<string, string>() : indexSerialNumbers(page);
  return [...found]
    .filter(([, { before, after }]) => before !== after)
    .map(([key, difference]) => ({ ...difference, serialNumber: serialNumbers.get(key) ?? '' }));
}

/** Also of devices that are no longer listed. */
function indexSerialNumbers({ departed, devices }: Page): Map<string, string | undefined> {
  return new Map(
    [...departed, ...devices].map(({ source, id, serialNumber }) => [toDeviceKey(source, id), serialNumber]),
  );
}
