/** Events about rows of the acknowledgements file that need a person. */
import type { JudgedAcknowledgement, JudgedSource } from '../judged.ts';
import { foldSerialNumber } from '../serial-numbers.ts';
import type { AlertLog } from './alert-log.ts';
import { decideRowAlerts, type RowAlert, type RowFile } from './row-alerts.ts';

const acknowledgementFile: RowFile = {
  keyPrefix: 'acknowledgement:',
  describe: ([serial = '']) => ({ row: describeAcknowledgedSerial(serial) }),
};

export function decideAcknowledgementAlerts(
  rows: readonly JudgedAcknowledgement[],
  sources: readonly JudgedSource[],
  alertLog: AlertLog,
): void {
  // Whether a row fits a device is unknown while a source is incomplete or implausible.
  const isFleetKnown = sources.every(({ soundness }) => soundness === 'complete' || soundness === 'untrusted');
  const holding = new Set(rows.flatMap(({ result, serial }) => (result === 'active' ? foldSerialNumber(serial) : [])));
  const alerts = rows.map((row): RowAlert => {
    const { serial, by, until, ticket, result } = row;
    const isInForce = result === 'active' || (result === 'expired' && holding.has(foldSerialNumber(serial)));
    return {
      // Without its note.
      identity: [serial, by, until, ticket],
      isKnown: isFleetKnown || (result !== 'unmatched' && result !== 'active'),
      problem: isInForce ? undefined : { kind: `acknowledgement.${result}`, text: describeAcknowledgement(row) },
    };
  });
  decideRowAlerts(acknowledgementFile, alerts, alertLog);
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
