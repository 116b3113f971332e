/** Alerts about Installed devices that the agent's console has not seen for long. */
import type { JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { type AlertInput, toAlertDetails } from './alert-input.ts';
import type { AlertEnd, FiringAlert, RuleVerdict } from './alert-rule.ts';
import { becameCanary, isEntryKnown } from './device-endings.ts';
import { describeRemovedList, isFirstListRun, readListStanding } from './list-alerts.ts';
import { endWith } from './reconcile.ts';

const prefix = 'silent:';

/** Keys are names of entries, so that a machine keeps its alert under another record. */
export function decideSilentAlerts(input: AlertInput): RuleVerdict {
  const { machines, sources } = input;
  const standing = readListStanding('reporting', input);
  const isFirst = isFirstListRun('reporting', input);
  const firstSources = new Set(sources.flatMap(({ source }) => (source.first ? [source.name] : [])));
  const silent = machines.filter((machine) => isSilent(machine, input) === true);
  return {
    prefix,
    firing: silent.map(({ name, device }): FiringAlert => {
      const isCounted = isFirst || firstSources.has(device.source) || undefined;
      const text = `Installed, and ${describeSeen(device)}`;
      const details = { ...toAlertDetails(device), text };
      return { key: `${prefix}${name}`, kind: 'device.silent', isCounted, details };
    }),
    isUnknown: (key) => {
      if (standing !== 'judged') {
        return standing === 'silent';
      }
      const name = key.slice(prefix.length);
      const machine = input.machinesByName.get(name);
      return machine === undefined ? !isEntryKnown(name, input) : isSilent(machine, input) === undefined;
    },
    describeEnd: (alert): AlertEnd => {
      if (standing === 'removed') {
        return endWith(alert, describeRemovedList('reporting'));
      }
      const name = alert.key.slice(prefix.length);
      if (input.canaries.has(name)) {
        return endWith(alert, becameCanary);
      }
      const device = input.machinesByName.get(name)?.device;
      const isWatched = device !== undefined && isInstalled(device);
      return isWatched && device.lists?.silent === false
        ? { details: { ...toAlertDetails(device), text: `${describeSeen(device)}: it reports again.` } }
        : endWith(alert, describeStanding(device));
    },
  };
}

/** Undefined while the device could not be read, its source is not whole, or the list does not say. */
function isSilent({ name, device }: JudgedMachine, { sources, canaries }: AlertInput): boolean | undefined {
  const source = sources.find((one) => one.source.name === device.source)?.source;
  if (source === undefined || !isWhole(source.soundness) || device.judgement.unread !== undefined) {
    return undefined;
  }
  return isInstalled(device) && !canaries.has(name) ? device.lists?.silent : false;
}

function isInstalled({ judgement: { counted, status } }: JudgedDevice): boolean {
  return counted && status === 'Installed';
}

/** A sentence about a machine that is no longer counted as Installed. */
function describeStanding(device: JudgedDevice | undefined): string {
  if (device === undefined) {
    return 'It is no longer listed.';
  }
  return device.judgement.counted ? 'It is Not Installed now.' : 'It is no longer counted.';
}

function describeSeen({ lists }: JudgedDevice): string {
  const { reportingAt } = lists ?? {};
  return reportingAt ? `last seen by its console ${reportingAt.slice(0, 10)}` : 'its console does not know it';
}
