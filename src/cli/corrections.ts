/** `muster accept DATE`, `muster retract DATE` and `muster prune [--confirm]`: what a person decides about published runs. */

import { userInfo } from 'node:os';
import type { PreparedRun } from '../compose/start.ts';
import { toPrintableText } from '../reports/cell.ts';
import {
  acceptRun,
  describeHeldBackSlots,
  describeNothingHeldBack,
  findHeldBackRuns,
  pruneRuns,
} from '../run/corrections/republish.ts';
import { type RetractRequest, retractRun } from '../run/corrections/retract.ts';
import { describeUnfinished } from '../run/finish-run.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { type CommandOptions, inSession, printLines } from './console/session.ts';
import { formatDeliveryLines } from './console/summary.ts';
import { formatOutcome } from './run.ts';

/** Secrets for commands that judge kept facts. */
const noPlatform = { secrets: 'others' } as const;

/** Accepts a suspect run that a person has checked. */
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

/** Takes the last published run back; the run before it is published once more. */
export function retractSlot({ settings, slot, why = 'no reason given' }: RetractOptions): Promise<number> {
  return inSession(settings, noPlatform, async (session) => {
    const by = userInfo().username;
    const outcome = await retractRun({ slot, by, why }, session.parts);
    return printLines(formatRetractOutcome(outcome, { slot, by, why }, session), outcome.exit);
  });
}

function formatRetractOutcome(
  outcome: RunOutcome,
  retraction: RetractRequest,
  { settings }: Pick<PreparedRun, 'settings'>,
): string[] {
  const { night, delivery, unfinished = [] } = outcome;
  if (night === undefined) {
    return ['Another run was published meanwhile; nothing was retracted.'];
  }
  return [
    formatRetraction({ ...retraction, at: undefined }),
    `The run of ${night.slot} is the current one again; its date may be run again: muster run --slot ${retraction.slot}`,
    ...unfinished.map(describeUnfinished),
    ...formatDeliveryLines(delivery, settings.alerts.channels.length),
  ];
}

/** A sentence about a retraction; `verify` prints it with the time of the commit. */
export function formatRetraction({ slot, by, at, why }: RetractRequest & { readonly at: string | undefined }): string {
  const whoAndWhen = at === undefined ? by : `${by}, ${at}`;
  return toPrintableText(`The run of ${slot} is retracted (by ${whoAndWhen}: ${why}).`);
}

/** Shows the runs that retention holds back, and removes them once a person confirms it. */
export function pruneStore({ settings: settingsFile, confirm }: CommandOptions & { readonly confirm?: boolean }) {
  return inSession(settingsFile, noPlatform, async (session) => {
    const { parts, settings } = session;
    const { nights } = settings.retention;
    const found = await findHeldBackRuns(parts, nights);
    const runs = describeHeldBackSlots(found);
    if (found === undefined || runs === undefined) {
      return printLines([describeNothingHeldBack(parts.store, nights)]);
    }
    if (confirm !== true) {
      return printLines([
        `${runs}: older than retention.nights (${nights}) allows in ${parts.store.name}.`,
        'Nothing was changed. To remove them with their reports: muster prune --confirm',
      ]);
    }
    const outcome = await pruneRuns(found, nights, userInfo().username, parts);
    const removed = outcome.unfinished === undefined && outcome.did !== 'superseded' ? [`Removed: ${runs}.`] : [];
    return printLines([...formatOutcome(outcome, session), ...removed], outcome.exit);
  });
}
