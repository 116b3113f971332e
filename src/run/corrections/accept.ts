/** Judges a suspect night's kept facts again, overriding the anomaly check; no platform is asked. */

import { MusterError } from '../../base/errors.ts';
import type { RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { requireStandingRun } from '../require-standing-run.ts';
import { republishNight } from './republish.ts';

export async function acceptNight(slot: string, by: string, parts: Parts): Promise<RunOutcome> {
  const currentRun = await requireStandingRun(parts);
  if (currentRun === undefined || currentRun.commit.slot !== slot) {
    const last = currentRun === undefined ? 'nothing is published' : `the last one is ${currentRun.commit.slot}`;
    throw new MusterError(
      'not-suspect',
      `The run of ${slot} cannot be accepted: only the last published run can, and ${last}.`,
    );
  }
  const suspects = currentRun.commit.sources.filter((source) => source.soundness === 'suspect').map(({ name }) => name);
  if (suspects.length === 0) {
    throw new MusterError('not-suspect', `The run of ${slot} is not suspect; there is nothing to accept.`);
  }
  const at = parts.clock.now().toISOString();
  return republishNight(currentRun, parts, ({ accepted }) => ({
    accepted: { by, at, sources: [...(accepted?.sources ?? []), ...suspects] },
  }));
}
