/** Keys of everything in a store. They consist of slots, attempts and names from the settings, never of device text. */

export const commitsPrefix = 'commits/';
const numberDigits = 10;

export function toCommitKey(number: number): string {
  return `${commitsPrefix}${padNumber(number)}.json`;
}

function padNumber(number: number): string {
  return String(number).padStart(numberDigits, '0');
}

/** Undefined where the key is not a commit's. */
export function parseCommitNumber(key: string): number | undefined {
  const number = Number(/^commits\/(\d{10})\.json$/.exec(key)?.[1]);
  return number >= 1 ? number : undefined;
}

/** The copy for readers that names the newest commit. */
export const latestKey = 'latest.json';

/** Names an attempt after the time when its writing began, for people who look at the store. */
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

/** The slot of a copy in a folder by date; undefined for other keys. */
export function parseSlotFromCopyKey(key: string): string | undefined {
  return /^[a-z-]+\/date=(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
}

/** Keys of a report's two copies for people and query engines. */
export function toCopyKeys(file: string, slot: string): readonly [dated: string, latest: string] {
  const folder = /^([a-z-]+)\.(csv|ndjson)$/.exec(file)?.[1] ?? 'report';
  return [`${folder}/date=${slot}/${file}`, `latest/${file}`];
}

/** The report file of an attempt's key; undefined for facts, state and other files. */
export function parseReportFile(key: string): string | undefined {
  return /^runs\/[^/]+\/[^/]+\/reports\/([^/]+)$/.exec(key)?.[1];
}

export const deliveriesPrefix = 'deliveries/';

/** The folder of one channel, with its claims, marks and failure reports. */
export function toChannelFolder(channel: string): string {
  return `${deliveriesPrefix}${channel}/`;
}

/** `last` is the number of the last commit that the message covers. */
export function toMarkKey(channel: string, last: number): string {
  return `${toChannelFolder(channel)}${padNumber(last)}.mark.json`;
}

/** `first` is the number of the first commit that the message covers. */
export function toClaimKey(channel: string, first: number, tryNumber: number): string {
  return `${toChannelFolder(channel)}${padNumber(first)}-${tryNumber}.claim.json`;
}

/** `head` is the number of the head when the run failed, 0 before the first commit. */
export function toFailureKey(channel: string, slot: string, head: number, code: string): string {
  return `${toChannelFolder(channel)}failed-${slot}-${padNumber(head)}-${code}.json`;
}

export type DeliveryKey =
  | { readonly kind: 'mark'; readonly channel: string; readonly last: number }
  | { readonly kind: 'claim'; readonly channel: string; readonly first: number; readonly tryNumber: number }
  | { readonly kind: 'failure'; readonly channel: string; readonly slot: string; readonly head: number };

/** Undefined where Muster writes no such key. */
export function parseDeliveryKey(key: string): DeliveryKey | undefined {
  const [, channel = '', file = ''] = /^deliveries\/([^/]+)\/([^/]+)\.json$/.exec(key) ?? [];
  const [, last] = /^(\d{10})\.mark$/.exec(file) ?? [];
  if (last !== undefined) {
    return { kind: 'mark', channel, last: Number(last) };
  }
  const [, first, tryNumber] = /^(\d{10})-([1-9]\d{0,5})\.claim$/.exec(file) ?? [];
  if (first !== undefined) {
    return { kind: 'claim', channel, first: Number(first), tryNumber: Number(tryNumber) };
  }
  const [, slot, head] = /^failed-(\d{4}-\d{2}-\d{2})-(\d{10})-[a-z0-9-]+$/.exec(file) ?? [];
  return slot === undefined ? undefined : { kind: 'failure', channel, slot, head: Number(head) };
}
