import type { ReportDocument } from './report-document.ts';

/** The rest of a long list is in devices.csv. */
const mostNamed = 10;

/** The devices that a source's server could not return, as `MacBook (C02ABC0001), MacBook (C02ABC0002), and 3 more`. */
export function nameUnread({ devices }: Pick<ReportDocument, 'devices'>, source: string): string {
  const unread = devices.filter((device) => device.source === source && device.reason === 'unread');
  const names = unread.map(({ id, name = id, serialNumber = '–' }) => `${name} (${serialNumber})`);
  const rest = names.splice(mostNamed).length;
  return names.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}
