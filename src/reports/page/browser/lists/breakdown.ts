/** Divides the devices by a field, with the figures of each value, and a list for the person responsible. */
import {
  type Division,
  type DivisionField,
  describeBreakdown,
  foldUser,
  formatDivision,
  sortDivisions,
  toDeviceField,
} from '../../shared/breakdown-list.ts';
import { needsAction } from '../../shared/device-lists.ts';
import { fillText } from '../../shared/format.ts';
import { toRows } from '../../shared/list.ts';
import { breakdownTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import type { ListedDevice } from '../../shared/page-data.ts';
import { onAddressChange, readParametersOf, writeParametersOf } from '../address.ts';
import { createElement, createSelect, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { divideByUser } from './divide-by-user.ts';
import { List } from './list.ts';
import { writeMail } from './mail.ts';

/** Mounts the breakdown; its address is `breakdown.field=site`. */
export function mountBreakdown(page: Page): void {
  const { coverageBy } = page.document;
  // Offers fields that divide the devices; users only where the settings show them.
  const dividing = coverageBy.filter(({ value }) => value !== '').map(({ field }) => field);
  const users = page.devices.some(({ user }) => user !== undefined) ? (['user'] as const) : [];
  const offered = [...new Set<DivisionField>(['source', ...dividing, ...users])];
  const box = createSelect(
    offered,
    offered.map((field) => titles[toDeviceField(field)]),
  );
  const list = createElement('div');
  const tools = createElement('div', { class: 'tools' }, createElement('label', {}, texts.by, box));
  requireElement('[data-list=breakdown]').replaceChildren(tools, list);
  let shown: string | undefined;
  const show = (wanted: string | undefined) => {
    const field = offered.find((name) => name === wanted) ?? 'source';
    box.value = field;
    if (field !== shown) {
      shown = field;
      showDivisions(list, page, field);
    }
  };
  box.addEventListener('change', () => {
    writeParametersOf('breakdown', [['field', box.value]]);
    show(box.value);
  });
  // Registered before the list, whose search and order are in the same address.
  onAddressChange('field of the breakdown', () => show(readParametersOf('breakdown').get('field') ?? box.value));
}

function showDivisions(host: HTMLElement, page: Page, field: DivisionField): void {
  const { platformTitles, slot, coverageBy } = page.document;
  const description = describeBreakdown(field, platformTitles);
  const createMail = (division: Division) =>
    division.notInstalled === 0 ? undefined : createMailLink(page, field, division);
  const rows: readonly Division[] =
    field === 'user' ? divideByUser(page.devices) : coverageBy.filter((row) => row.field === field);
  new List<Division>(host, {
    ...description,
    columns: [...description.columns, { key: 'mail', title: texts.list, text: () => '', show: createMail }],
    rows: sortDivisions(rows),
    search: (division) => [formatDivision(field, division, platformTitles)],
    searchHint: `${titles[toDeviceField(field)]} …`,
    facets: field === 'user' ? ['platforms'] : [],
    file: `breakdown-${toDeviceField(field)}-${slot}`,
  });
}

/** A link to a mail, whose text is written on click. */
function createMailLink(page: Page, field: DivisionField, division: Division): HTMLElement {
  const name = formatDivision(field, division, page.document.platformTitles);
  const isAddress = field === 'user' && /^[^\s@,;:<>"]+@[^\s@,;:<>"]+$/.test(name);
  const link = createElement('a', { href: 'mailto:', 'aria-label': fillText(texts.mailTo, { name }) }, texts.mail);
  link.addEventListener('click', () => {
    const filter = toDeviceField(field);
    const read = (device: ListedDevice) => (field === 'user' ? foldUser(device.user) : (device[filter] ?? ''));
    const devices = page.reportedDevices.filter((device) => needsAction(device) && read(device) === division.value);
    const rows = toRows('needs-action', { [filter]: division.value });
    link.href = writeMail(page, { recipient: isAddress ? name : '', name, rows }, devices);
  });
  return link;
}
