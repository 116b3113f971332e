/**
 * What the lists of machines say: machines that are enrolled nowhere, devices that are silent, and that a list is not
 * sound. A list's first sound run is its baseline: one event for all. Where a list says nothing, nothing opens or ends.
 */
import { toDeviceKey } from '../device/match-devices.ts';
import { readRealSerialNumber } from '../device/serial-numbers.ts';
import { maximumNamedDevices } from '../facts/alert-event.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import { type ListName, listNames, type UnenrolledMachine } from '../facts/lists.ts';
import type { Coverage } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { indexExpectedRows, readListSerial } from '../lists/list-rows.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { isCanary, type NightAlertInput, type ReportedAlerts, toAlertDetails } from './alert-input.ts';
import { toListedDevice } from './overdue-alerts.ts';
import type { AlertCondition, AlertDetails } from './reconcile.ts';

/** A list that is not sound is said once, and again when it is so in another way. */
export function decideListAlerts({ lists }: NightAlertInput): readonly AlertCondition[] {
  return listNames.map((name): AlertCondition => {
    const key = `list:${name}`;
    const { soundness = 'sound', problem } = lists[name] ?? {};
    if (problem !== undefined) {
      return { state: 'firing', key, kind: 'list.unsound', about: soundness, details: { text: problem.message } };
    }
    const text = lists[name] ? `lists.${name} is sound again.` : `The settings name no lists.${name} any more.`;
    return { state: 'resolved', key, details: { text } };
  });
}

export function decideUnenrolledAlerts(night: NightAlertInput, reported: ReportedAlerts): readonly AlertCondition[] {
  const { facts, lists, total } = night;
  const { unenrolled } = lists.expected ?? {};
  const toKey = ({ serialNumber }: UnenrolledMachine) => `${unenrolledPrefix}${readListSerial({ serialNumber })}`;
  if (unenrolled === undefined) {
    return lists.expected ? [] : endAll('expected', unenrolledPrefix);
  }
  const serials = unenrolled.map(({ serialNumber }) => serialNumber);
  const count = formatCount(serials.length);
  const others = formatCount(total.notExpected ?? 0);
  const text = `${count} of ${formatCount(lists.expected?.expected ?? 0)} machines on the list ${pluralize(serials.length, 'is', 'are')} enrolled nowhere${nameFirst(serials)}; ${others} counted ${pluralize(total.notExpected ?? 0, 'device is', 'devices are')} not on it.`;
  const first = decideBaseline('expected', night, 'enrolledNowhere', { text, figures: { machines: serials.length } });
  let expected: ReturnType<typeof indexExpectedRows>['bySerial'] | undefined;
  const resolve = ({ key }: { readonly key: string }) => {
    const serial = key.slice(unenrolledPrefix.length);
    expected ??= facts.lists?.expected && indexExpectedRows(facts.lists.expected, facts.slot).bySerial;
    const isExpected = expected?.get(serial)?.isExpired === false;
    return { details: { text: `${serial} is ${isExpected ? 'enrolled now' : 'no longer expected'}.` } };
  };
  return [
    first.condition,
    ...unenrolled.map((machine): AlertCondition => {
      const key = toKey(machine);
      const { serialNumber, owner, site, file } = machine;
      const details = { text: [serialNumber, owner, site, file].filter((word) => word !== undefined).join(', ') };
      return decideNamed(key, { kind: 'machine.unenrolled', details }, first.isFirst, reported);
    }),
    { state: 'others', prefix: unenrolledPrefix, resolve },
  ];
}

/** A machine keeps its alert under another record, since its serial number is the key. */
export function decideSilentAlerts(night: NightAlertInput, reported: ReportedAlerts): readonly AlertCondition[] {
  const { lists, sources, total, facts } = night;
  if (lists.reporting?.soundness !== 'sound') {
    return lists.reporting ? [] : endAll('reporting', silentPrefix);
  }
  const watched = sources
    .filter(({ source }) => isWhole(source.soundness))
    .flatMap((input) => input.devices.filter((device) => isWatched(device) && !isCanary(device, input)));
  const silent = watched.filter((device) => device.lists?.silent);
  const text = `${formatCount(total.silent ?? 0)} Installed ${pluralize(total.silent ?? 0, 'device is', 'devices are')} silent: not seen by ${pluralize(total.silent ?? 0, 'its', 'their')} console for ${facts.policy.reportingWithinDays} days.`;
  const named = silent.slice(0, maximumNamedDevices).map(toListedDevice);
  const details = { text, figures: { listed: silent.length }, ...(named.length > 0 && { first: named }) };
  const first = decideBaseline('reporting', night, 'silent', details);
  const newSources = new Set(sources.filter(({ source }) => source.first).map(({ source }) => source.name));
  const isComplete = sources.every(({ source }) => isWhole(source.soundness));
  const gone = { details: { text: 'It is no longer counted as Installed.' } };
  return [
    first.condition,
    ...watched.map((device): AlertCondition => {
      const key = `${silentPrefix}${readRealSerialNumber(device.facts) ?? toDeviceKey(device.source, device.facts.id)}`;
      const said = { kind: 'device.silent', details: describeSilent(device) } as const;
      if (device.lists?.silent === undefined) {
        return { state: 'unknown', key };
      }
      return device.lists.silent
        ? decideNamed(key, said, first.isFirst || newSources.has(device.source), reported)
        : { state: 'resolved', key, details: said.details };
    }),
    { state: 'others', prefix: silentPrefix, resolve: () => (isComplete ? gone : undefined) },
  ];
}

const unenrolledPrefix = 'unenrolled:';
const silentPrefix = 'silent:';

/** What could not be read tonight stays as it is. */
function isWatched({ judgement: { counted, status, unread } }: JudgedDevice): boolean {
  return unread !== undefined || (counted && status === 'Installed');
}

function describeSilent(device: JudgedDevice): AlertDetails {
  const { reportingAt, silent } = device.lists ?? {};
  const seen =
    reportingAt === undefined ? 'its console does not know it' : `last seen by its console ${reportingAt.slice(0, 10)}`;
  return { ...toAlertDetails(device), text: silent ? `Installed, and ${seen}` : `${seen}: it reports again.` };
}

/** One that is open, or that the baseline counted, is not said again. */
function decideNamed(
  key: string,
  said: { readonly kind: 'machine.unenrolled' | 'device.silent'; readonly details: AlertDetails },
  isCounted: boolean,
  reported: ReportedAlerts,
): AlertCondition {
  if (reported.has(key)) {
    return { state: 'unknown', key };
  }
  return isCounted ? { state: 'counted', key } : { state: 'firing', key, ...said };
}

/** Whether no run before has judged the list, since the settings name it. */
function decideBaseline(
  name: ListName,
  { facts: { slot }, previous }: NightAlertInput,
  figure: keyof Coverage,
  details: AlertDetails,
): { readonly isFirst: boolean; readonly condition: AlertCondition } {
  const wasJudged = previous?.history.some(({ coverage }) => coverage.at(-1)?.[figure] !== undefined) ?? false;
  const isFirst = previous?.lists?.[name] === undefined || !wasJudged;
  const key = `list-baseline:${name}`;
  const text = 'Later runs are compared with it.';
  return {
    isFirst,
    condition: isFirst
      ? { state: 'firing', key, kind: 'list.baseline', about: slot, details }
      : { state: 'resolved', key, details: { text, isBookkeeping: true } },
  };
}

/** The settings name the list no longer. */
function endAll(name: ListName, prefix: string): AlertCondition[] {
  const details = { text: `The settings name no lists.${name} any more.`, isBookkeeping: true } as const;
  return [
    { state: 'resolved', key: `list-baseline:${name}`, details },
    { state: 'others', prefix, resolve: () => ({ details }) },
  ];
}

function nameFirst(names: readonly string[]): string {
  const shown = names.slice(0, maximumNamedDevices).join(', ');
  return names.length === 0 ? '' : ` (${shown}${names.length > maximumNamedDevices ? ', …' : ''})`;
}
