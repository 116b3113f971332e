/** Events about rows of the exemptions file that need a person. None of these can be exempted. */
import type { JudgedExemption, JudgedSource } from '../judged.ts';
import { foldSerialNumber } from '../serial-numbers.ts';
import type { AlertLog } from './alert-log.ts';
import { decideRowAlerts, type RowAlert, type RowFile } from './row-alerts.ts';

const exemptionFile: RowFile = {
  keyPrefix: 'exemption:',
  describe: ([source = '', match = '', value = '']) => ({
    row: describeRow({ match, value }),
    ...(source === '' ? {} : { source }),
  }),
};

export function decideExemptionAlerts(
  rows: readonly JudgedExemption[],
  sources: readonly JudgedSource[],
  alertLog: AlertLog,
): void {
  const latestExpiry = findLatestExpiry(rows);
  const alerts = rows.map((row): RowAlert => {
    const { source, match, value, owner, expires, result } = row;
    const isInForce = result === 'active' || isRenewed(row, latestExpiry);
    return {
      identity: [source, match, value, owner, expires],
      isKnown: isResultKnown(row, sources),
      problem: isInForce ? undefined : { kind: `exemption.${result}`, text: describeExemption(row) },
    };
  });
  decideRowAlerts(exemptionFile, alerts, alertLog);
}

function describeRow({ match, value }: Pick<JudgedExemption, 'match' | 'value'>): string {
  return `The exemption of ${match} "${value}"`;
}

/** By what a row matches: the latest date until which a row that holds exempts it. */
function findLatestExpiry(rows: readonly JudgedExemption[]): ReadonlyMap<string, string> {
  const latest = new Map<string, string>();
  for (const row of rows) {
    const key = toMatchKey(row);
    if ((row.result === 'active' || row.result === 'expiring') && row.expires > (latest.get(key) ?? '')) {
      latest.set(key, row.expires);
    }
  }
  return latest;
}

function toMatchKey({ source, match, value }: JudgedExemption): string {
  return JSON.stringify([source, match, match === 'serial' ? foldSerialNumber(value) : value]);
}

/** Another row exempts the same, and for longer; where users are omitted, rows of users cannot be distinguished. */
function isRenewed(row: JudgedExemption, latestExpiry: ReadonlyMap<string, string>): boolean {
  if (row.match === 'user' || (row.result !== 'expired' && row.result !== 'expiring')) {
    return false;
  }
  return (latestExpiry.get(toMatchKey(row)) ?? '') > row.expires;
}

/** Whether a row fits a device is unknown while its source is incomplete or implausible. */
function isResultKnown({ result, source }: JudgedExemption, sources: readonly JudgedSource[]): boolean {
  if (result !== 'unmatched' && result !== 'ambiguous' && result !== 'active') {
    return true;
  }
  const concerned = sources.filter(({ name }) => source === '' || name === source);
  return concerned.every(({ soundness }) => soundness === 'complete' || soundness === 'untrusted');
}

function describeExemption({ result, match, value, owner, expires, devices }: JudgedExemption): string {
  const row = describeRow({ match, value });
  switch (result) {
    case 'expiring':
      return `${row} (${owner}) ends after ${expires}.`;
    case 'expired':
      return `${row} (${owner}) ended on ${expires}; what it exempted is counted again.`;
    case 'unmatched':
      return `${row} (${owner}) fits no device.`;
    case 'ambiguous':
      return `${row} (${owner}) fits ${devices} devices and therefore exempts none.`;
    default:
      return `${row} lacks an owner, a reason or a date, and is ignored.`;
  }
}
