/** Sends one request and reads its answer, bounded in time and size. It follows no redirect and does not retry. */
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Real time from the request to the end of the answer. */
  readonly milliseconds?: number;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** A path with its query at the client's origin, or a whole link that must lie at that origin. */
  readonly url: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  /** Statuses besides 2xx that `understand` handles itself, such as 404 when the request asks whether a thing exists. */
  readonly alsoUnderstood?: readonly number[];
  /** Idle timeout in milliseconds: before the answer begins, and between two pieces of it. */
  readonly idle?: number;
  /** Largest body, in bytes after decompression. */
  readonly maximumBytes?: number;
  /** Reading stops after so many bytes of the body. */
  readonly firstBytes?: number;
  /**
   * The caller asks for less after so many failures, or after one that took long, and not after all the patience. What the
   * server refuses for a while is waited for.
   */
  readonly tries?: number | undefined;
}

interface SendRequestOptions {
  readonly url: URL;
  readonly request: HttpRequest;
  readonly authorization: string | undefined;
  /** The server and the request, for messages. */
  readonly who: string;
  readonly name: string;
  /** Milliseconds: before the answer begins, and between two pieces of it. */
  readonly idle: number;
  readonly signal: AbortSignal;
}

const defaultMaximumBytes = 64 * 1024 * 1024;
/** A whole answer may take so many idle timeouts: one that drips is never idle. */
const longestAnswer = 5;

export async function sendRequest(options: SendRequestOptions): Promise<HttpResponse> {
  const began = performance.now();
  const timeout = new AbortController();
  const startTimer = (milliseconds: number, what: string) =>
    setTimeout(() => timeout.abort(`${what} ${milliseconds / 1000} s`), milliseconds);
  const wholeTimer = startTimer(options.idle * longestAnswer, 'did not end its answer within');
  const idleTimer = startTimer(options.idle, 'sent nothing for');
  const onPiece = () => void idleTimer.refresh();
  try {
    const { url, request, authorization } = options;
    const { method = 'GET', accept = 'application/json', body: content = null } = request;
    const response = await fetch(url, {
      method,
      headers: { accept, ...request.headers, ...omitUndefined({ authorization }) },
      body: content,
      redirect: 'manual',
      signal: AbortSignal.any([options.signal, timeout.signal]),
    });
    onPiece();
    const body = await readResponseBody(response, options, onPiece);
    return { status: response.status, headers: response.headers, body, milliseconds: performance.now() - began };
  } catch (error) {
    if (options.signal.aborted) {
      throw options.signal.reason;
    }
    if (error instanceof MusterError) {
      throw error;
    }
    if (timeout.signal.aborted) {
      throw new MusterError(
        'request-timed-out',
        `${options.who} ${timeout.signal.reason}: ${options.name}. Check that it is running and not overloaded.`,
      );
    }
    throw new MusterError(
      'request-failed',
      `${options.who} could not be reached or closed the connection: ${options.name} (${describeCause(error)}). Check the address and the network.`,
      { cause: error },
    );
  } finally {
    clearTimeout(idleTimer);
    clearTimeout(wholeTimer);
  }
}

async function readResponseBody(
  response: Response,
  { request, who, name }: SendRequestOptions,
  onPiece: () => void,
): Promise<Buffer> {
  const { firstBytes, maximumBytes = defaultMaximumBytes } = request;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    onPiece();
    size += piece.byteLength;
    if (size > maximumBytes) {
      throw new MusterError(
        'answer-too-large',
        `${who} sent more than ${maximumBytes} bytes: ${name}. Muster accepts no larger answer; check the address.`,
      );
    }
    pieces.push(piece);
    // Leaving the loop cancels the body, which closes the connection.
    if (firstBytes !== undefined && size >= firstBytes) {
      break;
    }
  }
  return Buffer.concat(pieces).subarray(0, firstBytes);
}

function describeCause(error: unknown): string {
  const cause = findCause(error);
  return readNetworkCode(error) ?? (cause instanceof Error ? cause.name : 'no reason given');
}

/** The code of a network failure (`ECONNRESET`); undici stores it in the error's cause. */
export function readNetworkCode(error: unknown): string | undefined {
  const cause = findCause(error);
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

function findCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
