/** Two of the last runs side by side: why their figures differ, both figures, and every machine that changed. */
import type { CountLetter } from '../../../../core/facts/ledger.ts';
import {
  type CountLetterPair,
  decideDifferenceKinds,
  findPair,
  isCounted,
  isInstalled,
  isProven,
} from '../../../../core/ledger/letters.ts';
import { computeDifference, formatDifference } from '../../../../core/source/difference.ts';
import type { TrendRun } from '../../../document/trend.ts';
import { fillText, formatNumber, formatPercent } from '../../shared/format.ts';
import { columnTitles, compareTexts as texts } from '../../shared/list-texts.ts';
import type { GoneDevice } from '../../shared/page-data.ts';
import { type ComparedDevice, describeDifferenceList, sortChanges } from '../../shared/report-lists.ts';
import { intervalTexts, sectionTitles, sourceTexts } from '../../shared/texts.ts';
import { onAddressChange, writeParametersOf } from '../address.ts';
import { createElement, createSelect, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { List } from './list.ts';
import { createTable } from './list-table.ts';
import type { TableColumn } from './row.ts';

const comparedRuns = 30;

export function mountComparison(page: Page): void {
  const host = requireElement('[data-list=compare]');
  const nights = (page.document.trend[0]?.nights ?? []).slice(-comparedRuns);
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

function showComparison(host: HTMLElement, page: Page, before: TrendRun, after: TrendRun): void {
  const list = createElement('div');
  const machines = pairMachines(page, before.slot, after.slot);
  const figuresAfter = toFigures(after);
  const difference = computeDifference(toFigures(before), figuresAfter, machines);
  const why =
    difference === undefined ? [] : [createElement('p', { class: 'why' }, formatDifference(difference, figuresAfter))];
  const lead = createElement('p', { class: 'lead' }, fillText(texts.lead, { slot: page.document.slot }));
  host.replaceChildren(...why, createFigures(before, after), lead, list);
  new List(list, {
    ...describeDifferenceList(before.slot, after.slot),
    rows: listComparedDevices(machines),
    search: ({ name, serialNumber, id, source }) => [name, serialNumber, `${source}/${id}`],
    findDevice: (difference) => difference,
    file: `compare-${before.slot}-${after.slot}`,
    facets: ['change', 'before', 'after'],
  });
}

type Figure = readonly [name: string, format: (night: TrendRun) => string];

const figures: readonly Figure[] = [
  [sourceTexts.coverage, ({ coverage }) => `${formatPercent(coverage)} %`],
  [intervalTexts.low, ({ low }) => `${formatPercent(low)} %`],
  [intervalTexts.high, ({ high }) => `${formatPercent(high)} %`],
  [columnTitles.counted, ({ counted }) => formatNumber(counted)],
  [sectionTitles['needs-action'], ({ notInstalled }) => formatNumber(notInstalled)],
  [sectionTitles['data-quality'], ({ soundness }) => soundness],
];

function createFigures(before: TrendRun, after: TrendRun): HTMLElement {
  const createColumn = (key: string, night: TrendRun): TableColumn<Figure> => ({
    key,
    title: night.slot,
    kind: 'figure',
    text: ([, format]) => format(night),
  });
  const name: TableColumn<Figure> = { key: 'name', title: '', kind: 'head', text: ([name]) => name };
  const columns = [name, createColumn('before', before), createColumn('after', after)];
  return createElement('div', { class: 'compared' }, createTable(texts.title, columns, figures, ''));
}

interface ComparedMachine extends CountLetterPair {
  readonly device: Pick<GoneDevice, 'source' | 'id' | 'name' | 'serialNumber'>;
}

/** A machine without a history has been the same in all compared runs. */
function pairMachines({ gone, devices }: Page, earlier: string, later: string): ComparedMachine[] {
  return [...devices, ...gone].flatMap((device) => {
    const { history } = device;
    return history === undefined ? [] : [{ device, ...findPair(history, earlier, later) }];
  });
}

function listComparedDevices(machines: readonly ComparedMachine[]): ComparedDevice[] {
  const rows = machines.flatMap((pair) =>
    decideDifferenceKinds(pair).map((change) => {
      const { source, id, name = '', serialNumber = '' } = pair.device;
      return { source, id, name, serialNumber, change, before: describe(pair.was), after: describe(pair.is) };
    }),
  );
  return sortChanges(rows);
}

function describe(letter: CountLetter): string {
  if (!isCounted(letter)) {
    return letter === '-' ? texts.notThere : texts.notCounted;
  }
  const status = isInstalled(letter) ? 'Installed' : 'Not Installed';
  return isProven(letter) ? status : `${status}, ${texts.unproven}`;
}

function toFigures({ slot, counted, notInstalled, provenInstalled, provenNotInstalled }: TrendRun) {
  return { slot, counted, notInstalled, installed: counted - notInstalled, provenInstalled, provenNotInstalled };
}
