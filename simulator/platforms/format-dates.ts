/** Formats dates as each platform does, also missing ones. */

/** ISO 8601 in UTC as Jamf writes it: without the fraction's trailing zeros. */
export function formatJamfDate(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString().replace(/\.?0*Z$/, 'Z');
}

export function formatGraphDate(time: number | undefined): string {
  return time === undefined ? '0001-01-01T00:00:00Z' : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** A date in exports: seven digits, no zone, meaning UTC. */
export function formatExportDate(time: number | undefined): string {
  return time === undefined
    ? '0001-01-01 00:00:00.0000000'
    : `${new Date(time).toISOString().slice(0, 23).replace('T', ' ')}0000`;
}
