/** Promises about the alerts of a run, read from its rows and its ledger alone: the lines of those that it breaks. */

import type { JudgedDevice, Night } from '../../src/core/facts/judged.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { countDaysBetween } from '../../src/core/time/calendar.ts';
import {
  canTell,
  findRow,
  findStanding,
  indexEntries,
  isInstalled,
  isOfExemption,
  listWhole,
  splitKey,
} from './alert-knowledge.ts';
import { isFlapping } from './history.ts';
import type { PlayedRun } from './play-core.ts';

export function findBrokenPromises(run: PlayedRun): string[] {
  const { slot } = run.night;
  return [
    ...checkOverdue(run),
    ...checkOpen(run),
    ...checkEnds(run),
    ...checkChanges(run, 'lost', 'device.lost'),
    ...checkChanges(run, 'new-not-installed', 'device.new-not-installed'),
  ].map((line) => `${slot}: ${line}`);
}

/** The first slot of the letters without the agent that the history ends with. */
function findMissingSince({ history }: Entry): string | undefined {
  const had = history.findLastIndex(([, letter]) => ['I', 'i', 'X'].includes(letter));
  return history.slice(had + 1).find(([, letter]) => letter !== '-')?.[0];
}

/**
 * "On every run on which its source is whole, a counted machine that has been Not Installed for `overdueAfterDays` has an
 * open alert or is in the figures of an overdue event."
 */
function listOverdue({ night }: PlayedRun): JudgedDevice[] {
  const whole = listWhole(night);
  const entries = indexEntries(night);
  return night.devices.filter(({ source, machine, judgement }) => {
    const entry = entries.get(machine);
    const since = entry?.status === 'Not Installed' ? findMissingSince(entry) : judgement.notInstalledSince;
    const isMissing = judgement.counted && judgement.status === 'Not Installed' && whole.has(source);
    return isMissing && countDaysBetween(since ?? night.slot, night.slot) >= night.policy.overdueAfterDays;
  });
}

function checkOverdue(run: PlayedRun): string[] {
  const { night, facts } = run;
  const { openAlerts = [], reminded = '' } = night.state;
  const overdue = listOverdue(run);
  const alert = openAlerts.find(({ key }) => key === 'overdue');
  const event = night.events.find(({ key }) => key === 'overdue');
  const isWhole = listWhole(night).size === night.sources.length;
  if (overdue.length === 0) {
    return alert !== undefined && isWhole ? ['overdue is open, and no machine is'] : [];
  }
  if (alert === undefined) {
    return overdue.map(({ machine }) => `${machine} is overdue, and no alert says so`);
  }
  if (event === undefined) {
    const last = [alert.last, reminded].sort().at(-1) ?? '';
    const isLate = facts.retracts === undefined && countDaysBetween(last, night.slot) >= 7;
    return isLate ? ['no overdue event for a week'] : [];
  }
  const canaries = overdue.filter(({ machine }) => night.canaries.has(machine)).length;
  const acknowledged = overdue.filter(
    ({ machine, judgement }) => judgement.acknowledgement !== undefined && !night.canaries.has(machine),
  ).length;
  const listed = overdue.length - acknowledged - canaries;
  const expected = { overdue: overdue.length, listed, acknowledged, canaries };
  const { new: _, ...figures } = event.figures ?? {};
  const isSame = Object.entries(expected).every(([name, count]) => figures[name] === count);
  return isSame ? [] : [`overdue says ${JSON.stringify(figures)} of ${JSON.stringify(expected)}`];
}

/** "Each alert that opened ends, or its matter still holds": it does where the run says so, or cannot tell. */
function checkOpen(run: PlayedRun): string[] {
  const { openAlerts = [] } = run.night.state;
  const { retracts } = run.facts;
  // Where nobody can tell, an alert that only the retracted run opened has ended all the same.
  const isDecided = (alert: AlertState) =>
    canTell(alert, run) || (retracts !== undefined && alert.opened >= retracts.openedFrom);
  return openAlerts.filter((alert) => !holds(alert, run) && isDecided(alert)).map(({ key }) => `${key} is open`);
}

/** "Nothing ends from missing data": what is over has ended where the run can tell. */
function checkEnds(run: PlayedRun): string[] {
  const { night, open, facts } = run;
  const { retracts } = facts;
  const ended = open.filter(({ key }) => !night.state.openAlerts?.some((alert) => alert.key === key));
  return ended
    .filter(({ opened }) => retracts === undefined || opened < retracts.openedFrom)
    .filter((alert) => holds(alert, run) || !canTell(alert, run))
    .map(({ key }) => `${key} ended`);
}

/** Whether the matter of an alert is there, by what the run shows. */
function holds(alert: AlertState, run: PlayedRun): boolean {
  const { night } = run;
  const [prefix, rest] = splitKey(alert);
  switch (prefix) {
    case 'device':
      return lacksAgent(rest, night);
    case 'silent':
      return night.devices.some(
        ({ machine, judgement, lists }) =>
          machine === rest && isInstalled(judgement) && lists?.silent === true && !night.canaries.has(machine),
      );
    case 'overdue':
      return listOverdue(run).length > 0;
    case 'source':
      return night.sources.some(({ name, soundness }) => name === rest && soundness !== 'complete');
    case 'list':
      return Object.entries(night.lists).some(([name, { problem }]) => name === rest && problem !== undefined);
    case 'unenrolled':
      return night.lists.expected?.unenrolled?.some(({ serialNumber }) => fold(serialNumber) === rest) === true;
    case 'deployment':
      return night.sources.some(({ name, findings }) =>
        findings.some(({ check, result }) => `${name}/${check}` === rest && result === 'fail'),
      );
    case 'coverage':
      return isBelowMinimum(night);
    default:
      return needsPerson(rest, night);
  }
}

function fold(serial: string): string {
  return serial.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

function lacksAgent(name: string, night: Night): boolean {
  const entry = indexEntries(night).get(name);
  const device = findStanding(name, night);
  if (entry === undefined || device === undefined || entry.isGone || !entry.counted || night.canaries.has(name)) {
    return false;
  }
  const isFirst = night.sources.some(({ name: source, first }) => source === device.source && first);
  const isSteady = entry.status === 'Installed' && (isFirst || !isFlapping(entry.history, night.slot));
  return night.sources.some(({ name: source }) => source === entry.standing.source) && !isSteady;
}

function isBelowMinimum({ policy, coverage }: Night): boolean {
  const { provenInstalled = 0, counted = 0 } = coverage.at(-1) ?? {};
  return policy.minimumCoverage !== undefined && provenInstalled * 100 < policy.minimumCoverage * counted;
}

/** One that has ended, or ends soon, is settled where another row of the same matter holds for longer. */
function needsPerson(identity: string, night: Night): boolean {
  const result = findRow(identity, night);
  if (result !== 'expired' && result !== 'expiring') {
    return result !== undefined && result !== 'active';
  }
  const [source = '', match = '', value = '', , expires = ''] = JSON.parse(identity) as string[];
  const isExemption = isOfExemption(identity);
  const settles = (other: string, text: string) => (match === 'serial' ? fold(other) === fold(text) : other === text);
  return isExemption
    ? !night.exemptions.some(
        (row) =>
          match !== 'user' &&
          (row.result === 'active' || row.result === 'expiring') &&
          row.expires > expires &&
          row.source === source &&
          row.match === match &&
          settles(row.value, value),
      )
    : !night.acknowledgements.some((row) => row.result === 'active' && fold(row.serial) === fold(source));
}

/** Each change has an alert that opens in this run, or a reason why none does: one of both. */
function checkChanges(
  { night }: PlayedRun,
  change: 'lost' | 'new-not-installed',
  kind: 'device.lost' | 'device.new-not-installed',
): string[] {
  const changed = night.changes.filter((one) => one.kind === change);
  const keys = new Set(changed.map(({ source, device }) => `device:${findMachine(source, device.id, night)}`));
  const opened = night.events.filter((event) => event.kind === kind && event.phase === 'first' && keys.has(event.key));
  const later = night.later.flatMap((one) => (one.kind === kind ? one.devices : [])).reduce((sum, one) => sum + one, 0);
  const isSame = opened.length + later === changed.length;
  const { lost } = night.coverage.at(-1) ?? {};
  return [
    ...(isSame ? [] : [`${changed.length} ${change}: ${opened.length} ${kind}, ${later} later`]),
    ...(change === 'lost' && lost !== changed.length ? [`coverage says ${lost} lost of ${changed.length}`] : []),
  ];
}

function findMachine(source: string, id: string, { devices }: Night): string | undefined {
  return devices.find((row) => row.source === source && row.facts.id === id)?.machine;
}
