/**
 * What two nights' truths say should be reported, written from the design's words alone: it shares nothing with the
 * core, so that both can be wrong only in different ways.
 */
import type { Sandbox } from '../../simulator/sandbox.ts';
import { momentOf, type Row } from './way.ts';

export type Truth = ReturnType<Sandbox['truth']>[number];

/** What is left of a machine from night to night. */
interface Known {
  /** The record that stands for it. */
  readonly truth: Truth;
  readonly records: ReadonlySet<string>;
  readonly number: string | undefined;
  /** Since when it has been Not Installed; undefined while it is Installed. */
  readonly since: string | undefined;
  readonly isGone: boolean;
}

export interface Roll {
  readonly machines: readonly Known[];
  /** The date of each record that is Not Installed, by `source id`: its machine's before, or else the night's own. */
  readonly since: ReadonlyMap<string, string>;
}

export interface Expected {
  readonly roll: Roll;
  readonly changes: readonly string[];
  /** `source id status`: who came into that half of the picture, and who went. */
  readonly joined: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

const keyOf = ({ source, device_id }: Pick<Truth, 'source' | 'device_id'>): string => `${source} ${device_id}`;
/** Folded: the placeholders of the simulated devices. */
const notSerials = /^(.{0,4}|(.)\2*|0123456789|systemserialnumber|tobefilledbyoem|defaultstring|virtualmachine)$/;

/** What several machines have, or no machine, says of none which it is. */
function numberOf(truth: Truth): string | undefined {
  const serial = truth.serial_number.toLowerCase().replace(/[^a-z0-9]/g, '');
  return notSerials.test(serial) || truth.shares_serial ? undefined : `${truth.source} ${serial}`;
}

export function changeLine(row: Row): string {
  const { source, device_id, change, from_status, to_status, reason } = row;
  return [source, device_id, change, from_status, to_status, reason].join(' | ');
}

interface Machine {
  readonly standing: Truth;
  readonly records: ReadonlySet<string>;
  readonly number: string | undefined;
}

function listMachines(truths: readonly Truth[]): Machine[] {
  const groups = Map.groupBy(truths, (truth) => numberOf(truth) ?? keyOf(truth));
  return [...groups.values()].flatMap((group) => {
    const [standing] = group.filter(({ stands }) => stands);
    return standing === undefined ? [] : { standing, records: new Set(group.map(keyOf)), number: numberOf(standing) };
  });
}

/** The best entry of each machine: one that is not gone, whose record stood in the machine, or that has its number. */
function matchMachines(machines: readonly Machine[], known: readonly Known[]): Map<Machine, Known> {
  const matched = new Map<Machine, Known>();
  const taken = new Set<Known>();
  const tests: readonly ((machine: Machine, entry: Known) => boolean)[] = [
    ({ records }, entry) => !entry.isGone && records.has(keyOf(entry.truth)),
    ({ standing }, entry) => !entry.isGone && entry.records.has(keyOf(standing)),
    ({ number }, entry) => !entry.isGone && number !== undefined && number === entry.number,
    ({ records }, entry) => records.has(keyOf(entry.truth)),
    ({ number }, entry) => number !== undefined && number === entry.number,
  ];
  for (const test of tests) {
    for (const machine of machines.filter((one) => !matched.has(one))) {
      const entry = known.find((one) => !taken.has(one) && test(machine, one));
      if (entry !== undefined) {
        taken.add(entry);
        matched.set(machine, entry);
      }
    }
  }
  return matched;
}

/**
 * Compares a night with the one that it is to be compared with; `before` is undefined on a first night. Every source has
 * answered, so that every machine goes on, or is gone.
 */
export function compare(before: Roll | undefined, truths: readonly Truth[], slot: string): Expected {
  const known = before?.machines ?? [];
  const machines = listMachines(truths);
  const matched = matchMachines(machines, known);
  const lines: string[] = [];
  const joined = new Set<string>();
  const left = new Set<string>();
  const say = (truth: Truth, change: string, from: string, to: string, reason: string) =>
    lines.push([truth.source, truth.device_id, change, from, to, reason].join(' | '));

  for (const machine of machines) {
    const { standing } = machine;
    const past = matched.get(machine);
    const was = past?.isGone ? undefined : past?.truth;
    if (was?.status !== standing.status) {
      joined.add(`${keyOf(standing)} ${standing.status}`);
      if (was !== undefined) {
        left.add(`${keyOf(standing)} ${was.status}`);
      }
    }
    if (was === undefined) {
      if (standing.counted) {
        const change = standing.status === 'Installed' ? 'new-installed' : 'new-not-installed';
        say(standing, change, '', standing.status, standing.reason);
      }
      continue;
    }
    const isOther = keyOf(was) !== keyOf(standing);
    if (isOther) {
      say(standing, 'moved', was.status, standing.status, standing.reason);
    }
    // An older answer is no news.
    const stood = truths.find((truth) => keyOf(truth) === keyOf(was)) ?? was;
    const isNews = !isOther || standing.last_seen_at >= stood.last_seen_at;
    if (was.counted && standing.counted && was.status !== standing.status && isNews) {
      const change = standing.status === 'Installed' ? 'recovered' : 'lost';
      say(standing, change, was.status, standing.status, standing.reason);
    }
    if (was.counted && !standing.counted) {
      say(standing, 'excluded', was.status, standing.status, standing.excluded_because);
    }
    if (!was.counted && standing.counted) {
      say(standing, 'included', was.status, standing.status, was.excluded_because);
    }
  }

  const goOn = new Set(matched.values());
  const gone = known.filter((entry) => !goOn.has(entry));
  for (const { truth, records, number } of gone.filter(({ isGone }) => !isGone)) {
    if (!truths.some((one) => keyOf(one) === keyOf(truth))) {
      left.add(`${keyOf(truth)} ${truth.status}`);
    }
    const isTaken = machines.some(
      (machine) =>
        (number !== undefined && machine.number === number) || [...records].some((one) => machine.records.has(one)),
    );
    if (truth.counted) {
      say(truth, isTaken ? 'excluded' : 'removed', truth.status, '', isTaken ? 'superseded' : truth.reason);
    }
  }

  const now = machines.map((machine): Known => {
    const isMissing = machine.standing.status === 'Not Installed';
    const since = isMissing ? (matched.get(machine)?.since ?? slot) : undefined;
    return { ...machine, truth: machine.standing, since, isGone: false };
  });
  const since = new Map(
    machines.flatMap((machine) => {
      const date = matched.get(machine)?.since ?? slot;
      return [...machine.records].map((key) => [key, date] as const);
    }),
  );
  const roll = { machines: [...now, ...gone.map((entry) => ({ ...entry, isGone: true }))], since };
  return before === undefined
    ? { roll, changes: [], joined: new Set(), left: new Set() }
    : { roll, changes: lines.sort(), joined, left };
}

const columns = [
  ...(['source', 'device_id', 'status', 'reason', 'proven', 'stale', 'counted', 'excluded_because'] as const),
  ...(['last_seen_at', 'enrolled_at'] as const),
] as const;

/** The columns of devices.csv that the truth knows. */
export function deviceLine(row: Row): string {
  return columns.map((column) => row[column]).join(' | ');
}

export function truthLines(truths: readonly Truth[]): string[] {
  return truths.map((truth) => columns.map((column) => truth[column]).join(' | ')).sort();
}

/** `before` is what the night is compared with. */
export function truthAt(sandbox: Sandbox, slot: string, before?: Roll): Truth[] {
  return keepStanding(sandbox.truth(momentOf(slot)), before);
}

const day = 24 * 60 * 60 * 1000;

/** The record that stands gives way only to one that was heard from more than a day later. */
function keepStanding(truths: readonly Truth[], before: Roll | undefined): Truth[] {
  const stood = new Set(before?.machines.flatMap(({ truth, isGone }) => (isGone ? [] : keyOf(truth))));
  const groups = Map.groupBy(truths, (truth) => numberOf(truth) ?? keyOf(truth));
  return truths.map((truth) => {
    const group = groups.get(numberOf(truth) ?? keyOf(truth)) ?? [];
    const newest = group.find(({ stands, counted }) => stands && counted);
    const incumbent = group.find((one) => stood.has(keyOf(one)));
    const isKept =
      newest !== undefined &&
      incumbent?.excluded_because === 'superseded' &&
      !incumbent.stale &&
      Date.parse(newest.last_seen_at) - Date.parse(incumbent.last_seen_at) <= day;
    if (!isKept || (truth !== newest && truth !== incumbent)) {
      return truth;
    }
    const stands = truth === incumbent;
    return { ...truth, stands, counted: stands, excluded_because: stands ? '' : 'superseded' };
  });
}
