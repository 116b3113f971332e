/** A mail to whoever answers for some devices: where the complete list is, what to do, and as many devices as fit. */
import { reasons } from '../../../../core/facts/vocabulary.ts';
import { toReadableText } from '../../../../core/text/visible-text.ts';
import type { ReportedDevice } from '../../../document/devices.ts';
import { fillText, formatNumber } from '../../shared/format.ts';
import { encodeText } from '../../shared/list.ts';
import { breakdownTexts as texts } from '../../shared/list-texts.ts';
import { findNextStep } from '../../shared/next-steps.ts';
import { toRowsAddress } from '../address.ts';
import type { Page } from '../load-page-data.ts';

/** Programs for mail take some two thousand characters. */
const longestMail = 1_800;

export function writeMail(
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
