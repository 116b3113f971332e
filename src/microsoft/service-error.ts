/** Parses `{ "error": { "code", "message" } }` of Graph and of Teams workflows: https://learn.microsoft.com/graph/errors. */
import { isRecord } from '../base/is-record.ts';
import { tryParseJson } from '../http/body.ts';
import type { HttpResponse } from '../http/send-request.ts';

export interface ServiceError {
  /** A word that may be shown. */
  readonly code?: string;
  /** A text with addresses, ids and perhaps more; never shown. */
  readonly message?: string;
}

export function readServiceError(answer: HttpResponse): ServiceError {
  const { code, message } = parseServiceError(answer) ?? {};
  return {
    ...(typeof code === 'string' && /^[A-Za-z_]{3,60}$/.test(code) ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** Whether the service itself refuses, rather than an intermediary. */
export function isServiceError(answer: HttpResponse): boolean {
  return parseServiceError(answer) !== undefined;
}

function parseServiceError(answer: HttpResponse): Record<string, unknown> | undefined {
  const body = tryParseJson(answer);
  return isRecord(body) && isRecord(body.error) ? body.error : undefined;
}
