/** The devices divided by a field, with the figures of each value, and a list for whoever answers for it. */
import type { PageData } from '../page-data.ts';
import {
  columnTitles,
  fillText,
  formatNumber,
  formatPercent,
  formatPlatform,
  listTexts,
  overviewTexts,
  sourceTexts,
  breakdownTexts as texts,
} from '../texts.ts';
import { onAddressChange, readAddressParameter, toRowsAddress, writeParametersOf } from './address.ts';
import { requireListHost } from './devices.ts';
import { createElement, createIsolatedText } from './dom.ts';
import { readFlag, readWord } from './unpack.ts';

interface Division {
  readonly value: string;
  readonly devices?: number;
  readonly counted?: number;
  readonly installed?: number;
  readonly notInstalled: number;
  readonly provenInstalled?: number;
  readonly provenNotInstalled?: number;
  readonly coverage?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** By the names of coverage-by.csv: the filter of the lists, and the title. A user answers for one device or a few. */
const fields = [
  ['source', 'source', columnTitles.source],
  ['platform', 'platform', columnTitles.platform],
  ['reason', 'reason', columnTitles.reason],
  ['site', 'site', columnTitles.site],
  ['department', 'department', columnTitles.department],
  ['building', 'building', columnTitles.building],
  ['category', 'category', columnTitles.category],
  ['model', 'model', columnTitles.model],
  ['os_version', 'osVersion', columnTitles.osVersion],
  ['user', 'user', columnTitles.user],
] as const;

type FieldName = (typeof fields)[number][0];

const mostShown = 200;

export function mountBreakdown(data: PageData): void {
  const host = requireListHost('breakdown');
  const table = createElement('div');
  // A field that divides nothing is not offered.
  const offered = fields.filter(
    ([name]) =>
      name === 'user' || name === 'source' || data.coverageBy.some((row) => row.field === name && row.value !== ''),
  );
  const box = createElement(
    'select',
    { 'data-field': '' },
    ...offered.map(([name, , title]) => createElement('option', { value: name }, title)),
  );
  box.addEventListener('change', () => {
    writeParametersOf('breakdown', [['field', box.value]]);
    show();
  });
  const show = () => {
    const field = fields.find(([name]) => name === box.value) ?? fields[0];
    table.replaceChildren(createDivisionTable(data, field));
  };
  host.replaceChildren(createElement('div', { class: 'tools' }, createElement('label', {}, texts.by, box)), table);
  onAddressChange(() => {
    const wanted = readAddressParameter('breakdown.field') ?? box.value;
    box.value = offered.some(([name]) => name === wanted) ? wanted : 'source';
    show();
  });
}

function createDivisionTable(data: PageData, [field, filter, title]: (typeof fields)[number]): HTMLElement {
  const all = listDivisions(data, field).sort((left, right) => right.notInstalled - left.notInstalled);
  const shown = all.slice(0, mostShown);
  const isShort = field === 'user';
  const heads = [
    title,
    ...(isShort ? [] : [overviewTexts.devices, columnTitles.counted, texts.installed]),
    listTexts.needsAction,
    ...(isShort ? [] : [texts.provenInstalled, texts.provenNotInstalled, sourceTexts.coverage, sourceTexts.interval]),
    texts.list,
  ];
  const rows = shown.map((division) => {
    const at = encodeURIComponent(division.value);
    const count = (figure: number | undefined, rows: string) =>
      figure === undefined ? [] : [createCountCell(figure, rows)];
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, createIsolatedText(nameValue(data, field, division.value))),
      ...count(division.devices, `all-devices.${filter}=${at}`),
      ...count(division.counted, `all-devices.${filter}=${at}&all-devices.counted=yes`),
      ...count(division.installed, `all-devices.${filter}=${at}&all-devices.counted=yes&all-devices.status=Installed`),
      createCountCell(division.notInstalled, `needs-action.${filter}=${at}`),
      ...count(
        division.provenInstalled,
        `all-devices.${filter}=${at}&all-devices.counted=yes&all-devices.status=Installed&all-devices.proven=proven`,
      ),
      ...count(division.provenNotInstalled, `needs-action.${filter}=${at}&needs-action.proven=proven`),
      ...(isShort
        ? []
        : [
            createElement('td', { class: 'figure' }, formatPercent(division.coverage)),
            createElement(
              'td',
              { class: 'figure quiet' },
              division.low === undefined ? '–' : `${formatPercent(division.low)} – ${formatPercent(division.high)}`,
            ),
          ]),
      createElement(
        'td',
        {},
        division.notInstalled === 0 ? undefined : createMailLink(data, field, filter, division.value),
      ),
    );
  });
  const table = createElement(
    'table',
    {},
    createElement(
      'thead',
      {},
      createElement('tr', {}, ...heads.map((head) => createElement('th', { scope: 'col' }, head))),
    ),
    createElement('tbody', {}, ...rows),
  );
  const region = createElement(
    'div',
    { class: 'scroll-x breakdown', tabindex: 0, role: 'region', 'aria-label': `${texts.title}: ${title}` },
    table,
  );
  const rest =
    all.length > shown.length
      ? createElement(
          'p',
          { class: 'status' },
          fillText(texts.more, { shown: formatNumber(shown.length), all: formatNumber(all.length) }),
        )
      : undefined;
  return createElement('div', {}, region, rest);
}

function createCountCell(figure: number, rows: string): HTMLElement {
  const link = createElement('a', { href: toRowsAddress(rows), 'data-rows': rows }, formatNumber(figure));
  return createElement('td', { class: 'figure' }, link);
}

function listDivisions(data: PageData, field: FieldName): Division[] {
  if (field !== 'user') {
    return data.coverageBy.filter((row) => row.field === field);
  }
  const counts = new Map<string, number>();
  for (const row of listRowsNeedingAction(data)) {
    const user = data.devices.user[row] ?? '';
    counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  return [...counts].map(([value, notInstalled]) => ({ value, notInstalled }));
}

function listRowsNeedingAction({ devices, detailed }: PageData): number[] {
  return Array.from({ length: detailed }, (_, row) => row).filter(
    (row) => readFlag(devices.counted, row) && readWord(devices.status, row) === 'Not Installed',
  );
}

function nameValue({ platformTitles }: PageData, field: FieldName, value: string): string {
  if (value === '') {
    return listTexts.unknown;
  }
  return field === 'platform' ? formatPlatform(platformTitles, value) : value;
}

/** Programs for mail take some two thousand characters. */
const longestMail = 1_800;

/** The message is made when it is asked for: to the user where that is an address, otherwise to whom the reader names. */
function createMailLink(
  data: PageData,
  field: FieldName,
  filter: (typeof fields)[number][1],
  value: string,
): HTMLElement {
  const isAddress = field === 'user' && /^[^\s@,;:<>"]+@[^\s@,;:<>"]+$/.test(value);
  const name = nameValue(data, field, value);
  const link = createElement('a', { href: 'mailto:', 'aria-label': fillText(texts.mailTo, { name }) }, texts.mail);
  link.addEventListener('click', () => {
    const rows = listRowsNeedingAction(data).filter((row) => {
      const own = filter === 'user' ? data.devices.user[row] : readWord(data.devices[filter], row);
      return (own ?? '') === value;
    });
    const subject = fillText(texts.subject, { agent: document.querySelector('#agent')?.textContent ?? '', name });
    const recipient = isAddress ? encodeURIComponent(value) : '';
    const start = `mailto:${recipient}?subject=${encodeURIComponent(subject)}&body=`;
    link.href =
      start +
      createMailBody(data, rows, `needs-action.${filter}=${encodeURIComponent(value)}`, longestMail - start.length);
  });
  return link;
}

function createMailBody({ devices, slot }: PageData, rows: readonly number[], filters: string, most: number): string {
  const isShared = location.protocol.startsWith('http');
  const address = `${location.href.split('#')[0]}${toRowsAddress(filters)}`;
  const end = encodeURIComponent(`\n${isShared ? `${address}\n` : ''}`);
  let body = encodeURIComponent(`${fillText(texts.body, { slot, count: formatNumber(rows.length) })}\n\n`);
  for (const [index, row] of rows.entries()) {
    const facts = [devices.name[row], devices.serialNumber[row], devices.user[row], readWord(devices.reason, row)];
    const line = encodeURIComponent(`${facts.map((fact) => (fact ?? '').toWellFormed()).join('  ')}\n`);
    const rest = encodeURIComponent(fillText(texts.rest, { count: formatNumber(rows.length - index) }));
    if (body.length + line.length + rest.length + end.length > most) {
      return body + rest + end;
    }
    body += line;
  }
  return body + end;
}
