/** From a body's bytes to JSON or text, or a named error that says whose answer it was. */
import { MusterError } from '../errors.ts';
import type { HttpResponse } from './send-request.ts';

/** UTF-8 text; a byte-order mark is dropped, broken UTF-8 is refused rather than repaired. */
export function decodeText(answer: HttpResponse, who: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
  } catch (cause) {
    throw createUnreadableAnswerError(who, 'text that is not UTF-8', cause);
  }
}

export function parseJson(answer: HttpResponse, who: string): unknown {
  const text = decodeText(answer, who);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold anything: it is not kept as the cause.
    throw createUnreadableAnswerError(
      who,
      /^\s*</.test(text) ? 'a web page instead of JSON' : 'JSON that is cut off or invalid',
    );
  }
}

/** Not known to be anybody's fault yet: it is asked for again, and only then told. */
export function createUnreadableAnswerError(who: string, what: string, cause?: unknown): MusterError {
  return new MusterError(
    'answer-unreadable',
    `${who} sent ${what}. Check the address, and whether a proxy or sign-in page answers instead.`,
    {
      cause,
    },
  );
}
