/** The ends of alerts about machines, from the machine's judgement or its entry. */
import { type EventDevice, removedReason, toDeviceAlertKey } from '../facts/alert-event.ts';
import type { JudgedMachine } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { AlertState } from '../facts/remembered.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { toStandingIdentity } from '../ledger/changes.ts';
import { isOfSource } from '../record/references.ts';
import { type AlertInput, toAlertDetails, toEventDevice } from './alert-input.ts';
import type { AlertEnd } from './alert-rule.ts';
import { endWith } from './reconcile.ts';

/** Whether the run knows that a machine without a record in it is gone, or that its source left the settings. */
export function isEntryKnown(name: string, { entries, gone, sources }: AlertInput): boolean {
  const left = gone.get(name);
  const entry = left?.before ?? entries.get(name);
  if (entry === undefined) {
    // Only an earlier attempt at the slot listed it, and a source that did not answer may list it.
    return sources.every(({ source }) => isWhole(source.soundness));
  }
  return left !== undefined || entry.isGone === true || isOfRemovedSource(entry, sources);
}

/** No source of the settings has the entry's standing record, so that no answer changes the entry any more. */
export function isOfRemovedSource({ standing }: Entry, sources: AlertInput['sources']): boolean {
  return sources.every(({ source }) => !isOfSource(standing, source));
}

export function describeDeviceEnd(alert: AlertState, name: string, input: AlertInput): AlertEnd {
  const machine = input.machinesByName.get(name);
  if (machine?.after !== undefined && !isOfRemovedSource(machine.after, input.sources)) {
    return describeMachineEnd(machine, input);
  }
  const left = input.gone.get(name);
  const entry = left?.before ?? input.entries.get(name);
  if (entry === undefined) {
    return endWith(alert, 'It is no longer listed.');
  }
  if (left !== undefined || entry.isGone) {
    return endGoneMachine(entry, left?.takenBy);
  }
  const { source } = entry.standing;
  return leaveCount(entry, removedReason, `Its source ${source} was removed from the settings.`);
}

export const becameCanary = 'It is a canary now (deployment.canaries).';

function describeMachineEnd({ name, device }: JudgedMachine, { canaries }: AlertInput): AlertEnd {
  const { status, isBeforeRepair, excludedBecause, reason } = device.judgement;
  const details = toAlertDetails(device);
  if (canaries.has(name)) {
    return { details: { ...details, text: becameCanary } };
  }
  if (status === 'Installed' && !isBeforeRepair) {
    return { kind: 'device.recovered', details };
  }
  // Not Installed and no longer counted: the number improves, although the machine still lacks the agent.
  return { kind: 'count.left', details: { ...details, device: toEventDevice(device, excludedBecause ?? reason) } };
}

function endGoneMachine(entry: Entry, takenBy: string | undefined): AlertEnd {
  return takenBy === undefined
    ? leaveCount(entry, removedReason)
    : leaveCount(entry, 'superseded', `Another machine has its record now: see ${toDeviceAlertKey(takenBy)}.`);
}

function leaveCount({ standing, status }: Entry, reason: EventDevice['reason'], text?: string): AlertEnd {
  const { source, operatingSystem: platform } = standing;
  const device: EventDevice = { ...toStandingIdentity(standing), status, reason };
  return { kind: 'count.left', details: { source, platform, device, ...(text !== undefined && { text }) } };
}
