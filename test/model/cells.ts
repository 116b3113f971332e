/** A judged run as cells, so that two judges of it can be compared. */
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { findWhyUnproven } from './proof.ts';
import { isAnswered, isCounted, isWhole, type ListNight, type ModelNight, type Row, toKey } from './rows.ts';

export interface Cell {
  source: string;
  /** A record's id, the name of an entry, the key of an alert; empty for a source as a whole. */
  device: string;
  column: string;
  value: string;
}

export type Cells = Map<string, Cell>;

type AddCells = (source: string, device: string, values: Readonly<Record<string, unknown>>) => void;

/** All columns but the figures, by what they are about; `GROUP`, `KIND` and `NUMBER` stand for a name, a kind, a place. */
export const cellColumns = {
  /** `source` is `all`, or a source; `device` is empty. Beside these, the figures of a `CoverageRow` by their names. */
  run: [
    ...['order of devices', 'soundness', 'first', 'baseline', 'exemption NUMBER', 'reasons', 'shares add up'],
    ...['named by devices.shared-serial', 'named by devices.contradicted'],
  ],
  /** `source` and `device` are a record's. */
  record: [
    ...['status', 'reason', 'value', 'detail', 'valueAt', 'stale', 'unprovenBecause', 'counted', 'excludedBecause'],
    ...['answeredOn', 'not installed since', 'expected', 'reportingAt', 'silent', 'isContradicted', 'facts', 'places'],
    ...['change KIND', 'group GROUP'],
  ],
  /** `source` is `lists`, `device` the name of a list. */
  lists: ['soundness', 'machines', 'expected', 'unenrolled'],
  /** `source` is `ledger`, `device` the name of an entry. */
  ledger: [
    ...['records', 'number', 'standing', 'counted', 'status', 'proven', 'not installed since', 'history'],
    ...['listed on', 'gone'],
  ],
  /** `source` is `alerts`, `device` the key `device:NAME` or `baseline:SOURCE`. */
  alerts: ['open', 'event', 'taken by', 'came installed'],
} as const;

export function makeCells(): { cells: Cells; add: AddCells } {
  const cells: Cells = new Map();
  const add: AddCells = (source, device, values) => {
    for (const [column, value] of Object.entries(values)) {
      cells.set(`${source}\n${device}\n${column}`, { source, device, column, value: String(value ?? '') });
    }
  };
  return { cells, add };
}

export function listModelCells(night: ModelNight): Cells {
  const { cells, add } = makeCells();
  addRun(night, add);
  addRecords(night, add);
  addLists(night, add);
  addLedger(night, add);
  addAlerts(night, add);
  return cells;
}

function addRun(night: ModelNight, add: AddCells): void {
  add('all', '', { 'order of devices': night.rows.map(toKey).join(' ') });
  for (const source of night.sources) {
    const { facts, soundness, first, baseline } = source;
    // Only the run that becomes the first baseline.
    add(facts.name, '', { soundness, first: first && isWhole(source), baseline });
    if (isAnswered(source)) {
      addNamed('devices.shared-serial', facts.name, night.sharing, add);
      addNamed('devices.contradicted', facts.name, night.contradicting, add);
    }
  }
  for (const { source, ...figures } of night.coverage) {
    add(source, '', figures);
  }
  for (const [index, { result, devices }] of night.exemptions.entries()) {
    add('all', '', { [`exemption ${index + 1}`]: `${result}, ${devices}` });
  }
  const total = night.coverage.at(-1);
  if (night.reasons !== undefined && total !== undefined && total.counted > 0 && night.countedBefore > 0) {
    add('all', '', { reasons: JSON.stringify(night.reasons), 'shares add up': true });
  }
}

/** A finding is made in each source that answered and has one of the records; it names twelve records at most. */
function addNamed(check: string, source: string, groups: readonly (readonly Row[])[], add: AddCells): void {
  const concerned = groups.filter((group) => group.length > 1 && group.some((row) => row.source === source)).flat();
  if (concerned.length > 0) {
    const names = concerned.map(toKey).sort().join(' ');
    add(source, '', { [`named by ${check}`]: concerned.length > 12 ? 'many' : names });
  }
}

function addRecords(night: ModelNight, add: AddCells): void {
  for (const row of night.rows) {
    const { status, reason, detail, valueAt, stale, excludedBecause, answeredOn } = row;
    const value = row.value?.trim() === '' ? '' : row.value;
    const counted = isCounted(row);
    const { isExpected: expected, reportingAt, silent, isContradicted = false } = row;
    add(row.source, row.facts.id, {
      ...{
        status,
        reason,
        value,
        detail,
        valueAt,
        stale,
        unprovenBecause: findWhyUnproven(row),
        counted,
        excludedBecause,
        answeredOn,
      },
      ...{ 'not installed since': row.since, expected, reportingAt, silent, isContradicted },
      facts: formatFacts(row.facts),
      places: [row.site, row.department].join(),
    });
  }
  const changes = new Map<string, string[]>();
  for (const { source, id, kind, from, to, reason, places } of night.changes) {
    // A record can seldom have two rows of one kind: its machine's, and that of an entry that is gone.
    const key = JSON.stringify([source, id, kind]);
    changes.set(key, [
      ...(changes.get(key) ?? []),
      `${from ?? '-'} > ${to ?? '-'} because ${reason} at ${places.join()}`,
    ]);
    add(source, id, { [`change ${kind}`]: changes.get(key)?.sort().join('; ') });
  }
  for (const row of night.groups) {
    const value = `${row.change}, ${row.inPicture}, ${row.inPlatformGroup ?? '?'}, ${row.verdict}`;
    add(row.source, row.id, { [`group ${row.group}`]: value });
  }
}

/** Without the places that a list may say. */
export function formatFacts({ site: _, department: __, ...facts }: DeviceFacts): string {
  return JSON.stringify(facts);
}

function addLists(night: ModelNight, add: AddCells): void {
  for (const [name, { soundness, machines }] of Object.entries<ListNight>({ ...night.lists })) {
    add('lists', name, { soundness, machines });
  }
  const { expected } = night.lists;
  add('lists', 'expected', { expected: expected?.expected, unenrolled: expected?.unenrolled?.join() });
}

function addLedger(night: ModelNight, add: AddCells): void {
  for (const entry of night.ledger) {
    const { name, records, number, standing, counted, status, proven, since, history, listedOn, isGone } = entry;
    add('ledger', name, {
      records: [...records].sort().join(' '),
      number,
      standing: toKey(standing),
      counted: counted && !isGone,
      ...{ status, proven, 'not installed since': since, 'listed on': listedOn, gone: isGone },
      history: history.map(([from, letter]) => `${from} ${letter}`).join(', '),
    });
  }
}

function addAlerts({ alerts }: ModelNight, add: AddCells): void {
  for (const { name, kind } of alerts.open) {
    add('alerts', `device:${name}`, { open: kind });
  }
  for (const { name, kind } of alerts.opened) {
    add('alerts', `device:${name}`, { event: `opened ${kind}` });
  }
  for (const { name, kind, takenBy } of alerts.ended) {
    add('alerts', `device:${name}`, { event: `ended ${kind}`, 'taken by': takenBy });
  }
  for (const { source, cameInstalled } of alerts.baselines) {
    add('alerts', `baseline:${source}`, { event: 'baseline', 'came installed': cameInstalled });
  }
}
