/** Decodes an answer's body to JSON or text, or throws an error that names the server. */
import { MusterError } from '../base/errors.ts';
import type { HttpResponse } from './send-request.ts';

/** UTF-8 text without a byte-order mark; throws for invalid UTF-8 instead of repairing it. */
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
    // The parser's own message quotes the body, which may contain anything, so that it is not kept as the cause.
    throw createUnreadableAnswerError(
      who,
      /^\s*</.test(text) ? 'a web page instead of JSON' : 'JSON that is cut off or invalid',
    );
  }
}

/** Undefined where the body is not JSON, as in some refusals. */
export function tryParseJson(answer: HttpResponse): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The error for an unreadable answer, which the client retries: it is often a passing fault of a proxy. */
export function createUnreadableAnswerError(who: string, what: string, cause?: unknown): MusterError {
  return new MusterError(
    'answer-unreadable',
    `${who} sent ${what}. Check the address, and whether a proxy or sign-in page answers instead.`,
    { cause },
  );
}
