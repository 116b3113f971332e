/** Requests that may fail without ending the reading. */
import { type ErrorCode, MusterError } from '../../base/errors.ts';

export type Attempt<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: MusterError };

/** Runs a request, and returns its value or its failure. Throws where the run was stopped. */
export async function attempt<T>(signal: AbortSignal, read: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MusterError) {
      return { failure: error };
    }
    throw error;
  }
}

/** Calls the first of several ways that the server supports; it answers 404 to the others. */
export async function callFirstSupported<T>(ways: readonly (() => Promise<T>)[]): Promise<T> {
  let missing: unknown;
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!hasCode(error, 'not-found')) {
        throw error;
      }
      missing = error;
    }
  }
  throw missing;
}

export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is MusterError {
  return error instanceof MusterError && codes.includes(error.code);
}

/** Whether the server, or a firewall in front of it, refused this form of a request, so that another may pass. */
export function isRefusedRequest(error: unknown): boolean {
  return hasCode(error, 'request-refused', 'intermediary-refused');
}

/** Reads a list a second time where the first answer contradicts itself, as it does while devices come and go. */
export async function readConsistently<T>(contradictions: readonly ErrorCode[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!hasCode(error, ...contradictions)) {
      throw error;
    }
    return read();
  }
}
