/**
 * Alerts about single machines: those that lack the agent, and those that keep changing. The alert of a machine that
 * lacks the agent opens in the first run in which nothing holds it back.
 */
import { toDeviceAlertKey } from '../facts/alert-event.ts';
import type { AlertHold, JudgedDevice, JudgedMachine, JudgedSource } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { AlertState } from '../facts/remembered.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { isInstalled, listTransitions } from '../ledger/letters.ts';
import { countDaysBetween } from '../time/calendar.ts';
import { type AlertInput, type JudgedFacts, toAlertDetails } from './alert-input.ts';
import type { FiringAlert, RuleVerdict } from './alert-rule.ts';
import { describeDeviceEnd, isEntryKnown, isOfRemovedSource } from './device-endings.ts';

export function decideDeviceAlerts(input: AlertInput, verdicts: ReadonlyMap<string, MachineVerdict>): RuleVerdict {
  const prefix = toDeviceAlertKey('');
  return {
    prefix,
    firing: [...verdicts.values()].flatMap(({ fires }) => fires ?? []),
    isUnknown: (key) => {
      const name = key.slice(prefix.length);
      const verdict = verdicts.get(name);
      const { after } = input.machinesByName.get(name) ?? {};
      if (after !== undefined && isOfRemovedSource(after, input.sources)) {
        return false;
      }
      return verdict === undefined ? !isEntryKnown(name, input) : verdict.heldBack !== undefined;
    },
    describeEnd: (alert) => describeDeviceEnd(alert, alert.key.slice(prefix.length), input),
  };
}

/** One of three verdicts: the machine's alert fires, it neither opens nor ends in this run, or (empty) it has no reason. */
export interface MachineVerdict {
  readonly fires?: FiringAlert;
  readonly heldBack?: AlertHold;
}

/** Verdicts on the machines of the run by name, ordered by source and machine. */
export function judgeMachines(input: AlertInput): ReadonlyMap<string, MachineVerdict> {
  const { sources, machines } = input;
  const bySource = Map.groupBy(machines, ({ device }) => device.source);
  return new Map(
    sources.flatMap(({ source }) =>
      (bySource.get(source.name) ?? []).map((machine) => [machine.name, judgeMachine(machine, source, input)] as const),
    ),
  );
}

function judgeMachine(
  machine: JudgedMachine,
  source: JudgedSource,
  { open, facts, canaries }: Pick<AlertInput, 'open' | 'facts' | 'canaries'>,
): MachineVerdict {
  const { name, device, before, after } = machine;
  const { counted, status, isBeforeRepair } = device.judgement;
  if (!isWhole(source.soundness)) {
    return { heldBack: 'source' };
  }
  if (after === undefined || after === before) {
    return { heldBack: 'unreadable' };
  }
  if (canaries.has(name) || !counted) {
    return {};
  }
  if (isBeforeRepair) {
    return { heldBack: 'repair' };
  }
  const key = toDeviceAlertKey(name);
  // A machine that keeps changing has this one alert instead of one for each change.
  if (!source.first && isFlapping(after, facts.slot)) {
    return { fires: { key, kind: 'device.flapping', details: toAlertDetails(device) } };
  }
  if (status === 'Installed') {
    return {};
  }
  const alert = open.get(key);
  const hold = source.first ? 'first-run' : alert === undefined ? findHold(machine, after, facts) : undefined;
  if (hold !== undefined) {
    return { heldBack: hold };
  }
  const details = { ...toAlertDetails(device), ...explainLateReport(device, facts) };
  return { fires: { key, kind: findMissingKind(after, alert), details } };
}

/** The reason why an alert that is not open yet does not open in this run, if there is one. */
function findHold({ device, isOlderAnswer }: JudgedMachine, after: Entry, facts: JudgedFacts): AlertHold | undefined {
  if (after.opensNoAlert) {
    return 'first-run';
  }
  if (isOlderAnswer) {
    return 'older-answer';
  }
  return isInGrace(device, facts.moment, facts) ? 'grace' : undefined;
}

/** An open alert keeps its kind; one that was about a machine that kept changing becomes `device.lost`. */
function findMissingKind(after: Entry, alert: AlertState | undefined): 'device.lost' | 'device.new-not-installed' {
  if (alert?.kind === 'device.lost' || alert?.kind === 'device.new-not-installed') {
    return alert.kind;
  }
  return hadAgent(after) || alert !== undefined ? 'device.lost' : 'device.new-not-installed';
}

/** The reason why the message comes later than the day since which the device lacks the agent. */
function explainLateReport(
  { facts, judgement }: JudgedDevice,
  { slot, policy }: JudgedFacts,
): { readonly text?: string } {
  const { enrolledAt } = facts;
  const { notInstalledSince: since = slot } = judgement;
  if (enrolledAt === undefined || since === slot || !isInGrace({ facts }, `${since}T00:00:00Z`, { policy })) {
    return {};
  }
  return { text: `enrolled ${enrolledAt.slice(0, 10)}; its ${policy.graceHours} hours of grace are over` };
}

/** Status changes within the window above which a machine has one alert for changing instead. */
const mostChanges = 3;
const changeWindowDays = 7;

function isFlapping({ history }: Entry, slot: string): boolean {
  const recent = listTransitions(history).filter(
    ({ slot: changedOn, from, to }) =>
      from !== undefined && to !== undefined && countDaysBetween(changedOn, slot) < changeWindowDays,
  );
  return recent.length > mostChanges;
}

/** Whether the machine had the agent, rather than being gone, before it became Not Installed. */
function hadAgent({ history }: Entry): boolean {
  const before = history.findLast(([, letter]) => letter === '-' || isInstalled(letter));
  return before !== undefined && isInstalled(before[1]);
}

function isInGrace(
  { facts }: Pick<JudgedDevice, 'facts'>,
  moment: string,
  { policy }: Pick<JudgedFacts, 'policy'>,
): boolean {
  const { enrolledAt } = facts;
  return enrolledAt !== undefined && Date.parse(moment) - Date.parse(enrolledAt) < policy.graceHours * 3_600_000;
}
