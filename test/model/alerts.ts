/** "Alerts about devices are kept under the name of the entry; nothing is transferred." */
import type { Facts } from '../../src/core/facts/facts.ts';
import { hadAgent, isFlapping } from './history.ts';
import { type InstrumentPast, isBeforeRepair } from './instrument.ts';
import { isOlderAnswer } from './moving.ts';
import {
  type Alert,
  type AlertsNight,
  type Entry,
  findSource,
  isWhole,
  type ModelNight,
  type Row,
  type SourceNight,
  type Transition,
} from './rows.ts';
import { isCanary } from './soundness.ts';

interface AlertContext {
  facts: Facts;
  sources: readonly SourceNight[];
  rows: readonly Row[];
  transitions: readonly Transition[];
  instruments: ReadonlyMap<string, InstrumentPast>;
}

/**
 * `latest` is what was published last: an earlier attempt at the slot, or the run before it. What it has open stays so
 * until the entry moves on, also where the attempt that opened it is replaced.
 */
export function followAlerts(latest: ModelNight | undefined, context: AlertContext): AlertsNight {
  const { transitions, facts } = context;
  const before = latest?.alerts.open ?? [];
  const kept = before.filter(({ name }) => !isOver(findTransition(name, transitions), context));
  const opened = transitions.flatMap((transition): Alert[] => {
    const alert = kept.find(({ name }) => name === transition.after?.name);
    const kind = findKind(transition, alert, context);
    const name = transition.after?.name;
    return name === undefined || kind === undefined || kind === alert?.kind
      ? []
      : [{ name, kind, since: alert?.since ?? facts.slot }];
  });
  const stays = kept.filter(({ name }) => !opened.some((one) => one.name === name));
  const baselines = listBaselines(latest, context);
  return {
    open: [...stays, ...opened],
    opened,
    ended: before.filter((alert) => !kept.includes(alert)).map((alert) => endAlert(alert, context)),
    baselines,
    notifiedBaselines: [
      ...(latest?.facts.slot === facts.slot ? latest.alerts.notifiedBaselines : []),
      ...baselines.map(({ source }) => source),
    ],
  };
}

function findTransition(name: string, transitions: readonly Transition[]): Transition | undefined {
  return transitions.find(({ before, after }) => (after ?? before)?.name === name);
}

/**
 * "It ends when an entry that moved on is no longer counted and Not Installed, when the entry is gone, or when its source
 * leaves the settings"; and when its machine becomes a canary, about which no event is raised.
 */
function isOver(transition: Transition | undefined, context: AlertContext): boolean {
  const after = transition?.after;
  // "A source that did not answer completely changes nobody's status": what it lists is not known.
  if (transition === undefined || after === undefined) {
    return context.sources.every(isWhole);
  }
  const { machine, isWritten } = transition;
  if (findSource(context.sources, after.standing.source) === undefined) {
    return true;
  }
  if (machine === undefined || !isWritten) {
    // "Nothing opens or ends from missing data": who was gone and is listed by a source that is not whole stays open.
    return machine === undefined && after.isGone;
  }
  if (isCanary(machine, context.facts)) {
    return true;
  }
  // "Device events come back as by the age date": who is Installed by an answer of before a repair is not known yet.
  const isHeld = after.counted && isOfBeforeRepair(after, context);
  return !lacksAgent(after) && !isHeld && !keepsChanging(transition, context);
}

/** "The entry is counted and Not Installed." */
function lacksAgent({ isGone, counted, status }: Entry): boolean {
  return !isGone && counted && status === 'Not Installed';
}

function isOfBeforeRepair({ standing }: Entry, { instruments }: AlertContext): boolean {
  const instrument = instruments.get(standing.source);
  return instrument === undefined || isBeforeRepair(standing, instrument);
}

/** More than three changes in seven days are an alert of their own, while it is counted, whatever it is. */
function keepsChanging({ after, isWritten }: Transition, context: AlertContext): boolean {
  if (after === undefined || !isWritten || !after.counted || after.isGone) {
    return false;
  }
  const isFirst = findSource(context.sources, after.standing.source)?.first === true;
  return !isFirst && !isOfBeforeRepair(after, context) && isFlapping(after.history, context.facts.slot);
}

/** The kind of the alert that holds; undefined where none opens. */
function findKind(transition: Transition, alert: Alert | undefined, context: AlertContext): string | undefined {
  const { machine, before, after, isWritten } = transition;
  const { facts, sources, rows } = context;
  const source = after && findSource(sources, after.standing.source);
  // "On a night on which its entry moves on and device events are raised."
  if (machine === undefined || after === undefined || !isWritten || source === undefined || !isWhole(source)) {
    return undefined;
  }
  // "Canaries raise no device event."
  if (isCanary(machine, facts)) {
    return undefined;
  }
  if (keepsChanging(transition, context)) {
    return 'device.flapping';
  }
  // "And its answer is not from before a repair."
  if (source.first || !lacksAgent(after) || isOfBeforeRepair(after, context)) {
    return undefined;
  }
  if (alert !== undefined) {
    return alert.kind === 'device.flapping' ? 'device.lost' : alert.kind;
  }
  // "Grace … hold it back, and it fires on the first run that no longer holds it"; so does an older answer, in its own run.
  if (after.isQuiet || isOlderAnswer(before, after.standing, rows) || !isPastGrace(after.standing, facts)) {
    return undefined;
  }
  return hadAgent(after.history) ? 'device.lost' : 'device.new-not-installed';
}

/** "A device enrolled less than this ago raises no device event." */
function isPastGrace(row: Row, { moment, policy }: Facts): boolean {
  const { enrolledAt } = row.facts;
  return enrolledAt === undefined || Date.parse(moment) - Date.parse(enrolledAt) >= policy.graceHours * 3_600_000;
}

function endAlert({ name, kind: opened }: Alert, context: AlertContext): AlertsNight['ended'][number] {
  const { transitions, sources, facts } = context;
  const transition = findTransition(name, transitions);
  const after = transition?.after;
  const isListed = after !== undefined && !after.isGone && findSource(sources, after.standing.source) !== undefined;
  const machine = transition?.machine;
  const isOfCanary = isListed && transition?.isWritten === true && machine !== undefined && isCanary(machine, facts);
  const kind = isOfCanary
    ? 'canary'
    : after === undefined
      ? // Only an earlier attempt at the slot knew it.
        opened
      : isListed && after.status === 'Installed' && !isOfBeforeRepair(after, context)
        ? 'device.recovered'
        : 'count.left';
  // "When the entry is gone (where another machine took it: naming that one)."
  const taker = after?.isGone === true && transition?.isWritten === true ? transition.takenBy : undefined;
  return {
    name,
    kind,
    takenBy: transitions.find(({ machine }) => machine !== undefined && machine === taker)?.after?.name,
  };
}

/** "One `baseline`"; "the message of a first night says how many machines with an entry came Installed and are not". */
function listBaselines(latest: ModelNight | undefined, { facts, sources, transitions }: AlertContext) {
  const notifiedNow = latest?.facts.slot === facts.slot ? latest.alerts.notifiedBaselines : [];
  return sources
    .filter((source) => source.first && isWhole(source))
    .map(({ facts: { name } }) => ({
      source: name,
      cameInstalled: transitions.filter(
        ({ machine, before, after }) =>
          machine?.standing.source === name && before?.status === 'Installed' && after?.status === 'Not Installed',
      ).length,
    }))
    .filter(({ source }) => !notifiedNow.includes(source));
}
