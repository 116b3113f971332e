/** Single machines: who lost the agent, who came without it, who recovered, who keeps changing, who left. */
import { type EventDevice, removedReason, toDeviceAlertKey } from '../facts/alert-event.ts';
import { countDaysBetween } from '../facts/calendar.ts';
import type { JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { AlertState } from '../facts/remembered.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { toStandingIdentity } from '../ledger/changes.ts';
import { isInstalled, listTransitions } from '../ledger/letters.ts';
import { isOfSource } from '../record/references.ts';
import {
  describeWhere,
  type JudgedFacts,
  type NightAlertInput,
  type ReportedAlerts,
  type SourceAlertInput,
  toAlertDetails,
  toEventDevice,
} from './alert-input.ts';
import type { AlertCondition, Resolution } from './reconcile.ts';

/** Machines whose record stands in the source. A source that is not whole says nothing of its machines. */
export function decideDeviceAlerts(
  { source }: SourceAlertInput,
  night: NightAlertInput,
  reported: ReportedAlerts,
): readonly AlertCondition[] {
  if (!isWhole(source.soundness)) {
    return [];
  }
  return night.machines
    .filter(({ device }) => device.source === source.name)
    .flatMap((machine) => {
      const key = toDeviceAlertKey(machine.name);
      return decideDeviceAlert({ machine, key, alert: reported.get(key), source, night }) ?? [];
    });
}

interface DeviceAlertInput extends Pick<SourceAlertInput, 'source'> {
  readonly machine: JudgedMachine;
  readonly key: string;
  readonly night: NightAlertInput;
  /** The alert that is open under its key. */
  readonly alert: AlertState | undefined;
}

/** Undefined where nothing is open, and nothing opens. */
function decideDeviceAlert(input: DeviceAlertInput): AlertCondition | undefined {
  const { machine, key, alert, source, night } = input;
  const { device, before, after } = machine;
  const { counted, status, isBeforeRepair, excludedBecause, reason } = device.judgement;
  // An unknown status neither opens nor closes an alert.
  if (after === undefined || after === before) {
    return { state: 'unknown', key };
  }
  if (night.canaries.has(machine.name)) {
    const text = 'It is a canary now (deployment.canaries).';
    return { state: 'resolved', key, details: { ...toAlertDetails(device), text } };
  }
  // Each single change says nothing new while the machine keeps changing.
  if (counted && !isBeforeRepair && !source.first && isFlapping(after, night.facts.slot)) {
    return { state: 'firing', key, kind: 'device.flapping', details: toAlertDetails(device) };
  }
  if (status === 'Installed' && !isBeforeRepair) {
    return alert && { state: 'resolved', key, kind: 'device.recovered', details: toAlertDetails(device) };
  }
  if (!counted) {
    const left = toEventDevice(device, excludedBecause ?? reason);
    return alert && { state: 'resolved', key, ...toRemovedFromScope(describeWhere(source), left) };
  }
  return status === 'Installed' ? { state: 'unknown', key } : decideMissingMachine(input, after);
}

/** A machine that is counted and Not Installed. Held back, it is not forgotten: every run looks at it. */
function decideMissingMachine(
  { machine: { device, isOlderAnswer }, key, alert, source, night: { facts } }: DeviceAlertInput,
  entry: Entry,
): AlertCondition {
  const isReported = alert !== undefined && alert.kind !== 'device.flapping';
  const isNoNews = entry.opensNoAlert === true || isOlderAnswer;
  const isHeldBack = source.first || (alert === undefined && (isNoNews || isInGrace(device, facts.moment, facts)));
  if (device.judgement.isBeforeRepair || isReported || isHeldBack) {
    return { state: 'unknown', key };
  }
  const kind = hadAgent(entry) || alert !== undefined ? 'device.lost' : 'device.new-not-installed';
  return { state: 'firing', key, kind, details: { ...toAlertDetails(device), ...explainLateReport(device, facts) } };
}

/** Why the message comes nights after the day since which the device lacks the agent. */
function explainLateReport(
  { facts, judgement }: JudgedDevice,
  { slot, policy }: JudgedFacts,
): { readonly text?: string } {
  const { enrolledAt } = facts;
  const { notInstalledSince: since = slot } = judgement;
  if (enrolledAt === undefined || since === slot || !isInGrace({ facts }, `${since}T00:00:00Z`, { policy })) {
    return {};
  }
  return { text: `enrolled ${enrolledAt.slice(0, 10)}, and reported now that its ${policy.graceHours} hours are over` };
}

/** More changes than this within the window are one event of their own. */
const mostChanges = 3;
const changeWindowDays = 7;

function isFlapping({ history }: Entry, slot: string): boolean {
  const recent = listTransitions(history).filter(
    ({ slot: changedOn, from, to }) =>
      from !== undefined && to !== undefined && countDaysBetween(changedOn, slot) < changeWindowDays,
  );
  return recent.length > mostChanges;
}

/** The last that it was before it became Not Installed: with the agent, or not there. */
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

/** Not Installed and no longer counted: the number improves, and nobody made it better. */
function toRemovedFromScope(where: Partial<Resolution['details']>, device: EventDevice): Resolution {
  return { kind: 'count.left', details: { ...where, device } };
}

/** Ends the alerts of machines that are gone, or whose source left the settings. */
export function decideUnlistedAlerts(night: NightAlertInput): readonly AlertCondition[] {
  const prefix = toDeviceAlertKey('');
  const resolve = ({ key }: AlertState) => resolveUnlisted(key.slice(prefix.length), night);
  return [{ state: 'others', prefix, resolve }];
}

/** Undefined while the entry stands for a machine of a source of the settings. */
function resolveUnlisted(name: string, { entries, gone, sources }: NightAlertInput): Resolution | undefined {
  const left = gone.get(name);
  const entry = left?.before ?? entries.get(name);
  if (entry === undefined) {
    // Only an earlier attempt at the slot knew it, and a source that did not answer may list it.
    const isAnswered = sources.every(({ source }) => isWhole(source.soundness));
    return isAnswered ? { details: { text: 'It is no longer listed.' } } : undefined;
  }
  if (left !== undefined || entry.isGone) {
    return endGoneMachine(entry, left?.takenBy);
  }
  const isConfigured = sources.some(({ source }) => isOfSource(entry.standing, source));
  const { source, operatingSystem: platform } = entry.standing;
  const text = `Its source ${source} was removed from the settings.`;
  return isConfigured ? undefined : { details: { source, platform, text, isBookkeeping: true } };
}

function endGoneMachine({ standing, status }: Entry, takenBy: string | undefined): Resolution {
  const { source, operatingSystem: platform } = standing;
  const reason = takenBy === undefined ? removedReason : 'superseded';
  const device: EventDevice = { ...toStandingIdentity(standing), status, reason };
  const text = takenBy && `Another machine has its record now: see ${toDeviceAlertKey(takenBy)}.`;
  return toRemovedFromScope({ source, platform, ...(text !== undefined && { text }) }, device);
}
