/** Where things are in a store. Keys are made of slots, attempts and names from the settings, never of device text. */

export const commitsPrefix = 'commits/';
const numberDigits = 10;

export function toCommitKey(number: number): string {
  return `${commitsPrefix}${String(number).padStart(numberDigits, '0')}.json`;
}

/** Undefined where the key is none of a commit's. */
export function parseCommitNumber(key: string): number | undefined {
  const number = Number(/^commits\/(\d{10})\.json$/.exec(key)?.[1]);
  return number >= 1 ? number : undefined;
}

/** The copy for readers, which names the newest commit. */
export const latestKey = 'latest.json';

/** An attempt is named after the moment when its writing began, for whoever looks at the store. */
export function toAttemptName(began: Date, nonce: string): string {
  return `${began.toISOString().replace(/[-:.]/g, '')}-${nonce}`;
}

export function toAttemptFolder(slot: string, attempt: string): string {
  return `runs/${slot}/${attempt}/`;
}

/** The slot that a key below `runs/` belongs to. */
export function parseSlotFromKey(key: string): string | undefined {
  return /^runs\/(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
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
