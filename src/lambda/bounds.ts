/**
 * When to stop. The function is killed without a word when its time is over, so two ends come before that: the
 * platforms are asked only as long as what they said can still be judged and published, and the store only as long as
 * there is time to say what was not done.
 */
import { MusterError } from '../errors.ts';

interface Bounds {
  /** Ends the gathering. */
  readonly gathering: AbortSignal;
  /** Ends the publishing. */
  readonly publishing: AbortSignal;
  /** When the gathering ends, on the clock's `elapsed` scale. */
  readonly deadline: number;
  close(): void;
}

/** Judging, publishing and delivering 100,000 devices takes well under half of this. */
const longestPublishing = 150_000;
const publishingShare = 0.25;
const longestFailureNotice = 5_000;
const failureNoticeShare = 0.05;

/** `remaining` milliseconds from `now` on, which is on the clock's `elapsed` scale. */
export function createBounds(remaining: number, now: number): Bounds {
  const publishing = remaining - Math.min(longestFailureNotice, remaining * failureNoticeShare);
  const gathering = remaining - Math.min(longestPublishing, remaining * publishingShare);
  const first = scheduleAbort(gathering, 'The platforms took longer than this invocation may.');
  const last = scheduleAbort(publishing, 'The time of this invocation was over before the night was published.');
  return {
    gathering: first.signal,
    publishing: last.signal,
    deadline: now + gathering,
    close() {
      first.close();
      last.close();
    },
  };
}

function scheduleAbort(after: number, sentence: string): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new MusterError('deadline', sentence)), Math.max(0, after));
  return { signal: controller.signal, close: () => clearTimeout(timer) };
}
