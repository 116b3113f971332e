/** Shows all facts about a device: a sentence, the next step, its fields, answers and recorded transitions. */

import { exclusions, reasons, type UnprovenBecause, unprovenReasons } from '../../../../core/facts/vocabulary.ts';
import { countDaysBetween, millisecondsPerDay } from '../../../../core/time/calendar.ts';
import { type DeviceField, type DeviceFieldKey, deviceFields } from '../../../fields.ts';
import { formatProof, needsAction } from '../../shared/device-lists.ts';
import { fillText, formatOperatingSystem, toWordId } from '../../shared/format.ts';
import { encodeText } from '../../shared/list.ts';
import { describeTexts, listTexts, cardTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { findNextStep } from '../../shared/next-steps.ts';
import type { ListedDevice } from '../../shared/page-data.ts';
import { toCardAddress } from '../address.ts';
import { createElement, createIsolatedText, createTimeElement, formatLocalTime, formatUtc } from '../dom.ts';
import type { Page } from '../load-page-data.ts';

export function createCardContent(page: Page, device: ListedDevice): HTMLElement[] {
  const { answers } = device;
  const fields = listCardLines(page, device).flatMap(([term, value]) =>
    value === undefined ? [] : [createElement('dt', {}, term), createElement('dd', {}, value)],
  );
  const isReported = device.row < page.reportedDevices.length;
  const link = createElement('a', { href: toCardAddress(device) }, texts.link);
  return [
    createElement('p', { class: 'sentence' }, describeDevice(device, page.document.slot)),
    ...createDoubts(page, device),
    ...createNextStep(page, device),
    createElement('dl', {}, ...fields),
    ...(answers === undefined ? [] : [createElement('h3', {}, texts.answers), createAnswerList(answers)]),
    ...(isReported
      ? [createElement('h3', {}, texts.history), createTransitionList(device.transitions)]
      : [createElement('p', { class: 'quiet' }, texts.restElsewhere)]),
    createElement('p', { class: 'status' }, link),
  ];
}

/** Reasons for doubt: why its status is not proven, with the end of that, and that its console does not see it. */
function createDoubts(page: Page, device: ListedDevice): HTMLElement[] {
  const unproven = device.unprovenBecause && createUnprovenLine(page, device, device.unprovenBecause);
  return [
    ...(unproven === undefined ? [] : [unproven]),
    ...(device.silent ? [createElement('p', { class: 'next' }, texts.silent)] : []),
  ];
}

function createUnprovenLine(page: Page, device: ListedDevice, because: UnprovenBecause): HTMLElement {
  const { meaning, end } = unprovenReasons[because];
  const dates = because === 'before-repair' ? listRepairDates(page, device) : [];
  const sentences = [meaning, ...dates.slice(0, 1), end, ...dates.slice(1)].join(' ');
  const other = because === 'contradicted' ? findContraryRecord(page, device) : undefined;
  const link = other && createElement('a', { href: toCardAddress(other) }, texts.contradictedBy);
  const parts = [createElement('b', {}, texts.unproven), sentences, ...(link === undefined ? [] : [' ', link])];
  return createElement('p', { class: 'next' }, ...parts);
}

/** When the detection method was repaired, and, if known, when an unchanged answer is proof again. */
function listRepairDates({ document: { sources } }: Page, { source }: ListedDevice): string[] {
  const instrument = sources.find(({ name }) => name === source)?.instrument;
  const fillDay = (text: string, time: string | undefined) =>
    time === undefined ? [] : [fillText(text, { day: time.slice(0, 10) })];
  return [
    ...fillDay(texts.repairedOn, instrument?.repairedAt),
    ...fillDay(texts.unchangedProvenFrom, instrument?.unchangedProvenFrom),
  ];
}

/** Finds another record that contradicts this standing one about the machine, and is not counted. */
function findContraryRecord({ devices }: Page, device: ListedDevice): ListedDevice | undefined {
  return devices.find(
    ({ replacedBy, status }) =>
      replacedBy?.source === device.source && replacedBy.id === device.id && status !== device.status,
  );
}

function createNextStep({ document, consoles, nextSteps }: Page, device: ListedDevice): HTMLElement[] {
  const { sources, moment, policy } = document;
  const { kind = '', instrument } = sources.find(({ name }) => name === device.source) ?? {};
  const steps = needsAction(device) && Object.hasOwn(nextSteps, kind) ? nextSteps[kind] : undefined;
  const seenAfter = Date.parse(moment) - policy.staleAfterDays * millisecondsPerDay;
  const step = steps && findNextStep(device, steps, instrument?.createdAt, seenAfter);
  const place = Object.hasOwn(consoles, device.source) ? consoles[device.source] : undefined;
  const href = place?.address.replace('{id}', () => encodeText(device.id));
  const attributes = { href, target: '_blank', rel: 'noopener noreferrer' };
  const link = place && createElement('a', attributes, fillText(texts.openIn, { title: place.title }));
  return [
    ...(step === undefined
      ? []
      : [createElement('p', { class: 'next' }, createElement('b', {}, texts.nextStep), ...createCause(device), step)]),
    ...(link === undefined ? [] : [createElement('p', { class: 'next' }, link)]),
  ];
}

/** The code of a failure, which a person can look up. */
function createCause({ reason, detail }: ListedDevice): Node[] {
  return reason === 'install-failed' && detail !== undefined
    ? [createIsolatedText(fillText(texts.failedWith, { detail }))]
    : [];
}

/** Fields that are shown first; all others follow in the order of the table. */
const firstKeys: readonly DeviceFieldKey[] = [
  'status',
  'reason',
  'notInstalledSince',
  'proven',
  'unprovenBecause',
  'stale',
  'counted',
  'excludedBecause',
  'value',
  'detail',
  'valueAt',
  'answeredOn',
  'lastSeenAt',
  'reportingAt',
  'silent',
  'enrolledAt',
  'serialNumber',
  'user',
];

/** Fields whose values the glossary explains, with their groups in it. */
const glossaryGroups: Readonly<Partial<Record<DeviceFieldKey, string>>> = {
  status: 'status',
  reason: 'reason',
  unprovenBecause: 'unproven',
  excludedBecause: 'excluded',
};

function listCardLines(page: Page, device: ListedDevice): [title: string, value: Node | string | undefined][] {
  const rank = ({ key }: DeviceField) => (firstKeys.includes(key) ? firstKeys.indexOf(key) : firstKeys.length);
  const fields = deviceFields.toSorted((left, right) => rank(left) - rank(right));
  const { replacedBy } = device;
  return [
    [texts.acknowledged, createAcknowledgement(device)],
    ...fields.map((field): [string, Node | string | undefined] => [field.title, createFieldValue(page, device, field)]),
    [titles.replacedBy, replacedBy && createIsolatedText(`${replacedBy.source} / ${replacedBy.id}`)],
  ];
}

function createAcknowledgement({ acknowledged }: ListedDevice): Node | undefined {
  if (acknowledged === undefined) {
    return undefined;
  }
  const { by, until, ticket } = acknowledged;
  const end = fillText(texts.until, { until });
  return createEnumeration('span', createIsolatedText(by), end, ticket && createIsolatedText(ticket));
}

function createFieldValue(
  { document: { platformTitles, slot } }: Page,
  device: ListedDevice,
  { key, type }: DeviceField,
): Node | string | undefined {
  const value = device[key];
  if (value === undefined || value === '') {
    return undefined;
  }
  if (typeof value === 'boolean') {
    return value ? listTexts.yes : listTexts.no;
  }
  if (type === 'time') {
    return createExactTime(Date.parse(value));
  }
  if (key === 'platform') {
    return formatOperatingSystem(platformTitles, value);
  }
  if (key === 'notInstalledSince') {
    return `${value} (${fillText(listTexts.daysLong, { days: countDaysBetween(value, slot) })})`;
  }
  const group = glossaryGroups[key];
  return group === undefined
    ? createIsolatedText(value)
    : createElement('a', { href: `#${toWordId(group, value)}` }, value);
}

function createExactTime(time: number): HTMLElement {
  const exact = createElement('span', { class: 'quiet' }, ` (${formatUtc(time)})`);
  return createElement('span', {}, createTimeElement(time), exact);
}

function createAnswerList(answers: NonNullable<ListedDevice['answers']>): HTMLElement {
  const items = answers.map(({ value, at, detail }) =>
    createEnumeration(
      'li',
      createIsolatedText(value),
      at && createTimeElement(Date.parse(at)),
      detail && createIsolatedText(detail),
    ),
  );
  return createElement('ol', {}, ...items);
}

/** The known parts, joined by commas. */
function createEnumeration(name: 'li' | 'span', ...parts: readonly (Node | string | undefined)[]): HTMLElement {
  const known = parts.filter((part) => part !== undefined && part !== '');
  return createElement(name, {}, ...known.flatMap((part, at) => (at === 0 ? [part] : [', ', part])));
}

function createTransitionList(transitions: ListedDevice['transitions']): HTMLElement {
  if (transitions.length === 0) {
    return createElement('p', { class: 'quiet' }, texts.noHistory);
  }
  const items = transitions.map(({ slot, from, to }) => {
    const step = fillText(from === undefined ? texts.known : texts.step, { from: from ?? '', to });
    return createElement('li', {}, slot, ' ', createElement('span', { class: 'quiet' }, step));
  });
  return createElement('ol', {}, ...items);
}

/** One device in a sentence: its status, or why it is not counted. */
export function describeDevice(device: ListedDevice, slot: string): string {
  const { status, reason, lastSeenAt, excludedBecause: because, notInstalledSince: since } = device;
  const seen =
    lastSeenAt === undefined
      ? describeTexts.neverSeen
      : fillText(describeTexts.seen, { time: formatLocalTime(Date.parse(lastSeenAt)) });
  if (because !== undefined) {
    return fillText(describeTexts.notCounted, { because, meaning: exclusions[because].meaning, seen });
  }
  const proof = formatProof(device);
  if (since === undefined) {
    return fillText(describeTexts.installed, { status, proof, seen });
  }
  const days = countDaysBetween(since, slot);
  const { meaning } = reasons[reason];
  return fillText(describeTexts.notInstalled, { status, since, days, reason, meaning, proof, seen });
}
