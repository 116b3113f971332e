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
 * `told` is what was published last: an earlier attempt at the slot, or the run before it. What it has open stays so
 * until the entry moves on, also where the attempt that opened it is replaced.
 */
export function followAlerts(told: ModelNight | undefined, context: AlertContext): AlertsNight {
  const { transitions, facts, sources } = context;
  const before = told?.alerts.open ?? [];
  const kept = before.filter(({ name }) => !isOver(findTransition(name, transitions), sources));
  const opened = transitions.flatMap((transition): Alert[] => {
    const { before: old, after } = transition;
    const isOpen = after !== undefined && kept.some(({ name }) => name === after.name);
    return after !== undefined && !isOpen && opens(transition, after, context)
      ? [{ name: after.name, kind: findKind(old, after, facts.slot), since: facts.slot }]
      : [];
  });
  return {
    open: [...kept, ...opened],
    opened,
    ended: before.filter((alert) => !kept.includes(alert)).map(({ name }) => endAlert(name, context)),
    baselines: listBaselines(told, context),
  };
}

function findTransition(name: string, transitions: readonly Transition[]): Transition | undefined {
  return transitions.find(({ before, after }) => (after ?? before)?.name === name);
}

/**
 * "It ends when an entry that moved on is no longer counted and Not Installed, when the entry is gone, or when its source
 * leaves the settings."
 */
function isOver(transition: Transition | undefined, sources: readonly SourceNight[]): boolean {
  const after = transition?.after;
  if (transition === undefined || after === undefined) {
    return true;
  }
  const isMended = transition.isWritten && !lacksAgent(after);
  return isMended || after.isGone || findSource(sources, after.standing.source) === undefined;
}

/** "The entry is counted and Not Installed." */
function lacksAgent({ isGone, counted, status }: Entry): boolean {
  return !isGone && counted && status === 'Not Installed';
}

function opens({ machine, before, isWritten }: Transition, after: Entry, context: AlertContext): boolean {
  const { facts, sources, rows, instruments } = context;
  const { standing } = after;
  const source = findSource(sources, standing.source);
  const instrument = instruments.get(standing.source);
  // "On a night on which its entry moves on and device events are raised."
  if (machine === undefined || !isWritten || source === undefined || !isWhole(source) || source.first) {
    return false;
  }
  // "Canaries raise no device event."
  if (!lacksAgent(after) || isCanary(machine, facts)) {
    return false;
  }
  // "Did not become so on its source's first night or by an older answer."
  if (after.isQuiet || isOlderAnswer(before, standing, rows)) {
    return false;
  }
  // "And its answer is not from before a repair."
  return isPastGrace(standing, facts) && instrument !== undefined && !isBeforeRepair(standing, instrument);
}

/** "A device enrolled less than this ago raises no device event." */
function isPastGrace(row: Row, { moment, policy }: Facts): boolean {
  const { enrolledAt } = row.facts;
  return enrolledAt === undefined || Date.parse(moment) - Date.parse(enrolledAt) >= policy.graceHours * 3_600_000;
}

function findKind(before: Entry | undefined, after: Entry, slot: string): string {
  if (isFlapping(after.history, slot)) {
    return 'device.flapping';
  }
  return before !== undefined && hadAgent(before.history) ? 'device.lost' : 'device.new-not-installed';
}

function endAlert(name: string, { transitions, sources }: AlertContext): AlertsNight['ended'][number] {
  const transition = findTransition(name, transitions);
  const after = transition?.after;
  const isListed = after !== undefined && !after.isGone && findSource(sources, after.standing.source) !== undefined;
  const kind = isListed && after.status === 'Installed' ? 'device.recovered' : 'count.left';
  // "When the entry is gone (where another machine took it: naming that one)."
  const taker = after?.isGone === true ? transition?.takenBy : undefined;
  return {
    name,
    kind,
    takenBy: transitions.find(({ machine }) => machine !== undefined && machine === taker)?.after?.name,
  };
}

/** "One `baseline`"; "the message of a first night says how many machines with an entry came Installed and are not". */
function listBaselines(told: ModelNight | undefined, { facts, sources, transitions }: AlertContext) {
  const toldNow = told?.facts.slot === facts.slot ? told.alerts.baselines : [];
  return sources
    .filter((source) => source.first && isWhole(source))
    .map(({ facts: { name } }) => ({
      source: name,
      cameInstalled: transitions.filter(
        ({ machine, before, after }) =>
          machine?.standing.source === name && before?.status === 'Installed' && after?.status === 'Not Installed',
      ).length,
    }))
    .filter(({ source }) => !toldNow.some((one) => one.source === source));
}
