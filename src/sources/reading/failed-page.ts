/** Handles pages that fail, in lists of any kind: asks for smaller pages, down to the single row that fails. */
import { MusterError } from '../../base/errors.ts';
import { hasCode } from './attempt.ts';

/** Failures after which a page is divided. */
export const triesOfPage = 3;
/** Limits of unread rows: a number, or a share of all. */
export const mostUnread = 10;
const mostUnreadShare = 0.1;

/** Whether a smaller page may succeed: this one was too large or too slow, or has a row that the server cannot render. */
export function isFailureOfPage(error: unknown): error is MusterError {
  return hasCode(error, 'request-timed-out', 'request-failed', 'answer-too-large', 'answer-unreadable');
}

/** Whether the number of unread rows is acceptable. */
export function isBearable(unread: number, total: number): boolean {
  return unread <= mostUnread || unread <= total * mostUnreadShare;
}

export function createRowsError(failure: MusterError, rows: number): MusterError {
  const sentence = `Rows that fail when they are asked for alone, while the server answers: ${rows}.`;
  return new MusterError(failure.code, `${failure.message} ${sentence}`, { cause: failure });
}
