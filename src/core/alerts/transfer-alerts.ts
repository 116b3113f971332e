/** A machine with an open alert is not reported again when its record changes: the alert moves to the new record. */
import { toDeviceKey } from '../device/match-devices.ts';
import { type AlertEvent, toDeviceAlertKey } from '../facts/alert-event.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import { type AlertState, isSent } from '../facts/remembered.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { type NightAlertInput, toAlertDetails } from './alert-input.ts';
import { type AlertDetails, describeAlertScope, type OpenAlerts } from './reconcile.ts';

/** The alert under one key goes on under another, with what is said of the new record. */
interface Transfer {
  readonly from: string;
  readonly to: string;
}

/** Only a complete source says which record stands for a machine. */
export function listTransfers(night: NightAlertInput): Transfer[] {
  const devices = listWholeDevices(night);
  const moved = devices.flatMap((device): Transfer[] => {
    const match = night.findMatch(device.source, device.facts.id);
    return match?.how === 'moved'
      ? [{ from: toDeviceAlertKey(match.source, match.known.facts.id), to: toAlertKey(device) }]
      : [];
  });
  const superseded = devices.filter(({ judgement }) => judgement.excludedBecause === 'superseded');
  const replaced = superseded.flatMap((device): Transfer[] => {
    const newer = findSuccessor(device, night);
    return newer?.judgement.counted ? [{ from: toAlertKey(device), to: toAlertKey(newer) }] : [];
  });
  return [...moved, ...replaced];
}

/** The record that stands for a superseded one, counted or not; undefined where its source does not say. */
export function findSuccessor(device: JudgedDevice, { findDevice }: NightAlertInput): JudgedDevice | undefined {
  let successor: JudgedDevice | undefined = device;
  // The newest of its kind may be superseded itself, by a record of another kind.
  while (successor?.judgement.excludedBecause === 'superseded') {
    const { source = '', id = '' } = successor.judgement.supersededBy ?? {};
    successor = findDevice(toDeviceAlertKey(source, id));
  }
  return successor;
}

function listWholeDevices({ sources }: Pick<NightAlertInput, 'sources'>): JudgedDevice[] {
  return sources.flatMap(({ source, devices }) => (isWhole(source.soundness) ? devices : []));
}

function toAlertKey({ source, facts }: JudgedDevice): string {
  return toDeviceAlertKey(source, facts.id);
}

interface TransferredAlerts {
  /** Under a key that nobody was sent: the one they were sent under is their `sentKey`. */
  readonly moved: readonly AlertState[];
  /** As they were; the other record, whose key is `to`, has an alert of its own. */
  readonly merged: readonly { readonly alert: AlertState; readonly to: string }[];
}

/** Gives alerts their new keys in `open`, before the families speak. */
export function transferAlerts(transfers: readonly Transfer[], open: OpenAlerts): TransferredAlerts {
  const merged: { alert: AlertState; to: string }[] = [];
  for (const { from, to } of transfers) {
    const alert = open.get(from);
    if (alert === undefined || from === to) {
      continue;
    }
    open.delete(from);
    if (open.has(to)) {
      merged.push({ alert, to });
      continue;
    }
    const { sentKey = from, ...kept } = alert;
    open.set(to, { ...kept, key: to, ...(isSent(alert) && sentKey !== to && { sentKey }) });
  }
  return {
    moved: [...open.values()].filter(({ sentKey }) => sentKey !== undefined),
    merged: merged.filter(({ alert }) => isSent(alert)),
  };
}

/**
 * The run's events with what programs need to keep their keys right: old keys end, and new ones open. An alert that
 * ends with its move ends under the key that was sent; one of which nobody can tell yet whether it goes on keeps it.
 */
export function addTransferEvents(
  events: readonly AlertEvent[],
  { moved, merged }: TransferredAlerts,
  open: OpenAlerts,
  describe: (alert: AlertState) => AlertDetails | undefined,
  slot: string,
): AlertEvent[] {
  const sent = new Map(moved.map((alert) => [alert.key, alert]));
  const before = new Set(events.map(({ key }) => key));
  // A machine that is back under its own key within one run moved nowhere.
  const isStillOpen = (key: string) => {
    const current = open.get(key);
    return current !== undefined && isSent(current) && current.sentKey === undefined;
  };
  const own = events.flatMap((event): AlertEvent[] => {
    const { sentKey, sentAs = [] } = sent.get(event.key) ?? {};
    if (sentKey === undefined) {
      return [event];
    }
    if (event.phase !== 'over') {
      return [{ ...event, previousKey: sentKey }];
    }
    return before.has(sentKey) || isStillOpen(sentKey) ? [] : [{ ...event, key: sentKey, sentAs }];
  });
  const closed = merged.flatMap(({ alert, to }) => close(alert, to, slot));
  const opened: AlertEvent[] = [];
  for (const alert of moved.filter(({ key }) => open.has(key))) {
    const { sentKey: previousKey = '', ...current } = open.get(alert.key) ?? alert;
    const said = own.find(({ key }) => key === alert.key);
    const details = said ?? describe(alert) ?? (isStillOpen(previousKey) ? {} : undefined);
    if (details !== undefined) {
      const { key, kind, since } = current;
      open.set(key, { ...current, sentAs: [describeAlertScope(kind, details)] });
      closed.push(close(alert, key, slot));
      if (said === undefined) {
        opened.push({ kind, key, phase: 'first', slot, since, ...details, previousKey, isBookkeeping: true });
      }
    }
  }
  const named = new Set(own.map(({ key }) => key));
  return [
    ...own,
    ...closed.filter(({ key }) => !named.has(key) && !isStillOpen(key)),
    ...opened.filter(({ key }) => !named.has(key)),
  ];
}

function close({ key, sentKey = key, kind, since, sentAs = [] }: AlertState, to: string, slot: string): AlertEvent {
  const text = `The machine has another record: see ${to}.`;
  return { kind, key: sentKey, phase: 'over', slot, since, text, sentAs, isBookkeeping: true };
}

/** What is said of the machine of an alert under its new key; undefined while nobody can tell whether it lacks the agent. */
export function describeMoved({ key }: AlertState, { findDevice }: NightAlertInput): AlertDetails | undefined {
  const device = findDevice(key);
  return device?.judgement.status === 'Not Installed' ? toAlertDetails(device) : undefined;
}

/** Finds devices of complete sources by the key of their alert. */
export function createDeviceFinder(night: Pick<NightAlertInput, 'sources'>): NightAlertInput['findDevice'] {
  let byKey: ReadonlyMap<string, JudgedDevice> | undefined;
  return (key) => {
    byKey ??= new Map(listWholeDevices(night).map((device) => [toAlertKey(device), device]));
    return byKey.get(key);
  };
}

/**
 * Records, by `toDeviceKey`, of machines whose new record is in a source that is not complete in this run: their alerts
 * wait for the run in which it is.
 */
export function findDevicesAwaitingTransfer(night: NightAlertInput): ReadonlySet<string> {
  const waiting = night.sources.flatMap(({ source, devices }) => (isWhole(source.soundness) ? [] : devices));
  return new Set(
    waiting.flatMap((device) => {
      const match = night.findMatch(device.source, device.facts.id);
      return match?.how === 'moved' ? toDeviceKey(match.source, match.known.facts.id) : [];
    }),
  );
}
