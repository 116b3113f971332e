/** `{ "error": { "code", "message" } }`, as Graph and the workflows of Teams refuse: https://learn.microsoft.com/graph/errors. */
import { isRecord } from '../base/is-record.ts';
import { tryParseJson } from '../http/body.ts';
import type { HttpResponse } from '../http/send-request.ts';

export interface ServiceError {
  /** A word that may be shown. */
  readonly code?: string;
  /** It has addresses and ids, and may have anything else. */
  readonly message?: string;
}

export function readServiceError(answer: HttpResponse): ServiceError {
  const body = tryParseJson(answer);
  const { code, message } = isRecord(body) && isRecord(body.error) ? body.error : {};
  return {
    ...(typeof code === 'string' && /^[A-Za-z_]{3,60}$/.test(code) ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
