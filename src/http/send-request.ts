/** Sends one request and reads its answer, with an idle timeout and a size limit. It follows no redirect and does not retry. */
import { MusterError } from '../errors.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Real time from the request to the end of the answer. */
  readonly milliseconds?: number;
}

interface SendRequestOptions {
  readonly url: URL;
  readonly init: RequestInit;
  /** The server and the request, for messages. */
  readonly who: string;
  readonly name: string;
  /** Idle timeout in milliseconds: before the answer begins, and between two pieces of it. */
  readonly idle: number;
  /** Bytes after decompression. */
  readonly maximumBytes: number;
  readonly signal: AbortSignal;
  /** Reading stops after so many bytes of the body. */
  readonly firstBytes?: number | undefined;
}

export async function sendRequest(options: SendRequestOptions): Promise<HttpResponse> {
  const began = performance.now();
  const idleTimeout = new AbortController();
  let timer = setTimeout(() => idleTimeout.abort(), options.idle);
  const onPiece = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idleTimeout.abort(), options.idle);
  };
  try {
    const response = await fetch(options.url, {
      ...options.init,
      redirect: 'manual',
      signal: AbortSignal.any([options.signal, idleTimeout.signal]),
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
    if (idleTimeout.signal.aborted) {
      const seconds = options.idle / 1000;
      throw new MusterError(
        'request-timed-out',
        `${options.who} sent nothing for ${seconds} s: ${options.name}. Check that it is running and not overloaded.`,
      );
    }
    throw new MusterError(
      'request-failed',
      `${options.who} could not be reached or closed the connection: ${options.name} (${describeCause(error)}). Check the address and the network.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

async function readResponseBody(response: Response, options: SendRequestOptions, onPiece: () => void): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    onPiece();
    size += piece.byteLength;
    if (size > options.maximumBytes) {
      throw new MusterError(
        'answer-too-large',
        `${options.who} sent more than ${options.maximumBytes} bytes: ${options.name}. Muster accepts no larger answer; check the address.`,
      );
    }
    pieces.push(piece);
    // Leaving the loop cancels the body, which closes the connection.
    if (options.firstBytes !== undefined && size >= options.firstBytes) {
      break;
    }
  }
  return Buffer.concat(pieces).subarray(0, options.firstBytes);
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

/** Resets and time-outs. Other codes (ENOTFOUND, ECONNREFUSED, those of TLS) mean a wrong address or no server. */
const passingNetworkCodes = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

export function isPassingNetworkError(code: string | undefined): boolean {
  return code !== undefined && passingNetworkCodes.has(code);
}

function findCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
