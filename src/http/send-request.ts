/** Sends one request and reads its answer, bounded in time and size. It follows no redirect and does not retry. */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { createConnectionError, nameProxy } from './connection-failures.ts';
import { findProxy } from './proxy.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Real milliseconds from the request to the end of the answer. */
  readonly milliseconds?: number;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** A path with its query at the client's origin, or a whole link that must lie at that origin. */
  readonly url: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  /** Statuses besides 2xx that `understand` handles itself, such as 404 when a request tests whether a thing exists. */
  readonly alsoUnderstood?: readonly number[];
  /** Idle timeout in milliseconds: before the answer begins, and between two pieces of it. */
  readonly idle?: number;
  /** Largest body, in bytes after decompression. */
  readonly maximumBytes?: number;
  /** Bytes of the body after which reading stops. */
  readonly firstBytes?: number;
  /**
   * Failures of the answer, or a slow one, after which the caller requests less instead of using up the patience.
   * Temporary refusals of the server are waited for regardless.
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
/** Idle timeouts that a whole answer may take, since one that drips is never idle. */
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
    const answer = await openAnswer(options, AbortSignal.any([options.signal, timeout.signal]));
    onPiece();
    const body = await readAnswerBody(answer, options, onPiece);
    const { statusCode: status = 0, headers } = answer;
    return { status, headers, body, milliseconds: performance.now() - began };
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
        `${options.who} ${timeout.signal.reason}: ${options.name}${nameProxy(findProxy(options.url))}. Check that it is running and not overloaded.`,
      );
    }
    throw createConnectionError(options, error);
  } finally {
    clearTimeout(idleTimer);
    clearTimeout(wholeTimer);
  }
}

/** Opens the answer's status and headers, without its body, through Node's global agent, which keeps connections. */
function openAnswer(
  { url, request, authorization }: SendRequestOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { method = 'GET', accept = 'application/json', body } = request;
  const headers = {
    accept,
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'Muster',
    ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...request.headers,
    ...omitUndefined({ authorization }),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    send(url, { method, headers, signal }).on('response', resolve).on('error', reject).end(body?.toString());
  });
}

async function readAnswerBody(
  answer: IncomingMessage,
  { request, who, name }: SendRequestOptions,
  onPiece: () => void,
): Promise<Buffer> {
  const { firstBytes, maximumBytes = defaultMaximumBytes } = request;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of decompress(answer, request)) {
    onPiece();
    size += piece.byteLength;
    if (size > maximumBytes) {
      throw new MusterError(
        'answer-too-large',
        `${who} sent more than ${maximumBytes} bytes: ${name}. Muster accepts no larger answer; check the address.`,
      );
    }
    pieces.push(piece);
    // Leaving the loop destroys the answer, and so closes the connection.
    if (firstBytes !== undefined && size >= firstBytes) {
      break;
    }
  }
  return Buffer.concat(pieces).subarray(0, firstBytes);
}

/** The decompressed pieces of the body. An error of the connection also ends the decompression. */
function decompress(answer: IncomingMessage, { method }: HttpRequest): AsyncIterable<Uint8Array> {
  const isCompressed = /^(x-)?gzip$|^deflate$/i.test(answer.headers['content-encoding'] ?? '');
  // Answers to HEAD name an encoding, and have no body.
  return isCompressed && method !== 'HEAD' ? pipeline(answer, createUnzip(), () => {}) : answer;
}
