/** Events about this machine's clock. */
import type { ClockDifference } from '../facts.ts';
import { formatDuration } from '../format-duration.ts';
import type { AlertLog } from './alert-log.ts';

/** Undefined where no server's clock could be compared, which says nothing. */
export function decideClockAlerts(differences: readonly ClockDifference[] | undefined, alertLog: AlertLog): void {
  if (differences === undefined) {
    return;
  }
  if (differences.length === 0) {
    alertLog.resolve('clock', 'clock.differs', {
      text: "This machine's clock agrees with those of the servers again.",
    });
    return;
  }
  const clocks = differences.map(
    ({ server, seconds }) =>
      `${formatDuration(Math.abs(seconds))} ${seconds < 0 ? 'ahead of' : 'behind'} the clock of ${server}`,
  );
  alertLog.raise('clock', 'clock.differs', { text: `This machine's clock is ${clocks.join(', and ')}.` });
}
