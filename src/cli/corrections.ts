/** `muster accept SLOT`, `muster retract SLOT` and `muster prune [--confirm]`: what a person decides about published runs. */

import { userInfo } from 'node:os';
import type { PreparedRun } from '../compose/start.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { toPrintableText } from '../reports/cell.ts';
import { acceptRun, findHeldBackRuns, pruneRuns } from '../run/corrections/republish.ts';
import { type RetractOutcome, retractRun } from '../run/corrections/retract.ts';
import { describeUnfinished } from '../run/finish-run.ts';
import type { Commit } from '../storage/commits/commit.ts';
import { type CommandOptions, inSession, printLines } from './console/session.ts';
import { formatDeliveryLines } from './console/summary.ts';
import { formatOutcome } from './run.ts';

/** They judge kept facts. */
const noPlatform = { secrets: 'others' } as const;

/** A person has checked a suspect run and confirms its figures. */
export function acceptSlot({ settings, slot }: CommandOptions & { readonly slot: string }): Promise<number> {
  return inSession(settings, noPlatform, async (session) => {
    const outcome = await acceptRun(slot, userInfo().username, session.parts);
    return printLines(formatOutcome(outcome, session), outcome.exit);
  });
}

interface RetractOptions extends CommandOptions {
  readonly slot: string;
  readonly why?: string;
}

/** Takes the last published run back; the run before it stands again. */
export function retractSlot({ settings, slot, why = 'no reason given' }: RetractOptions): Promise<number> {
  return inSession(settings, noPlatform, async (session) => {
    const outcome = await retractRun({ slot, by: userInfo().username, why }, session.parts);
    return printLines(formatRetractOutcome(outcome, session), outcome.exit);
  });
}

function formatRetractOutcome(outcome: RetractOutcome, { settings }: Pick<PreparedRun, 'settings'>): string[] {
  const { did, retraction, current, delivery, unfinished = [] } = outcome;
  if (retraction === undefined) {
    return ['Another run was published meanwhile; nothing was retracted.'];
  }
  const retracted =
    did === 'retracted' ? formatRetraction(retraction) : `${formatRetraction(retraction)} Already done.`;
  return [
    retracted,
    `The run of ${current} stands again; the slot may be run again.`,
    ...unfinished.map(describeUnfinished),
    ...formatDeliveryLines(delivery, settings.alerts.channels.length),
  ];
}

/** One sentence; `verify` says it too. */
export function formatRetraction({ slot, by, at, why }: Pick<Commit, 'slot' | 'by' | 'at' | 'why'>): string {
  return toPrintableText(`The run of ${slot} is retracted (by ${by}, ${at}: ${why}).`);
}

/** Shows the runs that retention holds back, and removes them once a person confirms it. */
export function pruneStore({ settings: given, confirm }: CommandOptions & { readonly confirm?: boolean }) {
  return inSession(given, noPlatform, async (session) => {
    const { parts, settings } = session;
    const { nights } = settings.retention;
    const found = await findHeldBackRuns(parts, nights);
    if (found === undefined || found.slots.length === 0) {
      const sentence = `Nothing to remove: no run in ${parts.store.name} is older than retention.nights (${nights}) allows.`;
      return printLines([sentence]);
    }
    const { slots } = found;
    const runs = `${slots.length} ${pluralize(slots.length, 'run')}, ${slots[0]} to ${slots.at(-1)}`;
    if (confirm !== true) {
      return printLines([
        `${runs}: older than retention.nights (${nights}) allows in ${parts.store.name}.`,
        'Nothing was changed. To remove them with their reports: muster prune --confirm',
      ]);
    }
    const outcome = await pruneRuns(found, nights, userInfo().username, parts);
    const removed = outcome.did === 'published' ? [`Removed: ${runs}.`] : [];
    return printLines([...formatOutcome(outcome, session), ...removed], outcome.exit);
  });
}
