/** Single devices: who lost the agent, who came without it, who recovered, who keeps changing, who left. */
import { toDeviceKey } from '../device/match-devices.ts';
import { type EventDevice, removedReason, toDeviceAlertKey } from '../facts/alert-event.ts';
import { countDaysBetween } from '../facts/calendar.ts';
import type { Facts } from '../facts/facts.ts';
import type { BaselineMatch, JudgedDevice } from '../facts/judged.ts';
import type { AlertState } from '../facts/remembered.ts';
import { isWhole } from '../facts/vocabulary.ts';
import {
  describeWhere,
  isCanary,
  type NightAlertInput,
  type ReportedAlerts,
  type SourceAlertInput,
  toAlertDetails,
  toDeviceIdentity,
  toEventDevice,
} from './alert-input.ts';
import type { AlertCondition, Resolution } from './reconcile.ts';
import { findDevicesAwaitingTransfer, findSuccessor } from './transfer-alerts.ts';

/** A source that is not complete says nothing of its devices. */
export function decideDeviceAlerts(
  input: SourceAlertInput,
  night: NightAlertInput,
  reported: ReportedAlerts,
): readonly AlertCondition[] {
  const { name, soundness, first } = input.source;
  if (!isWhole(soundness)) {
    return [];
  }
  const decide = first ? decideBaselineDevice : decideDeviceAlert;
  const conditions = input.devices.flatMap((device) => {
    const key = toDeviceAlertKey(name, device.facts.id);
    // What is not known opens and ends nothing.
    if (device.judgement.unread !== undefined) {
      return { state: 'unknown' as const, key };
    }
    const match = night.findMatch(name, device.facts.id);
    return decide({ device, match, key, input, night, alert: reported.get(key) }) ?? [];
  });
  const prefix = toDeviceAlertKey(name, '');
  // Until the last run, the name may have been that of a source of another kind.
  const text = 'The name of its source belongs to another source now.';
  const renamed = { source: name, text, isBookkeeping: true } as const;
  return first
    ? [{ state: 'others', prefix, resolve: () => ({ details: renamed }) }, ...conditions]
    : [...conditions, { state: 'others', prefix, resolve: createUnlistedResolver(input, night) }];
}

interface DeviceAlertInput {
  readonly device: JudgedDevice;
  /** The device of a baseline that it is. */
  readonly match: BaselineMatch | undefined;
  readonly key: string;
  readonly input: SourceAlertInput;
  readonly night: NightAlertInput;
  /** What is open under its key. */
  readonly alert: AlertState | undefined;
}

/** One `baseline` event counts the devices of a source's first run, which opens their alerts. */
function decideBaselineDevice({ device, key, input, alert }: DeviceAlertInput): AlertCondition | undefined {
  if (alert !== undefined) {
    return { state: 'unknown', key };
  }
  const needsAction =
    device.judgement.counted && device.judgement.status === 'Not Installed' && !isCanary(device, input);
  return needsAction ? { state: 'counted', key } : undefined;
}

/** Undefined where nothing is open, and nothing opens. */
function decideDeviceAlert({ device, match, key, input, night, alert }: DeviceAlertInput): AlertCondition | undefined {
  const { facts } = night;
  if (device.judgement.excludedBecause === 'superseded') {
    return decideSupersededAlert(device, key, input, alert && findSuccessor(device, night));
  }
  if (isCanary(device, input)) {
    const text = 'It is a canary now (deployment.canaries).';
    return { state: 'resolved', key, details: { ...toAlertDetails(device), text } };
  }
  // Each single change says nothing new while the device keeps changing.
  if (isFlapping(device, match, facts.slot)) {
    return { state: 'firing', key, kind: 'device.flapping', details: toAlertDetails(device) };
  }
  if (device.judgement.status === 'Installed' && !device.judgement.isBeforeRepair) {
    return alert && { state: 'resolved', key, kind: 'device.recovered', details: toAlertDetails(device) };
  }
  if (!device.judgement.counted) {
    const left = toEventDevice(device, device.judgement.excludedBecause ?? device.judgement.reason);
    return alert && { state: 'resolved', key, ...toRemovedFromScope(input, left) };
  }
  // Held back, not forgotten: every run looks at it until its grace ends, or until it is measured again.
  const isReported = alert !== undefined && alert.kind !== 'device.flapping';
  const isNewlyEnrolled = alert === undefined && isInGrace(device, facts.moment, facts);
  if (device.judgement.isBeforeRepair || isReported || isNewlyEnrolled) {
    return { state: 'unknown', key };
  }
  const kind = hadAgent(match) || alert !== undefined ? 'device.lost' : 'device.new-not-installed';
  return { state: 'firing', key, kind, details: { ...toAlertDetails(device), ...explainLateReport(device, facts) } };
}

/** Why the message comes nights after the day since which the device lacks the agent. */
function explainLateReport({ facts, judgement }: JudgedDevice, { slot, policy }: Facts): { readonly text?: string } {
  const { enrolledAt } = facts;
  const { notInstalledSince: since = slot } = judgement;
  if (enrolledAt === undefined || since === slot || !isInGrace({ facts }, `${since}T00:00:00Z`, { policy })) {
    return {};
  }
  return { text: `enrolled ${enrolledAt.slice(0, 10)}, and reported now that its ${policy.graceHours} hours are over` };
}

/** The machine's other record has the alert, unless that one is not counted: then it ends as the other record is. */
function decideSupersededAlert(
  device: JudgedDevice,
  key: string,
  input: SourceAlertInput,
  successor: JudgedDevice | undefined,
): AlertCondition {
  if (successor === undefined || successor.judgement.counted) {
    return { state: 'unknown', key };
  }
  const { status, excludedBecause, isBeforeRepair, unread } = successor.judgement;
  if (unread !== undefined || (status === 'Installed' && isBeforeRepair)) {
    return { state: 'unknown', key };
  }
  return status === 'Installed'
    ? { state: 'resolved', key, kind: 'device.recovered', details: toAlertDetails(successor) }
    : { state: 'resolved', key, ...toRemovedFromScope(input, toEventDevice(device, excludedBecause ?? 'superseded')) };
}

/** More changes than this within the window are one event of their own. */
const mostChanges = 3;
const changeWindowDays = 7;

function isFlapping({ judgement }: JudgedDevice, match: BaselineMatch | undefined, slot: string): boolean {
  const { counted, isBeforeRepair, status } = judgement;
  if (!counted || isBeforeRepair || match === undefined) {
    return false;
  }
  const { known } = match;
  const recent = known.transitions.filter(
    ({ slot: changedOn, from }) => from !== undefined && countDaysBetween(changedOn, slot) < changeWindowDays,
  );
  return recent.length + (known.status === status ? 0 : 1) > mostChanges;
}

/** Its last known change was from Installed; a device that was held back may have changed some nights ago. */
function hadAgent(match: BaselineMatch | undefined): boolean {
  const known = match?.known;
  // One that is back under its old id is new, as in the changes.
  if (known === undefined || !known.counted || match?.how === 'back') {
    return false;
  }
  return known.status === 'Installed' || known.transitions.at(-1)?.from === 'Installed';
}

function isInGrace({ facts }: Pick<JudgedDevice, 'facts'>, moment: string, { policy }: Pick<Facts, 'policy'>): boolean {
  const { enrolledAt } = facts;
  return enrolledAt !== undefined && Date.parse(moment) - Date.parse(enrolledAt) < policy.graceHours * 3_600_000;
}

/** Not Installed and no longer counted: the number improves, and nobody made it better. */
function toRemovedFromScope({ source }: SourceAlertInput, device: EventDevice): Resolution {
  return { kind: 'count.left', details: { ...describeWhere(source), device } };
}

/** Ends the alerts of devices that the platform no longer lists. */
function createUnlistedResolver(input: SourceAlertInput, night: NightAlertInput) {
  const { name } = input.source;
  const prefix = toDeviceAlertKey(name, '');
  const waiting = findDevicesAwaitingTransfer(night);
  const before = new Map(input.compared?.baseline?.devices.map((device) => [device.facts.id, device]));
  return ({ key }: AlertState): Resolution | undefined => {
    const id = key.slice(prefix.length);
    const record = toDeviceKey(name, id);
    if (waiting.has(record)) {
      return undefined;
    }
    const known = before.get(id);
    if (night.movedAway.has(record) || known?.counted === false) {
      const text = 'Another record stands for the machine, or it was removed from scope before.';
      return { details: { ...describeWhere(input.source), text, isBookkeeping: true } };
    }
    const identity = toDeviceIdentity(known?.facts ?? { id });
    return toRemovedFromScope(input, { ...identity, status: 'Not Installed', reason: removedReason });
  };
}
