/**
 * The rules of the two lists once more: every device asks every row. Nothing here shares code with the core.
 */
import type { Facts } from '../../src/core/facts/facts.ts';
import type { ListFacts, ListRow } from '../../src/core/facts/lists.ts';
import { findKindModel } from './kinds.ts';
import { isProven } from './proof.ts';
import {
  day,
  type Entry,
  isCounted,
  isWhole,
  type ListNight,
  type ListsNight,
  listPublished,
  type Machine,
  type ModelNight,
  type Past,
  type Row,
  type SourceNight,
} from './rows.ts';
import { foldSerial, readRealSerial } from './serial-numbers.ts';

interface Tonight {
  facts: Facts;
  rows: readonly Row[];
  sources: readonly SourceNight[];
  machines: readonly Machine[];
  ledger: readonly Entry[];
}

type ListName = 'expected' | 'reporting';

/** Also takes the proof from devices that their console has seen. */
export function judgeListsByModel(past: Past, { facts, rows, sources, machines, ledger }: Tonight): ListsNight {
  const { expected, reporting } = facts.lists ?? {};
  const night: ListsNight = {};
  for (const row of rows) {
    Object.assign(row, { isExpected: undefined, reportingAt: undefined, silent: undefined, isContradicted: false });
    Object.assign(row, { site: row.facts.site, department: row.facts.department });
  }
  const heldBy = sources
    .filter(
      (source) => source.soundness === 'missing' || (source.soundness === 'suspect' && source.baseline === undefined),
    )
    .map(({ facts: { name } }) => name);

  if (expected !== undefined) {
    const usable = expected.rows.filter((row) => readListSerial(row.serial) !== undefined && isDate(row.until));
    const list = judgeList(
      past,
      'expected',
      expected,
      countDistinct(usable.map((row) => readListSerial(row.serial))),
      facts,
    );
    const isFirst = (row: ListRow) =>
      usable.find((other) => readListSerial(other.serial) === readListSerial(row.serial)) === row;
    const wanted = usable.filter(isFirst).filter((row) => !isOver(row, facts.slot));
    // The ledger's machines that have a record in a source that is not whole.
    const waiting = sources.filter((source) => !isWhole(source)).map(({ facts: { name } }) => name);
    const before = ledger
      .filter(
        ({ isGone, records }) => !isGone && records.some((key) => waiting.some((name) => key.startsWith(`${name}/`))),
      )
      .map(({ standing }) => standing);
    const enrolled = [...rows, ...before].map((row) => readListSerial(row.facts.serialNumber));
    const missing = wanted.filter((row) => !enrolled.includes(readListSerial(row.serial)));
    const isJudged = list.soundness === 'sound' && heldBy.length === 0;
    night.expected = {
      ...list,
      expected: wanted.length,
      ...(isJudged && { unenrolled: missing.map((row) => `${row.serial} ${row.until ?? ''} ${row.note ?? ''}`) }),
    };
    if (list.soundness === 'sound') {
      for (const row of rows) {
        row.isExpected = isOnList(row, expected.rows, facts.slot);
        addListPlaces(row, expected.rows);
      }
    }
  }

  if (reporting !== undefined) {
    const { readAt } = reporting;
    const withKeys = reporting.rows.flatMap((row) => {
      const serial = readListSerial(row.serial);
      const name = serial === undefined ? foldName(row.name) : undefined;
      return serial === undefined && name === undefined ? [] : [{ serial, name, seen: readSeen(row, readAt) }];
    });
    const names = withKeys.flatMap(({ name }) => name ?? []);
    const usableNames = withKeys.filter(
      ({ name, seen }) => name !== undefined && seen !== undefined && names.filter((one) => one === name).length === 1,
    );
    const usableSerials = withKeys.filter(({ serial, seen }) => serial !== undefined && seen !== undefined);
    const count = countDistinct(usableSerials.map(({ serial }) => serial)) + usableNames.length;
    const list = judgeList(past, 'reporting', reporting, count, facts);
    night.reporting = list;
    if (list.soundness === 'sound') {
      const moment = Date.parse(facts.moment);
      const within = (facts.policy.reportingWithinDays ?? 0) * day;
      const dates = reporting.files.map(({ date }) => Date.parse(date ?? ''));
      const written = Math.min(moment, ...dates);
      for (const row of rows) {
        const ownSerial = readRealSerial(row.facts);
        const ownName = foldName(row.facts.name);
        const sharesKey = (key: (other: Row) => string | undefined) =>
          machines.some(({ records }) => !records.includes(row) && records.some((other) => key(other) === key(row)));
        const isSerialClear = ownSerial !== undefined && !sharesKey((other) => readRealSerial(other.facts));
        const isNameClear = ownName !== undefined && !sharesKey((other) => foldName(other.facts.name));
        const own = withKeys.filter(
          ({ serial, name }) =>
            (serial !== undefined && serial === ownSerial) || (name !== undefined && name === ownName),
        );
        const seen = [
          ...usableSerials.filter(({ serial }) => isSerialClear && serial === ownSerial),
          ...usableNames.filter(({ name }) => isNameClear && name === ownName),
        ].flatMap((one) => one.seen ?? []);
        const isInstalled = isCounted(row) && row.status === 'Installed';
        if (seen.length > 0) {
          const last = Math.max(...seen);
          row.reportingAt = new Date(last).toISOString();
          row.silent = isInstalled ? last < written - within : undefined;
          row.isContradicted = isCounted(row) && !isInstalled && last >= moment - within;
          if (row.isContradicted) {
            row.against.push('list-contradicts');
          }
        } else {
          const mayBeUnnamed =
            (ownSerial === undefined && withKeys.some(({ serial }) => serial !== undefined)) ||
            (ownName === undefined && names.length > 0);
          row.silent = isInstalled && own.length === 0 && !mayBeUnnamed ? true : undefined;
        }
      }
    }
  }
  return night;
}

function isOnList(row: Row, list: readonly ListRow[], slot: string): boolean | undefined {
  const serial = readListSerial(row.facts.serialNumber);
  const own = list.filter((one) => serial !== undefined && readListSerial(one.serial) === serial);
  const first = own.find(({ until }) => isDate(until));
  if (first !== undefined) {
    return !isOver(first, slot);
  }
  return own.length > 0 || readRealSerial(row.facts) === undefined ? undefined : false;
}

/** "Site and department of a Windows machine are those of the list of expected machines, where it has them." */
function addListPlaces(row: Row, list: readonly ListRow[]): void {
  const serial = readListSerial(row.facts.serialNumber);
  const first = list.find((one) => serial !== undefined && readListSerial(one.serial) === serial && isDate(one.until));
  const { knowsSites, knowsDepartments } = findKindModel(row.kind);
  row.site = (!knowsSites && first?.site) || row.site;
  row.department = (!knowsDepartments && first?.department) || row.department;
}

function judgeList(past: Past, name: ListName, list: ListFacts, machines: number, facts: Facts): ListNight {
  const readAt = Date.parse(list.readAt);
  const problems = list.files.map(({ problem }) => problem?.code);
  const isOld = list.files.some(({ date, maxAgeDays }) => {
    const time = Date.parse(date ?? '');
    return !(time <= readAt + day) || Date.parse(facts.moment) - time > maxAgeDays * day;
  });
  const soundness = problems.includes('list-unreadable')
    ? 'unreadable'
    : problems.includes('list-incomplete') || machines === 0
      ? 'incomplete'
      : isOld
        ? 'stale'
        : undefined;
  if (soundness !== undefined) {
    return { soundness, machines };
  }
  // The nights since the list was last out of the settings; of each, what was published.
  const nights = listPublished(past);
  const since = nights.slice(nights.findLastIndex(({ facts: { lists } }) => lists?.[name] === undefined) + 1);
  const lastSound = since.findLastIndex(({ lists }) => lists[name]?.soundness === 'sound');
  const before = since[lastSound]?.lists[name]?.machines;
  const { maximumFleetDropPercent, minimumDevices } = facts.policy.breaker;
  const gone = (before ?? 0) - machines;
  const isShrunk = before !== undefined && gone >= minimumDevices && gone / before > maximumFleetDropPercent / 100;
  const isAccepted = facts.accepted?.lists?.includes(name) === true;
  return { soundness: isShrunk && !isAccepted ? 'shrunk' : 'sound', machines };
}

export function countLists(night: Pick<ModelNight, 'lists'>, rows: readonly Row[]) {
  const counted = rows.filter(isCounted);
  const reporting = counted.filter(({ silent }) => silent === false);
  return {
    ...(night.lists.expected?.soundness === 'sound' && {
      notExpected: counted.filter(({ isExpected }) => isExpected === false).length,
    }),
    ...(night.lists.reporting?.soundness === 'sound' && {
      silent: counted.filter(({ silent }) => silent === true).length,
      reporting: reporting.length,
      provenReporting: reporting.filter(isProven).length,
    }),
  };
}

function readListSerial(serial: string | undefined): string | undefined {
  return readRealSerial({ id: '', answers: [], operatingSystem: 'any', serialNumber: foldSerial(serial) });
}

function foldName(name: string | undefined): string | undefined {
  const folded = (name ?? '').trim().toLowerCase();
  return folded === '' ? undefined : folded;
}

function isDate(until: string | undefined): boolean {
  return until === undefined || until === '' || /^\d{4}-\d\d-\d\d$/.test(until);
}

function isOver({ until = '' }: ListRow, slot: string): boolean {
  return until !== '' && until < slot;
}

function readSeen({ seen_at = '' }: ListRow, readAt: string): number | undefined {
  const isNumber = /^\d+$/.test(seen_at);
  const text = /^\d{4}-.{11}$/.test(seen_at) ? `${seen_at.replace(' ', 'T')}Z` : seen_at;
  const time = isNumber
    ? Number(seen_at) * (seen_at.length === 10 ? 1000 : 1)
    : Date.parse(/^\d{4}-/.test(text) ? text : '');
  return Number.isNaN(time) || time > Date.parse(readAt) + day ? undefined : time;
}

function countDistinct(values: readonly (string | undefined)[]): number {
  return new Set(values).size;
}
