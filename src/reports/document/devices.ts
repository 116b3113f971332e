/** The devices of the report document, with all facts about each. */

import { indexBy } from '../../base/index-by.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { pickPlaces } from '../../core/facts/device-places.ts';
import type { Change, JudgedDevice, Night } from '../../core/facts/judged.ts';
import type { Entry } from '../../core/facts/ledger.ts';
import type { ChangeKind, DifferenceKind } from '../../core/facts/vocabulary.ts';
import { listTransitions as listEntryTransitions } from '../../core/ledger/letters.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { readDeviceFields } from '../fields.ts';
import { isNotable } from './groups.ts';

/** A device for readers: its known fields of `reports/fields.ts`, and values that have no column. */
export type ReportedDevice = ReturnType<typeof toReportedDevice>;

export type ChangeReport = ReturnType<typeof toChangeReport<ChangeKind>>;

/** Devices to name; devices.csv has the others. */
const mostNamed = 10;

/** Names unread devices of a source, such as `MacBook (C02ABC0001), MacBook (C02ABC0002), and 3 more`. */
export function nameUnread(devices: readonly ReportedDevice[], source: string): string {
  const unread = devices.filter((device) => device.source === source && device.reason === 'unread');
  const names = unread.map(({ id, name = id, serialNumber = '–' }) => `${name} (${serialNumber})`);
  const rest = names.splice(mostNamed).length;
  return names.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

export function listReportedDevices(night: Night): ReportedDevice[] {
  const named = [...night.changes, ...night.groups.filter(isNotable)];
  const namedKeys = new Set(named.map(({ source, device }) => toDeviceKey(source, device.id)));
  const chosen = night.devices.filter((device) => isReported(device) || namedKeys.has(toReportedKey(device)));
  const entries = indexEntries(night);
  return chosen.map((device) => {
    const entry = isStanding(device) ? entries.get(device.machine) : undefined;
    return toReportedDevice(device, entry ? listStatusChanges(entry) : []);
  });
}

/** The entries of the ledger after the run, by name. */
export function indexEntries({ state }: Night): ReadonlyMap<string, Entry> {
  return indexBy(state.ledger, ({ name }) => name);
}

/** Whether the device's record is the standing one, which alone has the history of its machine. */
export function isStanding({ judgement }: JudgedDevice): boolean {
  return judgement.supersededBy === undefined;
}

/** Changes of status, without those to gone. */
function listStatusChanges({ history }: Entry) {
  return listEntryTransitions(history).flatMap(({ to, ...rest }) => (to === undefined ? [] : { ...rest, to }));
}

export function toDeviceKey(source: string, id: string): string {
  return `${source}\u0000${id}`;
}

function toReportedDevice(device: JudgedDevice, transitions: ReturnType<typeof listStatusChanges>) {
  const { excludedBecause, supersededBy, isContradicted, acknowledgement: acknowledged } = device.judgement;
  const { answers } = device.facts;
  return {
    ...omitUndefined(readDeviceFields(device)),
    ...omitUndefined({
      replacedBy: excludedBecause === 'superseded' ? supersededBy : undefined,
      contradicted: isContradicted || undefined,
      contradictedByConsole: device.lists?.isContradicted,
      answers: answers.length > 1 ? answers : undefined,
      acknowledged,
    }),
    transitions,
  };
}

export function toReportedKey({ source, facts }: JudgedDevice): string {
  return toDeviceKey(source, facts.id);
}

/**
 * Whether report.json has the device: it needs action, is not counted, has an old or contradicted answer, could not be
 * read, is not seen by its console, or is not expected.
 */
function isReported({ judgement: { counted, status, stale, isContradicted, unread }, lists }: JudgedDevice): boolean {
  const isNamedByList = lists?.silent === true || lists?.expected === false;
  return !counted || status === 'Not Installed' || stale || isContradicted || unread !== undefined || isNamedByList;
}

export function toChangeReport<Kind extends DifferenceKind>({ device, kind: change, ...rest }: Change<Kind>) {
  const { id, name, serialNumber } = device;
  const places = pickPlaces(device);
  const { source, operatingSystem: platform, from, to, reason } = rest;
  return omitUndefined({ source, platform, id, name, serialNumber, from, to, change, reason, ...places });
}

/**
 * Runs of which any two can be compared without their reports. With one run a night: the last one, and those of the 30
 * days before it.
 */
const comparedRuns = 31;

/** The slot of the first run with which later ones can be compared. */
export function findFirstCompared({ state, slot: last }: Night): string {
  const slots = state.history.map(({ slot }) => slot).filter((slot) => slot <= last);
  return slots.slice(-comparedRuns)[0] ?? last;
}

/** Lists each device's transitions; a device that left has no status after its last one. */
export function listTransitions(night: Night) {
  const first = findFirstCompared(night);
  const isCompared = (slot: string) => slot > first && slot <= night.slot;
  return night.state.ledger
    .flatMap(({ standing: { source, id, name }, history }) =>
      listEntryTransitions(history)
        .filter(({ slot }) => isCompared(slot))
        .map(({ slot, from, to }) => ({ slot, source, id, ...omitUndefined({ name, from, to }) })),
    )
    .sort(
      (left, right) =>
        compareCodePoints(left.slot, right.slot) ||
        compareCodePoints(left.source, right.source) ||
        compareCodePoints(left.id, right.id),
    );
}
