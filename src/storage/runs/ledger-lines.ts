/**
 * The ledger as lines, one for each entry. A line is flat and omits what follows from the rest of it: a number or
 * serial number that the name contains, and the status, which the last letter of the history gives.
 */
import { isRecord } from '../../base/is-record.ts';
import { createInterner } from '../../core/facts/device-fields.ts';
import { devicePlaces, pickPlaces } from '../../core/facts/device-places.ts';
import type { CountLetter, Entry, HistoryStep, RecordReference, StandingRecord } from '../../core/facts/ledger.ts';
import { exclusions, reasons } from '../../core/facts/vocabulary.ts';
import { readLetter } from '../../core/ledger/letters.ts';
import { createDamageError } from '../stored-json.ts';

/** All fields of an entry and its standing record; a field that is added does not compile until lines have it. */
type LedgerLine = EveryField<Omit<StandingRecord, 'name'>> &
  EveryField<Omit<Entry, 'number' | 'standing' | 'counted' | 'status' | 'proven' | 'history'>> & {
    /** Missing where it equals the name; empty where there is none. */
    readonly number: string | undefined;
    readonly deviceName: string | undefined;
    /** Steps such as `2026-06-01I,2026-06-03n`. */
    readonly history: string;
  };

type EveryField<Item> = { readonly [Name in keyof Required<Item>]: Item[Name] };

export function toLedgerLine(entry: Entry): LedgerLine {
  const { name, number, standing } = entry;
  const { operatingSystem, serialNumber } = standing;
  const isNumbered = serialNumber !== undefined && `${operatingSystem}/${serialNumber}` === number;
  return {
    name,
    number: number === name ? undefined : (number ?? ''),
    operatingSystem,
    // An empty text means that there is none; a missing field means that the number gives it.
    serialNumber: isNumbered ? undefined : (serialNumber ?? ''),
    source: standing.source,
    kind: standing.kind,
    id: standing.id,
    deviceName: standing.name,
    ...pickPlaces(standing),
    reason: standing.reason,
    excludedBecause: standing.excludedBecause,
    heardAt: standing.heardAt,
    stale: standing.stale,
    isPersonal: standing.isPersonal,
    others: entry.others,
    notInstalledSince: entry.notInstalledSince,
    opensNoAlert: entry.opensNoAlert,
    history: entry.history.map(([since, letter]) => since + letter).join(),
    listedOn: entry.listedOn,
    isGone: entry.isGone,
  };
}

/** Reads the entries of a ledger, with one copy of words and histories that many of them share. */
export async function readLedgerLines(batches: AsyncIterable<readonly unknown[]>, where: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const intern = createInterner<string>((word) => word);
  const histories = new Map<string, readonly HistoryStep[]>();
  for await (const lines of batches) {
    for (const line of lines) {
      if (!isLedgerLine(line)) {
        throw createDamageError(where, 'it has not the shape of a ledger');
      }
      const history = histories.get(line.history) ?? parseHistory(line.history);
      histories.set(line.history, history);
      entries.push(toEntry(line, history, intern));
    }
  }
  return entries;
}

function parseHistory(text: string): HistoryStep[] {
  return text.split(',').map((step) => [step.slice(0, -1), step.slice(-1) as CountLetter]);
}

function toEntry(line: LedgerLine, history: readonly HistoryStep[], intern: (word: string) => string): Entry {
  const { name, deviceName, others, notInstalledSince, opensNoAlert, isGone, listedOn, ...record } = line;
  const number = line.number === '' ? undefined : (line.number ?? name);
  const { operatingSystem, reason, excludedBecause, heardAt, stale, isPersonal } = record;
  const serialNumber =
    line.serialNumber === '' ? undefined : (line.serialNumber ?? number?.slice(operatingSystem.length + 1));
  return {
    name,
    number,
    standing: {
      source: intern(record.source),
      kind: intern(record.kind),
      id: record.id,
      operatingSystem: intern(operatingSystem),
      name: deviceName,
      serialNumber,
      ...internPlaces(record, intern),
      reason,
      excludedBecause,
      heardAt,
      stale,
      isPersonal,
    },
    others,
    ...readLetter(history),
    notInstalledSince,
    opensNoAlert,
    history,
    listedOn: intern(listedOn),
    isGone,
  };
}

function internPlaces(record: Parameters<typeof pickPlaces>[0], intern: (word: string) => string) {
  const places = pickPlaces(record);
  for (const place of devicePlaces) {
    const word = places[place];
    places[place] = word && intern(word);
  }
  return places;
}

const texts = ['name', 'source', 'kind', 'id', 'operatingSystem', 'reason', 'history', 'listedOn'];
const optionalTexts = [
  'number',
  'serialNumber',
  'deviceName',
  'heardAt',
  'notInstalledSince',
  'excludedBecause',
  ...devicePlaces,
];
const flags = ['stale', 'isPersonal', 'opensNoAlert', 'isGone'];
const historyForm = /^\d{4}-\d{2}-\d{2}[IiNnXx-](,\d{4}-\d{2}-\d{2}[IiNnXx-])*$/;

/** Checks the shape of a stored line. Other fields are ignored. */
export function isLedgerLine(line: unknown): line is LedgerLine {
  return (
    isRecord(line) &&
    texts.every((name) => typeof line[name] === 'string') &&
    optionalTexts.every((name) => line[name] === undefined || typeof line[name] === 'string') &&
    flags.every((name) => line[name] === undefined || line[name] === true) &&
    Object.hasOwn(reasons, String(line.reason)) &&
    (line.excludedBecause === undefined || Object.hasOwn(exclusions, String(line.excludedBecause))) &&
    historyForm.test(String(line.history)) &&
    (line.others === undefined || (Array.isArray(line.others) && line.others.every(isReference)))
  );
}

function isReference(value: unknown): value is RecordReference {
  return isRecord(value) && ['source', 'kind', 'id'].every((name) => typeof value[name] === 'string');
}
