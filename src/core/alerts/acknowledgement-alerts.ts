/** Events about rows of the acknowledgements file that need a person. */
import type { JudgedAcknowledgement, JudgedSource } from '../judged.ts';
import { foldSerialNumber } from '../serial-numbers.ts';
import type { AlertLog } from './alert-log.ts';

const acknowledgementKeyPrefix = 'acknowledgement:';

export function decideAcknowledgementAlerts(
  rows: readonly JudgedAcknowledgement[],
  sources: readonly JudgedSource[],
  alertLog: AlertLog,
): void {
  const isFleetKnown = sources.every(({ soundness }) => soundness === 'complete' || soundness === 'untrusted');
  const holding = new Set(rows.flatMap(({ result, serial }) => (result === 'active' ? foldSerialNumber(serial) : [])));
  const keys = new Set<string>();
  for (const row of rows) {
    const key = toAcknowledgementAlertKey(row);
    if (keys.has(key)) {
      continue;
    }
    keys.add(key);
    // Whether a row fits a device is unknown while a source is incomplete or implausible.
    if (!isFleetKnown && (row.result === 'unmatched' || row.result === 'active')) {
      continue;
    }
    if (row.result === 'active' || (row.result === 'expired' && holding.has(foldSerialNumber(row.serial)))) {
      alertLog.close(key, { text: `${describeAcknowledgedSerial(row.serial)} holds, or another row renews it.` });
    } else {
      alertLog.raise(key, `acknowledgement.${row.result}`, { text: describeAcknowledgement(row) });
    }
  }
  for (const key of alertLog.keys(acknowledgementKeyPrefix)) {
    if (!keys.has(key)) {
      const [serial = ''] = JSON.parse(key.slice(acknowledgementKeyPrefix.length)) as readonly string[];
      alertLog.close(key, { text: `${describeAcknowledgedSerial(serial)} was changed or removed.` });
    }
  }
}

/** The whole row but for its note, so that a new date is a new row. */
function toAcknowledgementAlertKey({ serial, by, until, ticket }: JudgedAcknowledgement): string {
  return acknowledgementKeyPrefix + JSON.stringify([serial, by, until, ticket]);
}

function describeAcknowledgedSerial(serial: string): string {
  return `The acknowledgement of serial "${serial}"`;
}

function describeAcknowledgement({ serial, by, until, ticket, result }: JudgedAcknowledgement): string {
  const who = [by, ticket].filter((text) => text !== '').join(', ');
  const row = `${describeAcknowledgedSerial(serial)}${who === '' ? '' : ` (${who})`}`;
  switch (result) {
    case 'expired':
      return `${row} ended on ${until}; its device is named in reminders again.`;
    case 'unmatched':
      return `${row} fits no device.`;
    default:
      return `${row} lacks a serial number, a name or a date, and is ignored.`;
  }
}
