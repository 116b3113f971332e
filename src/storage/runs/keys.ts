/** Where things are in a store. Keys are made of slots, attempts and names from the settings, never of device text. */

export const pointerKey = 'latest.json';

/**
 * An attempt is named after the moment when its writing began, so that names sort by it and tell whether somebody
 * else's attempt began after ours.
 */
export function toAttemptName(began: Date, nonce: string): string {
  return `${formatTimestamp(began)}-${nonce}`;
}

export function isAttemptedAfter(attempt: string, moment: Date): boolean {
  return attempt > formatTimestamp(moment);
}

function formatTimestamp(moment: Date): string {
  return moment.toISOString().replace(/[-:.]/g, '');
}

export function toAttemptFolder(slot: string, attempt: string): string {
  return `runs/${slot}/${attempt}/`;
}

export function toManifestKey(slot: string, attempt: string): string {
  return `${toAttemptFolder(slot, attempt)}manifest.json`;
}

/** The slot that a key below `runs/` belongs to. */
export function parseSlotFromKey(key: string): string | undefined {
  return /^runs\/(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
}

/** The same to compare with other slots: empty, which is before all of them, where the key has none. */
export function toComparableSlot(key: string): string {
  return parseSlotFromKey(key) ?? '';
}

export function parseAttemptFromKey(key: string): string | undefined {
  return /^runs\/[^/]+\/([^/]+)\//.exec(key)?.[1];
}

/** Beside the copies in `latest/`: the manifest of the run that they are copies of. */
export const latestManifestKey = 'latest/manifest.json';

export function isManifestKey(key: string): boolean {
  return /^runs\/[^/]+\/[^/]+\/manifest\.json$/.test(key);
}

/** The slot of a copy in a folder by date. */
export function parseSlotFromCopyKey(key: string): string | undefined {
  return /^[a-z-]+\/date=(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
}

/** The two copies of a report file that people and query engines read. */
export function toCopyKeys(file: string, slot: string): readonly [dated: string, latest: string] {
  const folder = /^([a-z-]+)\.(csv|ndjson)$/.exec(file)?.[1] ?? 'report';
  return [`${folder}/date=${slot}/${file}`, `latest/${file}`];
}

/** The report file that a key of an attempt holds, or undefined for facts, state and the like. */
export function parseReportFile(key: string): string | undefined {
  return /^runs\/[^/]+\/[^/]+\/reports\/([^/]+)$/.exec(key)?.[1];
}
