/**
 * What the lists of machines say: machines that are enrolled nowhere, devices that are silent, and that a list is not
 * sound. A list's first sound run is its baseline: one event for all. Where a list says nothing, nothing opens or ends.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { maximumNamedDevices } from '../facts/alert-event.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import { type ListName, listNames } from '../facts/lists.ts';
import type { AlertState } from '../facts/remembered.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { readListSerial } from '../lists/list-rows.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { type NightAlertInput, type ReportedAlerts, toAlertDetails, toListedDevice } from './alert-input.ts';
import type { AlertCondition, AlertDetails, Resolution } from './reconcile.ts';

export function decideListAlerts(night: NightAlertInput, reported: ReportedAlerts): readonly AlertCondition[] {
  return [
    ...listNames.map((name) => decideListSoundness(name, night)),
    ...listNames.flatMap((name) => decideMatters(name, night, reported)),
  ];
}

/** A list that is not sound is said once, and again when it is so in another way. */
function decideListSoundness(name: ListName, { lists }: NightAlertInput): AlertCondition {
  const key = toListKey(name);
  const { soundness, problem } = lists[name] ?? {};
  if (problem !== undefined) {
    return { state: 'firing', key, kind: 'list.unsound', about: soundness, details: { text: problem.message } };
  }
  const text = lists[name] ? `lists.${name} is sound again.` : describeRemovedList(name);
  return { state: 'resolved', key, details: { text } };
}

export function toListKey(name: ListName): string {
  return `list:${name}`;
}

function describeRemovedList(name: ListName): string {
  return `The settings name no lists.${name} any more.`;
}

/** What a list opens an alert for, each, after its first run. */
interface ListMatters {
  readonly baseline: AlertDetails;
  /** Undefined where nobody can tell whether it holds. Another event counts what `isCounted`. */
  readonly matters: readonly {
    readonly key: string;
    readonly holds: boolean | undefined;
    readonly isCounted?: boolean;
    readonly details: AlertDetails;
  }[];
  readonly resolve: (alert: AlertState) => Resolution | undefined;
}

/** The run's figure is there where the list was judged. */
const families = {
  expected: { prefix: 'unenrolled:', kind: 'machine.unenrolled', figure: 'enrolledNowhere', describe: listUnenrolled },
  reporting: { prefix: 'silent:', kind: 'device.silent', figure: 'silent', describe: listSilent },
} as const;

/** What is open, or what the baseline counted, is not said again. */
function decideMatters(name: ListName, night: NightAlertInput, reported: ReportedAlerts): AlertCondition[] {
  const { facts, lists, previous, total } = night;
  const { prefix, kind, figure, describe } = families[name];
  const key = `list-baseline:${name}`;
  if (total[figure] === undefined) {
    const details = { text: describeRemovedList(name), isBookkeeping: true } as const;
    const others: AlertCondition = { state: 'others', prefix, resolve: () => ({ details }) };
    return lists[name] ? [] : [{ state: 'resolved', key, details }, others];
  }
  const { baseline, matters, resolve } = describe(night, prefix);
  const wasJudged = previous?.history.some(({ coverage }) => coverage.at(-1)?.[figure] !== undefined) ?? false;
  const isFirst = previous?.lists?.[name] === undefined || !wasJudged;
  const known: AlertDetails = { text: 'Later runs are compared with it.', isBookkeeping: true };
  return [
    isFirst
      ? { state: 'firing', key, kind: 'list.baseline', about: facts.slot, details: baseline }
      : { state: 'resolved', key, details: known },
    ...matters.map(({ key: own, holds, isCounted = false, details }): AlertCondition => {
      if (holds === undefined || (holds && reported.has(own))) {
        return { state: 'unknown', key: own };
      }
      if (!holds) {
        return { state: 'resolved', key: own, details };
      }
      return isFirst || isCounted ? { state: 'counted', key: own } : { state: 'firing', key: own, kind, details };
    }),
    { state: 'others', prefix, resolve },
  ];
}

function listUnenrolled({ sources, total, lists }: NightAlertInput, prefix: string): ListMatters {
  const { expected: all = 0, unenrolled = [] } = lists.expected ?? {};
  const serials = unenrolled.map(({ serialNumber }) => serialNumber);
  const [count, others] = [serials.length, total.notExpected ?? 0];
  const more = count > maximumNamedDevices ? ', …' : '';
  const names = count === 0 ? '' : ` (${serials.slice(0, maximumNamedDevices).join(', ')}${more})`;
  const text = `${formatCount(count)} of ${formatCount(all)} machines on the list ${pluralize(count, 'is', 'are')} enrolled nowhere${names}; ${formatCount(others)} counted ${pluralize(others, 'device is', 'devices are')} not on it.`;
  // Made where an alert ends, which few runs have.
  let enrolled: ReadonlySet<string | undefined> | undefined;
  return {
    baseline: { text, figures: { machines: count } },
    matters: unenrolled.map(({ serialNumber, owner, site, file }) => {
      const words = [serialNumber, owner, site, file].filter((word) => word !== undefined);
      const details = { text: words.join(', '), ...omitUndefined({ site }) };
      return { key: `${prefix}${readListSerial({ serialNumber })}`, holds: true, details };
    }),
    resolve: ({ key }) => {
      const serial = key.slice(prefix.length);
      enrolled ??= new Set(sources.flatMap(({ devices }) => devices.map(({ facts }) => readListSerial(facts))));
      return { details: { text: `${serial} is ${enrolled.has(serial) ? 'enrolled now' : 'no longer expected'}.` } };
    },
  };
}

/** A machine keeps its alert under another record, since the name of its entry is the key. */
function listSilent({ sources, machines, canaries, total, facts }: NightAlertInput, prefix: string): ListMatters {
  const whole = sources.filter(({ source }) => isWhole(source.soundness));
  const names = new Set(whole.map(({ source }) => source.name));
  const watched = machines
    .filter(({ name, device }) => names.has(device.source) && isWatched(device) && !canaries.has(name))
    .map(({ device }) => device);
  const silent = watched.filter(({ lists }) => lists?.silent);
  const count = total.silent ?? 0;
  const text = `${formatCount(count)} Installed ${pluralize(count, 'device is', 'devices are')} silent: not seen by ${pluralize(count, 'its', 'their')} console for ${facts.policy.reportingWithinDays} days.`;
  const first = silent.slice(0, maximumNamedDevices).map(toListedDevice);
  const firstSources = new Set(sources.flatMap(({ source }) => (source.first ? [source.name] : [])));
  const gone = { details: { text: 'It is no longer counted as Installed.' } };
  return {
    baseline: { text, figures: { listed: silent.length }, ...(first.length > 0 && { first }) },
    matters: watched.map((device) => ({
      key: `${prefix}${device.machine}`,
      holds: device.lists?.silent,
      isCounted: firstSources.has(device.source),
      details: describeSilent(device),
    })),
    resolve: () => (whole.length === sources.length ? gone : undefined),
  };
}

/** A device that could not be read stays as it is. */
function isWatched({ judgement: { counted, status, unread } }: JudgedDevice): boolean {
  return unread !== undefined || (counted && status === 'Installed');
}

function describeSilent(device: JudgedDevice): AlertDetails {
  const { reportingAt, silent } = device.lists ?? {};
  const seen = reportingAt ? `last seen by its console ${reportingAt.slice(0, 10)}` : 'its console does not know it';
  return { ...toAlertDetails(device), text: silent ? `Installed, and ${seen}` : `${seen}: it reports again.` };
}
