/** A machine with an open alert is not reported again when its record changes: the alert moves to the new record. */
import { toDeviceKey } from '../device/match-devices.ts';
import { type AlertEvent, toDeviceAlertKey } from '../facts/alert-event.ts';
import type { FindMatch, JudgedDevice } from '../facts/judged.ts';
import { type AlertState, isSent } from '../facts/remembered.ts';
import { isWhole, type Soundness } from '../facts/vocabulary.ts';
import { toAlertDetails } from './alert-input.ts';
import { type AlertDetails, describeAlertScope, type OpenAlerts } from './reconcile.ts';

interface TransferInput {
  readonly source: { readonly name: string; readonly soundness: Soundness };
  readonly devices: readonly JudgedDevice[];
}

/** The alert under one key goes on under another, with what is said of the new record. */
interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly details: AlertDetails;
}

/** Only a complete source says which record stands for a machine. */
export function listTransfers(sources: readonly TransferInput[], findMatch: FindMatch): Transfer[] {
  const devices = sources.flatMap((one) => (isWhole(one.source.soundness) ? one.devices : []));
  const moved = devices.flatMap((device): Transfer[] => {
    const match = findMatch(device.source, device.facts.id);
    if (match?.how !== 'moved') {
      return [];
    }
    const from = toDeviceAlertKey(match.source, match.known.facts.id);
    return [{ from, to: toAlertKey(device), details: toAlertDetails(device) }];
  });
  const findSuccessor = createSuccessorFinder(sources);
  const superseded = devices.filter(({ judgement }) => judgement.excludedBecause === 'superseded');
  const replaced = superseded.flatMap((device): Transfer[] => {
    const newer = findSuccessor(device);
    return newer?.judgement.counted
      ? [{ from: toAlertKey(device), to: toAlertKey(newer), details: toAlertDetails(newer) }]
      : [];
  });
  return [...moved, ...replaced];
}

/** The record that stands for a superseded one, counted or not; undefined where its source does not say. */
export type FindSuccessor = (device: JudgedDevice) => JudgedDevice | undefined;

export function createSuccessorFinder(sources: readonly TransferInput[]): FindSuccessor {
  let byKey: ReadonlyMap<string, JudgedDevice> | undefined;
  return (device) => {
    byKey ??= new Map(
      sources.flatMap((one) => (isWhole(one.source.soundness) ? one.devices : [])).map((one) => [toAlertKey(one), one]),
    );
    let successor: JudgedDevice | undefined = device;
    // The newest of its kind may be superseded itself, by a record of another kind.
    while (successor?.judgement.excludedBecause === 'superseded') {
      const { source = '', id = '' } = successor.judgement.supersededBy ?? {};
      successor = byKey.get(toDeviceAlertKey(source, id));
    }
    return successor;
  };
}

function toAlertKey({ source, facts }: JudgedDevice): string {
  return toDeviceAlertKey(source, facts.id);
}

interface TransferredAlert extends Pick<Transfer, 'to' | 'details'> {
  /** The alert as it was sent, under its old key. */
  readonly sent: AlertState;
}

interface TransferredAlerts {
  /** They are found by the key that they have now. */
  readonly inherited: ReadonlyMap<string, TransferredAlert>;
  /** They are found by the key under which they were sent: each ends once, however often it moves. */
  readonly moved: ReadonlyMap<string, TransferredAlert>;
}

/** Gives alerts their new keys in `open`, before the families speak. */
export function transferAlerts(transfers: readonly Transfer[], open: OpenAlerts): TransferredAlerts {
  const inherited = new Map<string, TransferredAlert>();
  const moved = new Map<string, TransferredAlert>();
  for (const { from, to, details } of transfers) {
    const alert = open.get(from);
    if (alert === undefined || from === to) {
      continue;
    }
    const sent = inherited.get(from)?.sent ?? (isSent(alert) ? alert : undefined);
    open.delete(from);
    inherited.delete(from);
    if (sent !== undefined) {
      moved.set(sent.key, { sent, to, details });
    }
    if (open.has(to)) {
      continue;
    }
    const { sentAs: _, ...kept } = alert;
    if (sent === undefined) {
      open.set(to, { ...kept, key: to });
    } else {
      open.set(to, { ...kept, key: to, sentAs: [describeAlertScope(alert.kind, details)] });
      inherited.set(to, { sent, to, details });
    }
  }
  return { inherited, moved };
}

/** The run's events with what programs need to keep their keys right: old keys end, and new ones open. */
export function addTransferEvents(
  events: readonly AlertEvent[],
  { inherited, moved }: TransferredAlerts,
  open: OpenAlerts,
  slot: string,
): AlertEvent[] {
  const named = new Set(events.map(({ key }) => key));
  const own = events.map((event): AlertEvent => {
    const previousKey = inherited.get(event.key)?.sent.key ?? event.key;
    return previousKey === event.key ? event : { ...event, previousKey };
  });
  const closed = [...moved.values()].flatMap(({ sent, to }): AlertEvent[] => {
    const { key, kind, since, sentAs = [] } = sent;
    // A machine that is back under its own key within one run moved nowhere.
    const current = open.get(key);
    if (named.has(key) || (current !== undefined && isSent(current))) {
      return [];
    }
    const text = `The machine has another record: see ${to}.`;
    return [{ kind, key, phase: 'over', slot, since, text, sentAs, isBookkeeping: true }];
  });
  const opened = [...inherited].flatMap(([key, { sent, details }]): AlertEvent[] => {
    const alert = open.get(key);
    if (alert === undefined || named.has(key) || sent.key === key) {
      return [];
    }
    const { kind, since } = alert;
    const previousKey = sent.key;
    return [{ kind, key, phase: 'first', slot, since, ...details, previousKey, isBookkeeping: true }];
  });
  return [...own, ...closed, ...opened];
}

/**
 * Records, by `toDeviceKey`, of machines whose new record is in a source that is not complete in this run: their alerts
 * wait for the run in which it is.
 */
export function findDevicesAwaitingTransfer(
  sources: readonly TransferInput[],
  findMatch: FindMatch,
): ReadonlySet<string> {
  const waiting = sources.flatMap(({ source, devices }) => (isWhole(source.soundness) ? [] : devices));
  return new Set(
    waiting.flatMap((device) => {
      const match = findMatch(device.source, device.facts.id);
      return match?.how === 'moved' ? toDeviceKey(match.source, match.known.facts.id) : [];
    }),
  );
}
