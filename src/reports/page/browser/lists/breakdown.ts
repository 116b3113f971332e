/** The devices divided by a field, with the figures of each value, and a mail with a list to whoever answers for them. */
import { devicePlaces } from '../../../../core/facts/device-places.ts';
import { reasons } from '../../../../core/facts/vocabulary.ts';
import { toReadableText } from '../../../../core/text/visible-text.ts';
import type { ReportedDevice } from '../../../document/devices.ts';
import {
  type Division,
  type DivisionField,
  describeBreakdown,
  formatDivision,
  needsAction,
  toDeviceField,
} from '../../shared/device-lists.ts';
import { fillText, formatNumber } from '../../shared/format.ts';
import { encodeText, toRows } from '../../shared/list.ts';
import { breakdownTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { findNextStep } from '../../shared/next-steps.ts';
import { onAddressChange, toRowsAddress, writeParametersOf } from '../address.ts';
import { createElement, createSelect, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { createTable } from './list-table.ts';

const fields: readonly DivisionField[] = [
  'source',
  'platform',
  'reason',
  ...devicePlaces,
  'model',
  'os_version',
  'user',
];

export function mountBreakdown(page: Page): void {
  const { coverageBy } = page.document;
  // A field that divides nothing is not offered.
  const offered = fields.filter(
    (field) =>
      field === 'user' || field === 'source' || coverageBy.some((row) => row.field === field && row.value !== ''),
  );
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

/** Programs for mail take some two thousand characters. */
const longestMail = 1_800;

/** It says where the complete list is, what to do, and names as many devices as fit. */
function writeMail(
  page: Page,
  { recipient, name, rows }: Readonly<Record<'recipient' | 'name' | 'rows', string>>,
  devices: readonly ReportedDevice[],
): string {
  const { agent, slot } = page.document;
  const subject = encodeText(fillText(texts.subject, { agent, name }));
  const isShared = location.protocol.startsWith('http');
  const list = isShared ? `${location.href.split('#')[0]}${toRowsAddress(rows)}` : 'not-installed.csv';
  const count = formatNumber(devices.length);
  let mail = `mailto:${encodeText(recipient)}?subject=${subject}&body=${encodeText(`${fillText(texts.body, { slot, count, list })}\n`)}`;
  let left = devices.length;
  const addLine = (line: string, isLast: boolean) => {
    const room = isLast ? 0 : encodeText(writeRest(left)).length;
    const fits = mail.length + encodeText(line).length + room <= longestMail;
    mail += fits ? encodeText(line) : '';
    return fits;
  };
  const alike = Map.groupBy(devices, ({ source, platform, reason }) => `${source} ${platform} ${reason}`);
  for (const group of [...alike.values()].sort((one, other) => other.length - one.length)) {
    const lines = group.map(writeDevice);
    const isStarted = addLine(writeHead(page, group), false);
    while (isStarted && lines.length > 0 && addLine(lines[0] ?? '', left === 1)) {
      lines.shift();
      left -= 1;
    }
    if (lines.length > 0) {
      return mail + encodeText(writeRest(left));
    }
  }
  return mail;
}

/** What is the matter with these devices, and what to do about it. */
function writeHead({ document, nextSteps }: Page, devices: readonly ReportedDevice[]): string {
  const [{ source, platform, reason } = { source: '', platform: '', reason: 'unread' as const }] = devices;
  const { kind = '' } = document.sources.find(({ name }) => name === source) ?? {};
  const steps = Object.hasOwn(nextSteps, kind) ? nextSteps[kind] : undefined;
  const step = (steps && findNextStep({ reason, platform }, steps, undefined)) ?? '';
  return `\n${fillText(texts.group, { count: formatNumber(devices.length), why: reasons[reason].inMessages, step })}\n`;
}

function writeDevice({ name, serialNumber, user, notInstalledSince }: ReportedDevice): string {
  const since = fillText(texts.since, { slot: notInstalledSince ?? '' });
  const facts = [name, serialNumber, user, since].flatMap((fact) => fact ?? []);
  return `- ${facts.map((fact) => toReadableText(fact).trim()).join(', ')}\n`;
}

function writeRest(left: number): string {
  return `${fillText(texts.rest, { count: formatNumber(left) })}\n`;
}
