/** Writes a mail to the person responsible for some devices: what to do, and as many devices as fit, longest missing first. */
import { reasons } from '../../../../core/facts/vocabulary.ts';
import { toReadableText } from '../../../../core/text/visible-text.ts';
import type { ReportedDevice } from '../../../document/devices.ts';
import { selectDevices } from '../../shared/device-lists.ts';
import { fillText, formatNumber } from '../../shared/format.ts';
import { encodeText } from '../../shared/list.ts';
import { breakdownTexts as texts } from '../../shared/list-texts.ts';
import { findNextStep } from '../../shared/next-steps.ts';
import { findRowsLink } from '../address.ts';
import type { Page } from '../load-page-data.ts';

/** Characters of the address; browsers on Windows pass on no more than 2,048. */
const longestMail = 2_000;
/** Characters of the advice, which leaves room for devices. */
const longestAdvice = 700;
/** Devices at most; no more fit. */
const mostDevices = 40;
const longestFact = 60;

export function writeMail(
  page: Page,
  { recipient, name, rows }: Readonly<Record<'recipient' | 'name' | 'rows', string>>,
  devices: readonly ReportedDevice[],
): string {
  const { agent, slot } = page.document;
  const start = `mailto:${encodeText(recipient)}?subject=${encodeText(fillText(texts.subject, { agent, name }))}&body=`;
  const sorted = selectDevices('needs-action', devices);
  const groups = groupAlike(sorted);
  const list = findRowsLink(rows);
  const advice = writeAdvice(page, groups);
  const lines = sorted.slice(0, mostDevices).map((device) => writeDevice(device, groups.length > 1));
  for (let shown = lines.length; ; shown -= 1) {
    const left = sorted.length - shown;
    const counts = { shown: formatNumber(shown), count: formatNumber(sorted.length), slot };
    const rest = fillText(list === undefined ? texts.rest : texts.restInList, { count: formatNumber(left) });
    const body = [
      fillText(texts.body, counts),
      ...(list === undefined ? [] : [fillText(texts.completeList, { list })]),
      '',
      ...advice,
      ...(advice.length === 0 ? [] : ['']),
      ...lines.slice(0, shown),
      ...(left === 0 ? [] : [rest]),
    ];
    const mail = start + encodeText(`${body.join('\n')}\n`);
    if (mail.length <= longestMail || shown === 0) {
      return mail;
    }
  }
}

/** Devices with the same next step, the largest group first. */
function groupAlike(devices: readonly ReportedDevice[]): (readonly ReportedDevice[])[] {
  const alike = Map.groupBy(devices, ({ source, platform, reason }) => `${source} ${platform} ${reason}`);
  return [...alike.values()].sort((one, other) => other.length - one.length);
}

/** Lines about groups of devices with their next step, as many as there is room for. */
function writeAdvice(page: Page, groups: readonly (readonly ReportedDevice[])[]): string[] {
  const lines = groups.map((group) => writeGroup(page, group));
  let room = longestAdvice;
  const end = lines.findIndex((line) => {
    room -= encodeText(line).length;
    return room < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

function writeGroup({ document, nextSteps }: Page, devices: readonly ReportedDevice[]): string {
  const [{ source, platform, reason } = { source: '', platform: '', reason: 'unread' as const }] = devices;
  const { kind = '' } = document.sources.find(({ name }) => name === source) ?? {};
  const steps = Object.hasOwn(nextSteps, kind) ? nextSteps[kind] : undefined;
  const step = (steps && findNextStep({ reason, platform }, steps, undefined)) ?? '';
  return fillText(texts.group, { count: formatNumber(devices.length), why: reasons[reason].inMessages, step }).trim();
}

/** A line about a device, with the reason only where the devices' reasons differ. */
function writeDevice(device: ReportedDevice, withReason: boolean): string {
  const { name, serialNumber, user, notInstalledSince: slot = '', reason } = device;
  const facts = [name, serialNumber, user].flatMap((fact) => (fact === undefined ? [] : [shorten(fact)]));
  const why = withReason ? [reasons[reason].inMessages] : [];
  return `- ${[...facts, fillText(texts.since, { slot }), ...why].join(', ')}`;
}

function shorten(text: string): string {
  const characters = [...toReadableText(text).trim()];
  return characters.length > longestFact ? `${characters.slice(0, longestFact - 1).join('')}…` : characters.join('');
}
