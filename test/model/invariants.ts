/** What must hold after each run of any history, whatever the rules give; each violation is a line. */
import { findBaseline, listBaselineRows } from './baselines.ts';
import { toLetter } from './history.ts';
import { isBeforeRepair } from './instrument.ts';
import { isRead } from './records.ts';
import {
  type Alert,
  countDays,
  type Entry,
  findPublished,
  findSource,
  isCounted,
  isWhole,
  listPublished,
  type ModelNight,
  type Past,
  type Row,
  type Slot,
  type SourceNight,
  toKey,
} from './rows.ts';
import { findPlace } from './sums.ts';

/** `before` is the run before the slot, `latest` what was published last. */
type Check = (
  night: ModelNight,
  before: ModelNight | undefined,
  past: Past,
  latest: ModelNight | undefined,
) => string[];

const checks: Readonly<Record<string, Check>> = {
  'the sum holds in each whole source and in all': checkSum,
  'where every source is whole and every device was read, after is what was counted': checkAfter,
  'no machine is counted twice': checkCountedOnce,
  'names of entries are unique and never change': checkNames,
  'a source that did not answer changes no status': checkRecords,
  'a source that did not answer changes no entry and no alert': checkEntries,
  'a machine of which no record was read is shown as it was': checkUnreadMachines,
  'an alert that is open has its matter': checkOpenAlerts,
  'each alert opens once and ends once': checkEvents,
  'only what was counted before is lost or recovered': checkLost,
  'the letter of a history is that of its entry': checkLetters,
  'the letters of earlier runs are what these counted': checkHistory,
  'a date of Not Installed is the night from which the history says so': checkSince,
};

export function findViolations(night: ModelNight, past: Past, earlier: Slot): string[] {
  const before = listPublished(past).at(-1);
  const latest = findPublished(earlier) ?? before;
  return Object.entries(checks).flatMap(([name, check]) =>
    check(night, before, past, latest).map((violation) => `${night.facts.slot}, ${name}: ${violation}`),
  );
}

function checkSum(night: ModelNight, before: ModelNight | undefined): string[] {
  return night.coverage.flatMap(({ source: name, joined, left }) => {
    const source = findSource(night.sources, name);
    if (source !== undefined && (source.first || !isWhole(source))) {
      return [];
    }
    const isPart = (one: SourceNight) => name === 'all' || one.facts.name === name;
    const known = night.sources.filter((one) => isPart(one) && !one.first);
    const first = night.sources.filter((one) => isPart(one) && one.first);
    // "A source on its first night is left out: what it counts is its before."
    const was = new Set([...listNamesIn(before?.ledger ?? [], known), ...listNamesIn(night.ledger, first)]).size;
    const is = listNamesIn(night.ledger, [...known, ...first]).length;
    return was + joined - left === is ? [] : [`${name}: ${was} + ${joined} - ${left} is not ${is}`];
  });
}

/** Of entries that are counted in one of the sources. */
function listNamesIn(ledger: readonly Entry[], sources: readonly SourceNight[]): string[] {
  return ledger.filter((entry) => findSource(sources, findPlace(entry) ?? '')).map(({ name }) => name);
}

function isFull({ sources, rows }: ModelNight): boolean {
  return sources.every(isWhole) && !rows.some(({ isUnread }) => isUnread);
}

function checkAfter(night: ModelNight): string[] {
  return night.sources.flatMap((source) => {
    const counted = night.rows.filter((row) => row.source === source.facts.name && isCounted(row)).length;
    const after = listNamesIn(night.ledger, [source]).length;
    return !isFull(night) || counted === after ? [] : [`${source.facts.name}: ${after} entries, ${counted} counted`];
  });
}

function checkCountedOnce({ machines, rows }: ModelNight): string[] {
  const twice = machines.filter(({ records }) => records.filter(isCounted).length > 1);
  const placed = rows.filter((row) => machines.filter(({ records }) => records.includes(row)).length !== 1);
  const numbers = machines.filter(({ isShared }) => !isShared).flatMap(({ number }) => number ?? []);
  return [
    ...twice.map(({ standing }) => `two records of ${toKey(standing)}`),
    ...placed.map((row) => `${toKey(row)} is of one machine exactly`),
    ...numbers.filter((number, index) => numbers.indexOf(number) !== index),
  ];
}

function checkNames({ ledger, transitions }: ModelNight): string[] {
  const names = ledger.map(({ name }) => name);
  const renamed = transitions.filter(({ before, after }) => before !== undefined && after?.name !== before.name);
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index),
    ...renamed.map(({ after }) => `${after?.name}`),
  ];
}

/** Carried and unread records are as they were. */
function checkRecords({ rows, sources }: ModelNight, _before: ModelNight | undefined, past: Past): string[] {
  const unanswered = rows.filter(
    (row) => row.isUnread || findSource(sources, row.source)?.facts.reading === 'incomplete',
  );
  return unanswered.flatMap((row) => {
    const then = listBaselineRows(findBaseline(past, row.source), row.source).find(
      (one) => one.facts.id === row.facts.id,
    );
    return then === undefined || then.status === row.status ? [] : [`${toKey(row)} was ${then.status}`];
  });
}

function checkEntries(night: ModelNight, before: ModelNight | undefined): string[] {
  const isUnanswered = (name: string) => {
    const source = findSource(night.sources, name);
    return source !== undefined && !isWhole(source);
  };
  return (before?.ledger ?? []).flatMap((entry) => {
    const after = night.ledger.find(({ name }) => name === entry.name);
    const isEnded = night.alerts.ended.some(({ name }) => name === entry.name);
    const isOpened = night.alerts.opened.some(({ name }) => name === entry.name);
    const isMoved = after !== undefined && toKey(after.standing) !== toKey(entry.standing);
    const isForgotten = entry.isGone && countDays(entry.listedOn, night.facts.slot) > 400;
    const isSame = isForgotten || JSON.stringify(after) === JSON.stringify(entry);
    return isUnanswered(entry.standing.source) && !isMoved && !(isSame && !isOpened && (!isEnded || entry.isGone))
      ? [entry.name]
      : [];
  });
}

/** Where its entry moved on in the last whole run of its source; settings and exemptions aside. */
function checkUnreadMachines(night: ModelNight, _before: unknown, past: Past): string[] {
  return night.transitions.flatMap(({ machine, before }) => {
    const isKnown = before !== undefined && !before.isGone;
    const isUnread = machine?.records.every((row) => !isRead(row, night.facts)) === true;
    if (
      machine === undefined ||
      !isKnown ||
      !isUnread ||
      !machine.records.some((row) => isSame(row, before.standing))
    ) {
      return [];
    }
    const { standing } = machine;
    const isBaseline = findBaseline(past, before.standing.source)?.facts.slot === before.listedOn;
    const isBySetting = [standing, before.standing].some(({ excludedBecause }) =>
      ['exempt', 'personal'].includes(excludedBecause ?? ''),
    );
    const isAsBefore = isCounted(standing) === before.counted && standing.status === before.status;
    return isAsBefore || !isBaseline || isBySetting ? [] : [before.name];
  });
}

function isSame(one: Row, other: Row): boolean {
  return toKey(one) === toKey(other);
}

/**
 * Its entry is counted and Not Installed, or changes too often, or is Installed by an answer from before a repair; or it has
 * not moved on, or is not yet there, since an attempt that opened it was replaced.
 */
function checkOpenAlerts({ alerts, ledger, sources, instruments }: ModelNight): string[] {
  return alerts.open.flatMap(({ name, kind, since }) => {
    const entry = ledger.find((one) => one.name === name);
    const isListed = entry !== undefined && !entry.isGone && findSource(sources, entry.standing.source) !== undefined;
    const instrument = isListed ? instruments.get(entry.standing.source) : undefined;
    const isHeld =
      isListed && (kind === 'device.flapping' || !instrument || isBeforeRepair(entry.standing, instrument));
    const lacksAgent = isListed && entry.counted && (entry.status === 'Not Installed' || isHeld);
    const mayComeBack = entry === undefined && !sources.every(isWhole);
    return lacksAgent || mayComeBack || (isListed && entry.listedOn < since) ? [] : [name];
  });
}

function checkEvents({ alerts }: ModelNight, _before: unknown, _past: Past, latest: ModelNight | undefined): string[] {
  const [open, opened, ended, known] = [alerts.open, alerts.opened, alerts.ended, latest?.alerts.open ?? []].map(
    (list) => list.map(({ name }) => name),
  ) as [string[], string[], string[], string[]];
  const isDouble = (name: string, index: number) => open.indexOf(name) !== index;
  const all = [...new Set([...open, ...opened, ...ended, ...known])];
  return [
    ...open.filter(isDouble),
    ...(listChanged(latest?.alerts.open ?? [], alerts.open).join() === listChanged([], alerts.opened).join()
      ? []
      : opened),
    ...all.filter((name) => ended.includes(name) !== (known.includes(name) && !open.includes(name))),
  ];
}

/** Alerts that are open afterwards and were not before, or as another kind. */
function listChanged(before: readonly Alert[], after: readonly Alert[]): string[] {
  return after
    .filter(({ name, kind }) => !before.some((alert) => alert.name === name && alert.kind === kind))
    .map(({ name, kind }) => `${name} ${kind}`)
    .sort();
}

function checkLost({ changes, rows, machines, transitions }: ModelNight): string[] {
  return changes
    .filter(({ kind }) => kind === 'lost' || kind === 'recovered')
    .flatMap(({ source, id }) => {
      const row = rows.find((one) => one.source === source && one.facts.id === id);
      const machine = machines.find(({ standing }) => standing === row);
      const entry = transitions.find((transition) => transition.machine === machine)?.before;
      const isKnown = entry !== undefined && findPlace(entry) !== undefined && row !== undefined && isCounted(row);
      return isKnown && entry.status !== row.status ? [] : [`${source}/${id}`];
    });
}

function checkLetters({ ledger }: ModelNight): string[] {
  return ledger
    .filter((entry) => {
      const { history, isGone } = entry;
      const repeats = history.some(([, letter], index) => history[index - 1]?.[1] === letter);
      const isOutOfOrder = history.some(([since], index) => (history[index - 1]?.[0] ?? '') >= since);
      const isLast = history.at(-1)?.[1] === (isGone ? '-' : toLetter(entry));
      return history.length > 30 || repeats || isOutOfOrder || !isLast;
    })
    .map(({ name }) => name);
}

/**
 * The letters of the last runs, counted up from the ledger. An entry whose source was taken out goes on under its last
 * letter, so that this holds only while the settings have the same sources.
 */
function checkHistory(night: ModelNight, _before: ModelNight | undefined, past: Past): string[] {
  const runs = [...listPublished(past), night];
  const nameSources = ({ sources }: ModelNight) => sources.map(({ facts }) => facts.name).join();
  const isSettled = runs.every((run) => nameSources(run) === nameSources(night));
  return (isSettled ? runs.slice(-29) : [])
    .filter((run) => isFull(run) && countDays(run.facts.slot, night.facts.slot) <= 400)
    .flatMap((run) => {
      const letters = night.ledger
        .filter(({ standing }) => findSource(night.sources, standing.source))
        .map(({ history }) => history.findLast(([from]) => from <= run.facts.slot)?.[1]);
      const { installed, notInstalled, provenInstalled, provenNotInstalled } = run.coverage.at(-1) ?? {};
      const count = (wanted: string) => letters.filter((letter) => letter && wanted.includes(letter)).length;
      const said = [count('Ii'), count('Nn'), count('I'), count('N')].join();
      const shown = [installed, notInstalled, provenInstalled, provenNotInstalled].join();
      return said === shown ? [] : [`${run.facts.slot} counted ${shown}, the letters say ${said}`];
    });
}

function checkSince({ ledger }: ModelNight): string[] {
  return ledger
    .filter(({ status, since, history }) => {
      const other = history.findLastIndex(([, letter]) => ['I', 'i', 'X'].includes(letter));
      const first = history.slice(other + 1).find(([, letter]) => letter !== '-')?.[0];
      const isWholeHistory = history.length < 30 || other !== -1;
      return status === 'Installed' ? since !== undefined : isWholeHistory && since !== first;
    })
    .map(({ name, since }) => `${name} since ${since}`);
}
