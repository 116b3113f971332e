/** `muster prune [--confirm]`: shows the runs that retention holds back, and removes them once a person confirms it. */
import { userInfo } from 'node:os';
import { pluralize } from '../core/text/pluralize.ts';
import { findHeldBackRuns, pruneRuns } from '../run/corrections/republish.ts';
import { openSession } from './console/session.ts';
import { formatOutcome } from './run.ts';

export interface PruneOptions {
  readonly settings?: string;
  readonly confirm?: boolean;
}

export async function pruneStore({ settings: file, confirm }: PruneOptions): Promise<number> {
  const session = await openSession(file);
  try {
    const { parts, settings } = session;
    const { nights } = settings.retention;
    const found = await findHeldBackRuns(parts, nights);
    if (found === undefined || found.slots.length === 0) {
      return print([
        `Nothing to remove: no run in ${parts.store.name} is older than retention.nights (${nights}) allows.`,
      ]);
    }
    const { slots } = found;
    const runs = `${slots.length} ${pluralize(slots.length, 'run')}, ${slots[0]} to ${slots.at(-1)}`;
    if (confirm !== true) {
      return print([
        `${runs}: older than retention.nights (${nights}) allows in ${parts.store.name}.`,
        'Nothing was changed. To remove them with their reports: muster prune --confirm',
      ]);
    }
    const outcome = await pruneRuns(found, nights, userInfo().username, parts);
    print([...formatOutcome(outcome, session), ...(outcome.did === 'published' ? [`Removed: ${runs}.`] : [])]);
    return outcome.exit;
  } finally {
    session.close();
  }
}

function print(lines: readonly string[]): 0 {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
