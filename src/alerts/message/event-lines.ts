/** Events as text: one line each, for people. Pure. */

import { type EventDevice, removedReason } from '../../core/alerts/alert-event.ts';
import { pluralize } from '../../core/pluralize.ts';
import { type ExcludedBecause, exclusions, type Reason, reasons } from '../../core/vocabulary.ts';
import { toSafeText } from './safe-text.ts';
import type { DigestEvent } from './severity.ts';

function formatReason(reason: EventDevice['reason']): string {
  if (reason === removedReason) {
    return 'no longer listed';
  }
  return reason in reasons ? reasons[reason as Reason].inMessages : exclusions[reason as ExcludedBecause].inMessages;
}

/** Name, serial number, user, source, why, since when. */
export function formatDeviceLine({ kind, phase, device, source, slot, text }: DigestEvent): string {
  if (device === undefined) {
    return '';
  }
  const parts = [
    formatDeviceName(device),
    ...(device.user === undefined ? [] : [toSafeText(device.user, 64)]),
    source ?? '',
  ];
  if (kind === 'device.recovered') {
    return parts.join(', ');
  }
  if (phase === 'over' && text !== undefined) {
    return `${parts.join(', ')}: ${toSafeText(text, 200)}`;
  }
  const why = `${parts.join(', ')}: ${formatReason(device.reason)}`;
  return kind === 'count.left' ? why : `${why}, since ${device.since ?? slot}`;
}

export function formatDeviceName({ id, name, serialNumber }: EventDevice): string {
  const title = name === undefined ? `device ${toSafeText(id, 60)}` : toSafeText(name, 60);
  return serialNumber === undefined ? title : `${title} (${toSafeText(serialNumber, 40)})`;
}

/** An event that is not about one device. */
export function formatAlertLine({ kind, source, text, figures, phase, since }: DigestEvent): string {
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
  switch (kind) {
    case 'source.sound-again':
      return 'complete and sound again.';
    case 'coverage.below':
      return `certainly ${low} % have the agent (${coverage} %, at most ${high} %); the minimum is ${minimum} %.`;
    case 'coverage.restored':
      return `certainly ${low} % have the agent again; the minimum is ${minimum} %.`;
    case 'baseline':
      return `counted ${counted}: ${installed} with the agent, ${notInstalled} without; not counted ${excluded}.`;
    case 'source.missing':
    case 'source.carried': {
      const rows = claimed === undefined ? '' : ` ${received} of ${claimed} ${pluralize(claimed, 'row')} received.`;
      const shown = kind === 'source.carried' ? ' Its last complete run is shown.' : ' It has no complete run yet.';
      return `${toSafeText(text ?? 'not answered completely.', 400)}${rows}${shown}`;
    }
    default:
      return toSafeText(text ?? kind, 600);
  }
}
