/** `muster retract SLOT`: takes the last published run back; the run before it stands again. */
import { userInfo } from 'node:os';
import { toPrintableText } from '../reports/cell.ts';
import { type RetractOutcome, retractRun } from '../run/corrections/retract.ts';
import { describeUnfinished } from '../run/finish-run.ts';
import type { Commit } from '../storage/commits/commit.ts';
import { openSession, type Session } from './console/session.ts';
import { formatDeliveryLines } from './console/summary.ts';

export interface RetractOptions {
  readonly settings?: string;
  readonly slot: string;
  readonly why?: string;
}

export async function retractSlot({ settings, slot, why = 'no reason given' }: RetractOptions): Promise<number> {
  const session = await openSession(settings);
  try {
    const outcome = await retractRun({ slot, by: userInfo().username, why }, session.parts);
    process.stdout.write(`${formatRetractOutcome(outcome, session).join('\n')}\n`);
    return outcome.exit;
  } finally {
    session.close();
  }
}

function formatRetractOutcome(outcome: RetractOutcome, { settings }: Pick<Session, 'settings'>): string[] {
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
