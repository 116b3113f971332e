/** News about runs that is sent once: a run that is taken back, and runs that are held back. */
import type { Notice } from '../../core/alerts/alert-rule.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { HeldBack } from '../../core/facts/operations.ts';
import { describeHeldBack } from './kept-runs.ts';

export function listOperationsNotices(
  { slot, retracts }: Pick<Facts, 'slot' | 'retracts'>,
  heldBack: HeldBack | undefined,
): readonly Notice[] {
  const notices: Notice[] = [];
  if (retracts !== undefined) {
    const text = `The run of ${retracts.slot} was retracted by ${retracts.by}: ${retracts.why}.`;
    notices.push({ key: `retraction:${retracts.slot}`, kind: 'run.retracted', details: { text } });
  }
  // Reported once for each limit, by the run that held them back first.
  if (heldBack?.since === slot) {
    const { nights, limit } = heldBack;
    const details = { text: describeHeldBack(heldBack), figures: { nights, limit } };
    notices.push({ key: 'retention', kind: 'retention.held-back', details });
  }
  return notices;
}
