/**
 * Time limits of an invocation. Lambda kills the function without notice at its timeout, so that two limits end
 * earlier: reading platforms leaves time to judge and publish, and using the store leaves time to report a failure.
 */
import { MusterError } from '../base/errors.ts';
import { startTimeLimit, type TimeLimit } from '../base/time-limit.ts';

/** Milliseconds for publishing. Judging, publishing and delivering 100,000 devices takes well under half of this. */
const longestPublishing = 150_000;
const publishingShare = 0.25;
const longestFailureNotice = 5_000;
const failureNoticeShare = 0.05;

/** Limits of `remaining` milliseconds; `now`, and `deadline`, the end of gathering, are on the clock's `elapsed` scale. */
export function createBounds(remaining: number, now: number) {
  const publishing = remaining - Math.min(longestFailureNotice, remaining * failureNoticeShare);
  const gathering = remaining - Math.min(longestPublishing, remaining * publishingShare);
  const first = startLimit(gathering, 'Reading the platforms took longer than this invocation allows.');
  const last = startLimit(publishing, 'The time of this invocation was over before the run was published.');
  return {
    gathering: first.signal,
    publishing: last.signal,
    deadline: now + gathering,
    [Symbol.dispose]() {
      first[Symbol.dispose]();
      last[Symbol.dispose]();
    },
  };
}

function startLimit(milliseconds: number, why: string): TimeLimit {
  const sentence = `${why} Run it again, or give the function more time.`;
  return startTimeLimit(milliseconds, new MusterError('deadline', sentence));
}
