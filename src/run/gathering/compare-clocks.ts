/** Detects a wrong clock: it would run the slot of another day, and make every later run too old to publish. */

import { MusterError } from '../../base/errors.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { ClockDifference } from '../../core/facts/operations.ts';
import { formatDuration } from '../../core/time/calendar.ts';
import type { ServerClocks } from '../../http/clock.ts';

const largestUnreportedDifference = 3_600;
const largestAcceptedDifference = 86_400;

/** Lists servers whose clock differs by more than an hour; throws where one differs by more than a day. */
export function compareClocks(serverClocks: ServerClocks | undefined): Pick<Facts, 'clockDifferences'> {
  const clocks = (serverClocks?.list() ?? []).map(
    ({ server, ahead }): ClockDifference => ({ server, seconds: Math.round(ahead / 1000) }),
  );
  const worst = clocks.find(({ seconds }) => Math.abs(seconds) > largestAcceptedDifference);
  if (worst !== undefined) {
    const direction = worst.seconds < 0 ? 'ahead of' : 'behind';
    throw new MusterError(
      'clock-wrong',
      `Nothing was published: this machine's clock is ${formatDuration(Math.abs(worst.seconds))} ${direction} the clock of ${worst.server}. Set the clock that is wrong, and run again. If a run was published with a wrong date: muster retract DATE.`,
    );
  }
  if (clocks.length === 0) {
    return {};
  }
  return { clockDifferences: clocks.filter(({ seconds }) => Math.abs(seconds) > largestUnreportedDifference) };
}
