/** `muster accept SLOT`: a person has checked a suspect run and confirms its figures. */
import { userInfo } from 'node:os';
import { acceptNight } from '../run/corrections/republish.ts';
import { openSession } from './console/session.ts';
import { formatOutcome } from './run.ts';

export async function acceptSlot(options: { readonly settings?: string; readonly slot: string }): Promise<number> {
  const session = await openSession(options.settings);
  try {
    const outcome = await acceptNight(options.slot, userInfo().username, session.parts);
    process.stdout.write(`${formatOutcome(outcome, session).join('\n')}\n`);
    return outcome.exit;
  } finally {
    session.close();
  }
}
