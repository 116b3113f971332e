/** Lists changes since the last complete run, within some days or between two runs: why the figures differ, and each machine. */
import { computeDifference, formatDifference } from '../../../../core/source/difference.ts';
import { showWord } from '../../../../core/text/shown-words.ts';
import { addDays } from '../../../../core/time/calendar.ts';
import type { TrendRun } from '../../../document/trend.ts';
import { type ChangedMachine, describeChangeList, listChangesOfRun } from '../../shared/change-list.ts';
import { fillText, formatNumber, formatPercent } from '../../shared/format.ts';
import { columnTitles, listTexts, changeTexts as texts } from '../../shared/list-texts.ts';
import { intervalTexts, sectionTitles, sourceTexts } from '../../shared/texts.ts';
import { onAddressChange, readParametersOf, writeParametersOf } from '../address.ts';
import { createElement, createGlossaryLinks, createSelect, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { listChangedMachines, pairMachines } from './changed-machines.ts';
import { createOperatingSystemFacet } from './facet.ts';
import { List } from './list.ts';
import { createTable } from './list-table.ts';
import type { TableColumn } from './row.ts';

/** Choices beside the last complete run: days before the last run, or two runs of the reader's choice. */
const days = ['7', '30'];
const between = 'runs';
const periodKeys = ['since', 'from', 'to'];

/** Mounts the list; its address is `changes.since=7`, or `changes.from=2026-11-02&changes.to=2026-11-20`. */
export function mountChangeList(page: Page): void {
  const runs = (page.document.trend[0]?.nights ?? []).filter(({ slot }) => slot >= page.comparedFrom);
  const slots = runs.map(({ slot }) => slot).reverse();
  const words = ['', ...days, between];
  const titles = [texts.sinceBaselines, ...days.map((count) => fillText(texts.sinceDays, { days: count }))];
  const since = createSelect(words, [...titles, texts.betweenRuns]);
  const [from, to] = [createSelect(slots), createSelect(slots)];
  const ends = [createElement('label', {}, texts.from, from), createElement('label', {}, texts.to, to)];
  const sinceLabel = createElement('label', {}, texts.period, since);
  const tools = createElement('div', { class: 'tools', hidden: runs.length < 2 }, sinceLabel, ...ends);
  const result = createElement('div');
  requireElement('[data-list=changes]').replaceChildren(tools, result);
  let shown: string | undefined;
  const show = () => {
    const said = readParametersOf('changes');
    const choose = (key: string) => slots.find((slot) => slot === said.get(key));
    const isBetween = said.has('from') || said.has('to');
    since.value = isBetween ? between : (days.find((count) => count === said.get('since')) ?? '');
    to.value = choose('to') ?? slots[0] ?? '';
    from.value = choose('from') ?? slots[1] ?? '';
    for (const end of ends) {
      end.hidden = !isBetween;
    }
    const period = `${since.value} ${from.value} ${to.value}`;
    if (period !== shown) {
      shown = period;
      showPeriod(result, page, findRuns(runs, since.value, [from.value, to.value]), isBetween);
    }
  };
  const write = (entries: Readonly<Record<string, string>>) => {
    const filters = [...readParametersOf('changes')].filter(([key]) => !periodKeys.includes(key));
    writeParametersOf('changes', [...filters, ...Object.entries(entries)]);
    show();
  };
  const writeRuns = () => write({ from: from.value, to: to.value });
  since.addEventListener('change', () => {
    if (since.value === between) {
      writeRuns();
    } else {
      write(since.value === '' ? {} : { since: since.value });
    }
  });
  from.addEventListener('change', writeRuns);
  to.addEventListener('change', writeRuns);
  // Registered before the list, whose filters are in the same address.
  onAddressChange('changes of a period', show);
}

type Runs = readonly [before: TrendRun, after: TrendRun];

/** Two runs, the earlier first; undefined for the rows of changes.csv. A day without a run gives the run before it. */
function findRuns(runs: readonly TrendRun[], since: string, chosen: readonly string[]): Runs | undefined {
  const [first, last] = [runs[0], runs.at(-1)];
  if (since === '' || first === undefined || last === undefined) {
    return undefined;
  }
  if (since === between) {
    const [before = last, after = before] = runs.filter(({ slot }) => chosen.includes(slot));
    return [before, after];
  }
  const start = addDays(last.slot, -Number(since));
  return [runs.findLast(({ slot }) => slot <= start) ?? first, last];
}

function showPeriod(host: HTMLElement, page: Page, runs: Runs | undefined, isBetween: boolean): void {
  const { difference, figures, lead, file, rows } = runs === undefined ? readRun(page) : compare(page, runs);
  const why =
    difference && figures ? [createElement('p', { class: 'why' }, formatDifference(difference, figures))] : [];
  const list = createElement('div');
  const both = runs !== undefined && isBetween ? [createFigures(...runs)] : [];
  host.replaceChildren(...why, ...both, list);
  requireElement('#changes .lead').textContent = lead;
  const { platformTitles } = page.document;
  const description = describeChangeList(platformTitles, rows);
  new List<ChangedMachine>(list, {
    ...description,
    rows,
    search: (row) => description.columns.map(({ text }) => text(row)),
    searchHint: texts.searchHint,
    findDevice: (row) => row,
    file,
    facets: ['change', createOperatingSystemFacet(platformTitles), 'site', 'department'],
    moreFacets: [
      'source',
      'reason',
      'before',
      'after',
      {
        key: 'flow',
        label: texts.flow,
        choices: (['joined', 'left'] as const).map((word) => ({
          key: word,
          label: texts[word],
          holds: ({ flow }) => flow === word || flow === 'both',
        })),
      },
    ],
    note: createGlossaryLinks(
      ['change', columnTitles.change],
      ['reason', columnTitles.reason],
      ['excluded', listTexts.because],
    ),
  });
}

function readRun({ document: { difference, coverage, slot, changes }, reportedDevices }: Page) {
  const rows = listChangesOfRun(changes, reportedDevices);
  return { difference, figures: coverage.at(-1), lead: texts.lead, file: `changes-${slot}`, rows };
}

function compare(page: Page, [before, after]: Runs) {
  const machines = pairMachines(page, before.slot, after.slot);
  const figures = toFigures(after);
  return {
    difference: computeDifference(toFigures(before), figures, machines),
    figures,
    lead: fillText(texts.leadOfRuns, { from: before.slot, to: after.slot }),
    file: `changes-${before.slot}-${after.slot}`,
    rows: listChangedMachines(machines),
  };
}

function toFigures({ slot, counted, notInstalled, provenInstalled, provenNotInstalled }: TrendRun) {
  return { slot, counted, notInstalled, installed: counted - notInstalled, provenInstalled, provenNotInstalled };
}

type Figure = readonly [name: string, format: (night: TrendRun) => string];

const figures: readonly Figure[] = [
  [sourceTexts.coverage, ({ coverage }) => `${formatPercent(coverage)} %`],
  [intervalTexts.low, ({ low }) => `${formatPercent(low)} %`],
  [intervalTexts.high, ({ high }) => `${formatPercent(high)} %`],
  [columnTitles.counted, ({ counted }) => formatNumber(counted)],
  [sectionTitles['needs-action'], ({ notInstalled }) => formatNumber(notInstalled)],
  [sectionTitles['data-quality'], ({ soundness }) => showWord(soundness)],
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
  return createElement('div', { class: 'compared' }, createTable(texts.compared, columns, figures, ''));
}
