/**
 * A state as files: a small head, and the ledger as lines, an entry each. So no text is as long as a state, and whoever
 * needs only the head reads only the head.
 */
import { isRecord } from '../../base/is-record.ts';
import { createInterner } from '../../core/facts/device-fields.ts';
import { devicePlaces } from '../../core/facts/device-places.ts';
import type { Entry, HistoryStep } from '../../core/facts/ledger.ts';
import type { State } from '../../core/facts/state.ts';
import { reasons, statuses } from '../../core/facts/vocabulary.ts';
import { createDamageError } from '../stored-json.ts';

/** A state without its ledger. */
export type StateHead = Omit<State, 'ledger'>;

/** A run's own state, and the one that it was compared with. */
export const stateFiles = {
  next: { head: 'state.json.gz', ledger: 'ledger.ndjson.gz' },
  previous: { head: 'facts/before.json.gz', ledger: 'facts/before/ledger.ndjson.gz' },
} as const;

export type StateFiles = (typeof stateFiles)[keyof typeof stateFiles];

export function toStateHead({ ledger: _, ...head }: State): StateHead {
  return head;
}

/** The entries of a ledger from its lines. Histories and words that many of them have in common are kept once. */
export async function readEntries(batches: AsyncIterable<readonly unknown[]>, where: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const intern = createInterner<string>((word) => word);
  const internHistory = createInterner<readonly HistoryStep[]>();
  for await (const lines of batches) {
    for (const line of lines) {
      if (!isEntry(line)) {
        throw createDamageError(where, 'it has not the shape of a ledger');
      }
      entries.push(shareWords(line, intern, internHistory));
    }
  }
  return entries;
}

function shareWords(
  entry: Entry,
  intern: (word: string) => string,
  internHistory: (history: readonly HistoryStep[]) => readonly HistoryStep[],
): Entry {
  const { standing } = entry;
  const words = Object.entries(standing).map(([name, value]) => [
    name,
    typeof value === 'string' && sharedWords.has(name) ? intern(value) : value,
  ]);
  return {
    ...entry,
    standing: Object.fromEntries(words) as Entry['standing'],
    history: internHistory(entry.history),
    listedOn: intern(entry.listedOn),
  };
}

const sharedWords: ReadonlySet<string> = new Set([
  'source',
  'kind',
  'operatingSystem',
  'reason',
  'excludedBecause',
  ...devicePlaces,
]);

const textFields = ['notInstalledSince', 'number'];
const standingTexts = ['name', 'serialNumber', 'excludedBecause', 'heardAt', ...devicePlaces];

/** Whether a stored value has the shape of an entry. Other fields are ignored. */
export function isEntry(line: unknown): line is Entry {
  return (
    isRecord(line) &&
    typeof line.name === 'string' &&
    isStanding(line.standing) &&
    (line.others === undefined || (Array.isArray(line.others) && line.others.every(isReference))) &&
    typeof line.counted === 'boolean' &&
    typeof line.status === 'string' &&
    Object.hasOwn(statuses, line.status) &&
    typeof line.listedOn === 'string' &&
    hasOptional(line, textFields, 'string') &&
    hasOptional(line, ['proven', 'opensNoAlert', 'isGone'], 'boolean') &&
    Array.isArray(line.history) &&
    line.history.every(isStep)
  );
}

function isStanding(value: unknown): boolean {
  return (
    isReference(value) &&
    typeof value.operatingSystem === 'string' &&
    typeof value.reason === 'string' &&
    Object.hasOwn(reasons, value.reason) &&
    hasOptional(value, standingTexts, 'string') &&
    hasOptional(value, ['stale', 'isPersonal'], 'boolean')
  );
}

function isReference(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && ['source', 'kind', 'id'].every((name) => typeof value[name] === 'string');
}

function isStep(value: unknown): boolean {
  const [since, letter, moved] = Array.isArray(value) ? value : [];
  return typeof since === 'string' && /^[IiNnXx-]$/.test(letter) && (moved === undefined || moved === 'moved');
}

function hasOptional(value: Readonly<Record<string, unknown>>, names: readonly string[], type: string): boolean {
  return names.every((name) => value[name] === undefined || typeof value[name] === type);
}
