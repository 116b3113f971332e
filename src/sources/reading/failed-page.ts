/** What a page that fails means, in a list of either kind: smaller pages are asked for, down to the row that fails alone. */
import { MusterError } from '../../base/errors.ts';
import { hasCode } from './attempt.ts';

/** A page is divided after so many failures. */
export const triesOfPage = 3;
/** So many rows may be unread, or such a share of all. */
export const mostUnread = 10;
const mostUnreadShare = 0.1;

/** Whether a smaller page may come: this one was too large or too slow, or has a row that the server cannot render. */
export function isFailureOfPage(error: unknown): error is MusterError {
  return hasCode(error, 'request-timed-out', 'request-failed', 'answer-too-large', 'answer-unreadable');
}

/** Whether so many unread rows leave a list of which most was read. */
export function isBearable(unread: number, total: number): boolean {
  return unread <= mostUnread || unread <= total * mostUnreadShare;
}

export function createRowsError(failure: MusterError, rows: number): MusterError {
  const sentence = `Rows that fail when they are asked for alone, while the server answers: ${rows}.`;
  return new MusterError(failure.code, `${failure.message} ${sentence}`, { cause: failure });
}
