/** Two of the last runs side by side: their figures, and every device whose status is not the same in both. */
import { toDeviceKey } from '../../../../core/device/match-devices.ts';
import type { TrendNight } from '../../../document/report-document.ts';
import { fillText, formatNumber, formatPercent } from '../../shared/format.ts';
import { columnTitles, compareTexts as texts } from '../../shared/list-texts.ts';
import { type Difference, describeDifferenceList } from '../../shared/report-lists.ts';
import { overviewTexts, sectionTitles, sourceTexts } from '../../shared/texts.ts';
import { onAddressChange, writeParametersOf } from '../address.ts';
import { createElement, createSelect, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { List } from './list.ts';
import { createTable } from './list-table.ts';
import type { TableColumn } from './row.ts';

const comparedNights = 30;

export function mountComparison(page: Page): void {
  const host = requireElement('[data-list=compare]');
  const nights = (page.document.trend[0]?.nights ?? []).slice(-comparedNights);
  if (nights.length < 2) {
    host.replaceChildren(createElement('p', { class: 'quiet' }, texts.none));
    return;
  }
  const slots = nights.map(({ slot }) => slot).reverse();
  const from = createSelect(slots);
  const to = createSelect(slots);
  const tools = [createElement('label', {}, texts.from, from), createElement('label', {}, texts.to, to)];
  const result = createElement('div');
  host.replaceChildren(createElement('div', { class: 'tools' }, ...tools), result);
  const show = () => {
    const [before, after = before] = nights.filter(({ slot }) => slot === from.value || slot === to.value);
    if (before !== undefined && after !== undefined) {
      showComparison(result, page, before, after);
    }
  };
  for (const box of [from, to]) {
    box.addEventListener('change', () => {
      writeParametersOf('compare', Object.entries({ from: from.value, to: to.value }));
      show();
    });
  }
  onAddressChange('compare', (parameters) => {
    const choose = (name: string) => slots.find((slot) => slot === parameters.get(`compare.${name}`));
    to.value = choose('to') ?? slots[0] ?? '';
    from.value = choose('from') ?? slots[1] ?? '';
    show();
  });
}

function showComparison(host: HTMLElement, page: Page, before: TrendNight, after: TrendNight): void {
  const list = createElement('div');
  const lead = createElement('p', { class: 'lead' }, fillText(texts.lead, { slot: page.document.slot }));
  host.replaceChildren(lead, createFigures(before, after), list);
  new List(list, {
    ...describeDifferenceList(before.slot, after.slot),
    rows: listDifferences(page, before.slot, after.slot),
    search: ({ name, serialNumber, id, source }) => [name, serialNumber, `${source}/${id}`],
    findDevice: (difference) => difference,
    file: `compare-${before.slot}-${after.slot}`,
    facets: ['before', 'after'],
  });
}

type Figure = readonly [name: string, format: (night: TrendNight) => string];

const figures: readonly Figure[] = [
  [sourceTexts.coverage, ({ coverage }) => `${formatPercent(coverage)} %`],
  [overviewTexts.certainly, ({ low }) => `${formatPercent(low)} %`],
  [overviewTexts.most, ({ high }) => `${formatPercent(high)} %`],
  [columnTitles.counted, ({ counted }) => formatNumber(counted)],
  [sectionTitles['needs-action'], ({ notInstalled }) => formatNumber(notInstalled)],
  [sectionTitles['data-quality'], ({ soundness }) => soundness],
];

function createFigures(before: TrendNight, after: TrendNight): HTMLElement {
  const createColumn = (key: string, night: TrendNight): TableColumn<Figure> => ({
    key,
    title: night.slot,
    kind: 'figure',
    text: ([, format]) => format(night),
  });
  const name: TableColumn<Figure> = { key: 'name', title: '', kind: 'head', text: ([name]) => name };
  const columns = [name, createColumn('before', before), createColumn('after', after)];
  return createElement('div', { class: 'compared' }, createTable(texts.title, columns, figures, ''));
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
