/** The facts of a run, counted by this test from the rows of its tables alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { formatFact } from './template.ts';

export type Row = Readonly<Record<string, string>>;
export type Facts = ReadonlyMap<string, number>;

const millisecondsPerDay = 86_400_000;

/** What each list of the page shows, and the column that each of its filters is about. */
const facetColumns: Readonly<Record<string, string>> = {
  ...{ platform: 'platform', source: 'source', reason: 'reason', status: 'status', site: 'site', category: 'category' },
  ...{ department: 'department', building: 'building', model: 'model', osVersion: 'os_version', stale: 'stale' },
  ...{ counted: 'counted', because: 'excluded_because', unprovenBecause: 'unproven_because', proven: 'proven' },
  ...{ silent: 'silent', expected: 'expected', change: 'change', file: 'list', result: 'result' },
};

export interface CountedRun {
  readonly slot: string;
  readonly facts: Facts;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
}

function readRows(reports: string, table: string): Row[] {
  return parse(readFileSync(join(reports, `${table}.csv`), 'utf8'), { columns: true }) as Row[];
}

export function countFacts(reports: string, slot: string, overdueAfterDays: number): CountedRun {
  const [devices, missing, changes] = ['devices', 'not-installed', 'changes'].map((table) =>
    readRows(reports, table),
  ) as [Row[], Row[], Row[]];
  const [unenrolled, exemptions, coverage] = ['unenrolled', 'exemptions', 'coverage'].map((table) =>
    readRows(reports, table),
  ) as [Row[], Row[], Row[]];
  const facts = new Map<string, number>();
  const scopes: readonly (readonly [name: string, isIn: (row: Row) => boolean])[] = [
    ['', () => true],
    ...[...new Set(devices.map(({ source = '' }) => source))].map(
      (name) => [name, (row: Row) => row.source === name] as const,
    ),
    ...[...new Set(devices.map(({ platform = '' }) => platform))].map(
      (name) => [name, (row: Row) => row.platform === name] as const,
    ),
    ...[...new Set(devices.map(({ site = '' }) => site))]
      .filter((name) => name !== '')
      .map((name) => [name, (row: Row) => row.site === name] as const),
  ];
  const daysOf = ({ not_installed_since: since = slot }: Row) =>
    (Date.parse(slot) - Date.parse(since)) / millisecondsPerDay;
  // Entries of other sources stay as they are, so that nothing joins or leaves their count.
  const whole = new Set(
    coverage.filter(({ soundness = '' }) => /^(?:complete|partial)$/.test(soundness)).map(({ source }) => source),
  );
  const isOfWhole = ({ source }: Row) => whole.has(source);
  for (const [scope, isIn] of scopes) {
    const own = devices.filter(isIn);
    const add = (name: string, value: number) => facts.set(formatFact(name, [scope]), value);
    const figures = countFigures(own);
    for (const [name, value] of Object.entries(figures)) {
      add(name, value);
    }
    for (const [because = '', rows] of Map.groupBy(own.filter(isUnproven), (row) => row.unproven_because)) {
      facts.set(formatFact('unprovenBy', [because, scope]), rows.length);
    }
    const lacking = missing.filter(isIn);
    add('needsActionRows', lacking.length);
    for (const days of [7, 14, 30, 90]) {
      facts.set(formatFact('missingFor', [String(days), scope]), lacking.filter((row) => daysOf(row) >= days).length);
    }
    add('overdue', lacking.filter((row) => daysOf(row) >= overdueAfterDays).length);
    const shown = changes.filter(isIn);
    const listChanged = (...kinds: string[]) => shown.filter(({ change = '' }) => kinds.includes(change));
    add('lost', listChanged('lost').length);
    add('recovered', listChanged('recovered').length);
    add('joined', listChanged('new-installed', 'new-not-installed', 'included').filter(isOfWhole).length);
    add('left', listChanged('removed', 'excluded').filter(isOfWhole).length);
  }
  for (const field of [
    'source',
    'platform',
    'reason',
    'site',
    'department',
    'building',
    'category',
    'model',
    'os_version',
    'user',
  ]) {
    for (const [value, rows] of Map.groupBy(devices, (row) => row[field] ?? '')) {
      for (const [name, figure] of Object.entries(countFigures(rows))) {
        facts.set(formatFact(name, [field, value === '' ? 'not known' : value]), figure);
      }
    }
    facts.set(formatFact('breakdownRows', [field]), new Set(devices.map((row) => row[field])).size);
  }
  const excluded = devices.filter((row) => row.counted === 'false');
  const lists = { 'needs-action': missing, 'all-devices': devices, excluded, changes, unenrolled, exemptions };
  for (const [list, rows] of Object.entries(lists)) {
    facts.set(formatFact('listRows', [list]), rows.length);
    for (const [facet, column] of Object.entries(facetColumns)) {
      for (const [value, own] of Map.groupBy(rows, (row) => sayValue(facet, row[column] ?? ''))) {
        facts.set(formatFact('listRows', [list, facet, value]), own.length);
      }
    }
  }
  for (const [group = '', rows] of Map.groupBy(readRows(reports, 'groups'), (row) => row.group)) {
    const count = (test: (row: Row) => boolean) => rows.filter(test).length;
    facts.set(
      formatFact('groupMembers', [group]),
      count((row) => row.in_picture === 'true'),
    );
    facts.set(
      formatFact('groupJoined', [group]),
      count((row) => row.change === 'joined'),
    );
    facts.set(
      formatFact('groupLeft', [group]),
      count((row) => row.change === 'left'),
    );
    facts.set(
      formatFact('groupDifferences', [group]),
      count(({ verdict = '' }) => /^(?:missing|unexpected)$/.test(verdict)),
    );
  }
  const [first = []] = [
    ...Map.groupBy(missing, ({ source, platform, reason }) => [source, platform, reason].join()).values(),
  ].sort((left, right) => right.length - left.length);
  facts.set('doFirst', first.length);
  facts.set('doFirstPoints', Math.round((first.length * 10_000) / (facts.get('counted') ?? 0)) / 100);
  facts.set('unread', devices.filter(({ reason }) => reason === 'unread').length);
  const all = coverage.find(({ source }) => source === 'all');
  if (all?.expected !== '') {
    facts.set('enrolledNowhere', unenrolled.length);
  }
  return { slot, facts, rows: { devices, missing, changes, unenrolled, exemptions, coverage } };
}

function isUnproven({ counted, proven }: Row): boolean {
  return counted === 'true' && proven === 'false';
}

function countFigures(devices: readonly Row[]): Readonly<Record<string, number>> {
  const counted = devices.filter((row) => row.counted === 'true');
  const count = (test: (row: Row) => boolean) => counted.filter(test).length;
  const isProven = (row: Row) => row.proven === 'true';
  const isInstalled = (row: Row) => row.status === 'Installed';
  const [installed, provenInstalled] = [count(isInstalled), count((row) => isInstalled(row) && isProven(row))];
  const provenNotInstalled = count((row) => !isInstalled(row) && isProven(row));
  const all = counted.length;
  const hundredths = (part: number) => (part * 10_000) / all;
  return {
    devices: devices.length,
    counted: all,
    excluded: devices.length - all,
    exempt: devices.filter((row) => row.excluded_because === 'exempt').length,
    stale: count((row) => row.stale === 'true'),
    installed,
    notInstalled: all - installed,
    provenInstalled,
    provenNotInstalled,
    unproven: all - provenInstalled - provenNotInstalled,
    notExpected: count((row) => row.expected === 'false'),
    silent: count((row) => isInstalled(row) && row.silent === 'true'),
    ...(all > 0 && {
      coverage: Math.round(hundredths(installed)) / 100,
      low: Math.floor(hundredths(provenInstalled)) / 100,
      high: Math.ceil(hundredths(all - provenNotInstalled)) / 100,
    }),
  };
}

function sayValue(facet: string, value: string): string {
  if (facet === 'proven') {
    return value === 'true' ? 'proven' : 'not proven';
  }
  if (facet === 'unprovenBecause') {
    return value === '' ? 'proven' : value;
  }
  return { true: 'yes', false: 'no', '': 'not known' }[value] ?? value;
}

/** Names of devices that have digits without letters beside them, and serial numbers that are nothing but digits. */
export function listNames({ devices = [] }: CountedRun['rows']): RegExp {
  const columns = ['device_name', 'user', 'model', 'building'];
  const named = new Set(devices.flatMap((row) => columns.map((column) => (row[column] ?? '').replace(/^'/, ''))));
  const texts = [...named]
    .filter((text) => /(?<![\w-])\d+(?![\w-])/.test(text))
    .sort((left, right) => right.length - left.length);
  const numbers = new Set(
    devices.map(({ serial_number: number = '' }) => number).filter((number) => /^\d+$/.test(number)),
  );
  const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, ' '));
  const all = [...escaped, ...[...numbers].map((number) => `\\(${number}\\)`)];
  return new RegExp(all.join('|') || '(?!)', 'g');
}
