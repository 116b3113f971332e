/** Names of the devices that a source's server could not return. */
import type { ReportDocument } from './report-document.ts';

/** The rest of a long list is in devices.csv. */
const mostNamed = 10;

/** As `MacBook (C02ABC0001)`; the last says how many more there are. */
export function nameUnreadDevices({ devices }: Pick<ReportDocument, 'devices'>, source: string): string[] {
  const unread = devices.filter((device) => device.source === source && device.reason === 'unread');
  const names = unread
    .slice(0, mostNamed)
    .map(({ id, name = `id ${id}`, serialNumber }) =>
      serialNumber === undefined ? name : `${name} (${serialNumber})`,
    );
  return unread.length > mostNamed ? [...names, `${unread.length - mostNamed} more`] : names;
}
