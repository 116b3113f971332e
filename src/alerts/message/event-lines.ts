/** Events in calm words: one line each, for people. Pure. */

import type { EventDevice } from '../../core/alerts/alert-event.ts';
import { pluralize } from '../../core/pluralize.ts';
import { type ExcludedBecause, exclusions, type Reason, reasons } from '../../core/vocabulary.ts';
import { toSafeText } from './safe-text.ts';
import type { DigestEvent } from './severity.ts';

function whyOf(reason: EventDevice['reason']): string {
  if (reason === 'removed') {
    return 'no longer listed';
  }
  return reason in reasons ? reasons[reason as Reason].inMessages : exclusions[reason as ExcludedBecause].inMessages;
}

/** Name, serial number, user, source, why, since when. */
export function formatDeviceLine({ kind, device, source, slot }: DigestEvent): string {
  if (device === undefined) {
    return '';
  }
  const who = [
    formatDeviceName(device),
    ...(device.user === undefined ? [] : [toSafeText(device.user, 64)]),
    source ?? '',
  ];
  if (kind === 'device.recovered') {
    return who.join(', ');
  }
  const why = `${who.join(', ')}: ${whyOf(device.reason)}`;
  return kind === 'count.left' ? why : `${why}, since ${device.since ?? slot}`;
}

export function formatDeviceName({ id, name, serialNumber }: EventDevice): string {
  const called = name === undefined ? `device ${toSafeText(id, 60)}` : toSafeText(name, 60);
  return serialNumber === undefined ? called : `${called} (${toSafeText(serialNumber, 40)})`;
}

/** An event that is not about one device. */
export function formatAlertLine({ kind, source, text, figures, phase, since }: DigestEvent): string {
  const where = source === undefined ? '' : `${source}: `;
  const again = phase === 'again' ? ` (since ${since})` : '';
  return `${where}${formatAlertText(kind, text, figures)}${again}`;
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
      return `certainly ${low} % have it (${coverage} %, at most ${high} %); the minimum is ${minimum} %.`;
    case 'coverage.restored':
      return `certainly ${low} % have it again; the minimum is ${minimum} %.`;
    case 'baseline':
      return `counted ${counted}: ${installed} with it, ${notInstalled} without; not counted ${excluded}.`;
    case 'source.missing':
    case 'source.carried': {
      const rows = claimed === undefined ? '' : ` ${received} of ${claimed} ${pluralize(claimed, 'row')} came.`;
      const shown = kind === 'source.carried' ? ' Its last good night is shown.' : ' It has no good night yet.';
      return `${toSafeText(text ?? 'not answered completely.', 400)}${rows}${shown}`;
    }
    default:
      return toSafeText(text ?? kind, 600);
  }
}
