/** The devices divided by a field, with the figures of each value, and a list for whoever answers for it. */
import {
  type Division,
  type DivisionField,
  describeBreakdown,
  formatDivision,
  toDeviceField,
} from '../../shared/breakdown-list.ts';
import { needsAction } from '../../shared/device-lists.ts';
import { fillText } from '../../shared/format.ts';
import { toRows } from '../../shared/list.ts';
import { breakdownTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { onAddressChange, writeParametersOf } from '../address.ts';
import { createElement, createSelect, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { createTable } from './list-table.ts';
import { writeMail } from './mail.ts';

export function mountBreakdown(page: Page): void {
  const { coverageBy } = page.document;
  // A field that divides nothing is not offered.
  const dividing = coverageBy.filter(({ value }) => value !== '').map(({ field }) => field);
  const offered = [...new Set<DivisionField>(['source', ...dividing, 'user'])];
  const box = createSelect(
    offered,
    offered.map((field) => titles[toDeviceField(field)]),
  );
  const table = createElement('div');
  const tools = createElement('div', { class: 'tools' }, createElement('label', {}, texts.by, box));
  requireElement('[data-list=breakdown]').replaceChildren(tools, table);
  const show = (wanted: string | undefined) => {
    const field = offered.find((name) => name === wanted) ?? 'source';
    box.value = field;
    table.replaceChildren(createDivisionTable(page, field));
  };
  box.addEventListener('change', () => {
    writeParametersOf('breakdown', [['field', box.value]]);
    show(box.value);
  });
  onAddressChange('breakdown', (parameters) => show(parameters.get('breakdown.field') ?? box.value));
}

function createDivisionTable(page: Page, field: DivisionField): HTMLElement {
  const { platformTitles } = page.document;
  const { columns, empty, label } = describeBreakdown(field, platformTitles);
  const createMail = ({ value, notInstalled }: Division) =>
    notInstalled === 0 ? undefined : createMailLink(page, field, value, formatDivision(field, value, platformTitles));
  const rows = listDivisions(page, field).toSorted((left, right) => right.notInstalled - left.notInstalled);
  const mail = { key: 'mail', title: texts.list, text: () => '', show: createMail };
  return createTable<Division>(label, [...columns, mail], rows, empty);
}

function listDivisions({ document, reportedDevices }: Page, field: DivisionField): readonly Division[] {
  if (field !== 'user') {
    return document.coverageBy.filter((row) => row.field === field);
  }
  const users = Map.groupBy(reportedDevices.filter(needsAction), ({ user = '' }) => user);
  return [...users].map(([value, devices]) => ({ value, notInstalled: devices.length }));
}

/** The mail is written when it is asked for. */
function createMailLink(page: Page, field: DivisionField, value: string, name: string): HTMLElement {
  const isAddress = field === 'user' && /^[^\s@,;:<>"]+@[^\s@,;:<>"]+$/.test(value);
  const link = createElement('a', { href: 'mailto:', 'aria-label': fillText(texts.mailTo, { name }) }, texts.mail);
  link.addEventListener('click', () => {
    const filter = toDeviceField(field);
    const devices = page.reportedDevices.filter((device) => needsAction(device) && (device[filter] ?? '') === value);
    const rows = toRows('needs-action', { [filter]: value });
    link.href = writeMail(page, { recipient: isAddress ? value : '', name, rows }, devices);
  });
  return link;
}
