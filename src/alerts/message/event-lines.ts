/** Formats events as text: one line each, for people. Pure. */

import { type EventDevice, type ListedDevice, removedReason } from '../../core/facts/alert-event.ts';
import { sections } from '../../core/facts/event-kinds.ts';
import { type ExcludedBecause, exclusions, type Reason, reasons } from '../../core/facts/vocabulary.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type DigestEvent, findSection } from './digest-event.ts';
import { toSafeText } from './safe-text.ts';

/** The reason, with the platform's value where that is not clear. */
function formatReason({ reason, value }: EventDevice): string {
  if (reason === removedReason) {
    return 'no longer listed';
  }
  if (!(reason in reasons)) {
    return exclusions[reason as ExcludedBecause].inMessages;
  }
  const { inMessages, isClear } = reasons[reason as Reason];
  return isClear || value === undefined ? inMessages : `${inMessages} ("${toSafeText(value, 60)}")`;
}

/** One event on one line, with its heading. */
export function formatEventLine(event: DigestEvent): string {
  const section = findSection(event);
  const line = event.device === undefined ? formatAlertLine(event) : formatDeviceLine(event);
  return section === undefined ? line : `${sections[section].title}: ${line}`;
}

/** A line with the device's name, serial number, user, site and source; why, since when, last seen, proven or not. */
export function formatDeviceLine({ kind, phase, device, source, slot, text }: DigestEvent): string {
  if (device === undefined) {
    return '';
  }
  const who = formatDeviceIdentity(device, source);
  if (kind === 'device.recovered') {
    return who;
  }
  if ((phase === 'over' || kind === 'device.silent') && text !== undefined) {
    return `${who}: ${toSafeText(text, 200)}`;
  }
  if (kind === 'device.flapping') {
    return `${who}: more than three changes in seven nights; now ${device.status}`;
  }
  const why = `${who}: ${formatReason(device)}`;
  if (kind === 'count.left') {
    return why;
  }
  const note = text === undefined ? [] : [toSafeText(text, 200)];
  return [why, formatSince(device.since ?? slot), ...formatCertainty(device), ...note].join(', ');
}

/** A device in a list whose heading gives the reason for all of them. */
export function formatListedDevice(device: ListedDevice): string {
  const { since } = device;
  const when = since === undefined ? [] : [formatSince(since)];
  return [formatDeviceIdentity(device, device.source), ...when, ...formatCertainty(device)].join(', ');
}

/** Formats the run that saw it first, as the page does; it may have been so for longer. */
function formatSince(slot: string): string {
  return `since at least ${slot}`;
}

function formatDeviceIdentity(device: EventDevice, source: string | undefined): string {
  const { user, site } = device;
  const others = [user, site].flatMap((text) => (text === undefined ? [] : [toSafeText(text, 64)]));
  return [formatDeviceName(device), ...others, ...(source === undefined ? [] : [source])].join(', ');
}

function formatAcknowledgement({ by, until, ticket }: NonNullable<EventDevice['acknowledged']>): string {
  const who = [ticket, by].filter((text) => text !== '').map((text) => toSafeText(text, 60));
  return `acknowledged until ${until} (${who.join(', ')})`;
}

function formatCertainty({ lastSeenAt, proven, acknowledged }: EventDevice): string[] {
  return [
    ...(lastSeenAt === undefined ? [] : [`last seen ${lastSeenAt.slice(0, 10)}`]),
    ...(proven === undefined ? [] : [proven ? 'proven' : 'not proven']),
    ...(acknowledged === undefined ? [] : [formatAcknowledgement(acknowledged)]),
  ];
}

export function formatDeviceName({ id, name, serialNumber }: EventDevice): string {
  const title = name === undefined ? `device ${toSafeText(id, 60)}` : toSafeText(name, 60);
  return serialNumber === undefined ? title : `${title} (${toSafeText(serialNumber, 40)})`;
}

/** A line about an event that is not about one device. */
export function formatAlertLine({ kind, source, text, figures, phase, since }: DigestEvent): string {
  // A source that is still not sound has one line, which names the source.
  if (phase === 'again' && kind.startsWith('source.')) {
    return toSafeText(text ?? kind, 200);
  }
  const where = source === undefined ? '' : `${source}: `;
  const reminder = phase === 'again' ? ` (since ${since})` : '';
  const resolved = phase === 'over' && text !== undefined ? toSafeText(text, 600) : undefined;
  return `${where}${resolved ?? formatAlertText(kind, text, figures)}${reminder}`;
}

function formatAlertText(
  kind: DigestEvent['kind'],
  text: string | undefined,
  figures: DigestEvent['figures'] = {},
): string {
  const { low, coverage, high, minimum, counted, installed, notInstalled, excluded, received, claimed } = figures;
  const count = (value = 0) => formatCount(value);
  const percent = (value = 0) => `${value.toFixed(2)} %`;
  switch (kind) {
    case 'source.sound-again':
      return 'complete and sound again.';
    case 'coverage.below':
      return `certainly ${percent(low)} have the agent (${percent(coverage)}, at most ${percent(high)}); the minimum is ${minimum} %.`;
    case 'coverage.restored':
      return `certainly ${percent(low)} have the agent again; the minimum is ${minimum} %.`;
    case 'baseline':
      return `counted ${count(counted)}: ${count(installed)} with the agent, ${count(notInstalled)} without; not counted ${count(excluded)}.`;
    case 'source.missing':
    case 'source.carried': {
      const rows =
        claimed === undefined ? '' : ` ${count(received)} of ${count(claimed)} ${pluralize(claimed, 'row')} received.`;
      const shown = kind === 'source.carried' ? ' Its last complete run is shown.' : ' It has no complete run yet.';
      return `${toSafeText(text ?? 'not answered completely.', 400)}${rows}${shown}`;
    }
    default:
      return toSafeText(text ?? kind, 600);
  }
}
