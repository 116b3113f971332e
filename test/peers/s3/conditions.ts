/** Conditions on writes, evaluated against what is current at that moment. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Asked } from './asked.ts';
import { currentOf } from './bucket.ts';
import { refused } from './refusal.ts';

export function conditionIn(headers: IncomingHttpHeaders): 'If-None-Match' | 'If-Match' | undefined {
  if (headers['if-none-match'] !== undefined) {
    return 'If-None-Match';
  }
  return headers['if-match'] === undefined ? undefined : 'If-Match';
}

/** Throws unless the request's conditions on the key it writes hold. */
export function checkConditions({ headers, bucket, key, ignoresConditions }: Asked): void {
  if (ignoresConditions) {
    return;
  }
  const current = currentOf(bucket, key);
  const [none, match] = [headers['if-none-match'], headers['if-match']];
  if (none !== undefined) {
    if (none !== '*') {
      throw refused.notImplemented('If-None-Match');
    }
    if (current !== undefined) {
      throw refused.precondition('If-None-Match');
    }
  }
  if (match === undefined) {
    return;
  }
  if (current === undefined) {
    throw refused.noSuchKey(key);
  }
  if (match !== '*' && !isSame(match, current.etag)) {
    throw refused.precondition('If-Match');
  }
}

/** A deletion of what is absent fails its condition; it is not "not found". */
export function checkDeletion(asked: Asked): void {
  const isAbsent = currentOf(asked.bucket, asked.key) === undefined;
  if (asked.headers['if-match'] !== undefined && isAbsent && !asked.ignoresConditions) {
    throw refused.precondition('If-Match');
  }
  checkConditions(asked);
}

export function checkReading(headers: IncomingHttpHeaders, etag: string): void {
  const match = headers['if-match'];
  if (match !== undefined && !isSame(match, etag)) {
    throw refused.precondition('If-Match');
  }
  if (headers['if-none-match'] !== undefined) {
    throw refused.notImplemented('If-None-Match');
  }
}

function isSame(claimed: string, etag: string): boolean {
  return claimed.replaceAll('"', '') === etag.replaceAll('"', '');
}
