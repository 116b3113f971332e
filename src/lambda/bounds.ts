/**
 * When to stop. Lambda kills the function without notice when its time is over, so two limits come before that: the
 * platforms are read only as long as there is time to judge and publish, and the store is used only as long as there is
 * time to report a failure.
 */
import { MusterError } from '../base/errors.ts';
import { startTimeLimit, type TimeLimit } from '../base/time-limit.ts';

/** Milliseconds. Judging, publishing and delivering 100,000 devices takes well under half of this. */
const longestPublishing = 150_000;
const publishingShare = 0.25;
const longestFailureNotice = 5_000;
const failureNoticeShare = 0.05;

/** `remaining` milliseconds from `now` on, which is on the clock's `elapsed` scale, as `deadline` is: the end of gathering. */
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
