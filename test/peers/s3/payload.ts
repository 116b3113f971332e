/** A request's body as it was meant: its hash checked, or taken out of the chunks it came in. */
import type { IncomingHttpHeaders } from 'node:http';
import { refusal, refused } from './refusal.ts';
import { sha256 } from './signature.ts';

interface Payload {
  readonly body: Buffer;
  readonly trailers: ReadonlyMap<string, string>;
}

/** S3 wants chunks of at least 8 KiB, but for the last. */
const smallestChunk = 8 * 1024;

export function payloadOf(headers: IncomingHttpHeaders, raw: Buffer): Payload {
  const kind = String(headers['x-amz-content-sha256']);
  if (!kind.startsWith('STREAMING-')) {
    if (kind !== 'UNSIGNED-PAYLOAD' && kind !== sha256(raw)) {
      throw refusal(
        400,
        'XAmzContentSHA256Mismatch',
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
      );
    }
    return { body: raw, trailers: new Map() };
  }
  // The SDK signs no chunks; a client that does is not understood here.
  if (kind !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    throw refused.notImplemented('x-amz-content-sha256');
  }
  const chunks = readChunks(raw);
  const body = Buffer.concat(chunks.pieces);
  if (Number(headers['x-amz-decoded-content-length'] ?? Number.NaN) !== body.length) {
    throw incomplete();
  }
  const trailers = readTrailers(chunks.rest);
  const announced = headers['x-amz-trailer'];
  if (typeof announced !== 'string' || trailers.size !== 1 || !trailers.has(announced.toLowerCase())) {
    throw refusal(400, 'MalformedTrailerError', 'The request contained trailing data that was not well-formed.');
  }
  return { body, trailers };
}

interface Chunks {
  readonly pieces: Buffer[];
  /** What follows the empty chunk. */
  readonly rest: Buffer;
}

function readChunks(raw: Buffer): Chunks {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    const head = raw.toString('latin1', at, Math.max(at, end));
    if (!/^[0-9a-f]+$/i.test(head)) {
      throw incomplete();
    }
    const size = Number.parseInt(head, 16);
    const piece = raw.subarray(end + 2, end + 2 + size);
    if (piece.length !== size) {
      throw incomplete();
    }
    at = end + 2 + size;
    if (size === 0) {
      return { pieces, rest: raw.subarray(at) };
    }
    if (raw.toString('latin1', at, at + 2) !== '\r\n') {
      throw incomplete();
    }
    at += 2;
    const previous = pieces.at(-1);
    if (previous !== undefined && previous.length < smallestChunk) {
      throw refusal(403, 'InvalidChunkSizeError', 'Only the last chunk is allowed to have a size less than 8192 bytes');
    }
    pieces.push(piece);
  }
}

function readTrailers(rest: Buffer): Map<string, string> {
  const lines = rest.toString('latin1').split('\r\n').filter(Boolean);
  return new Map(lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:/, '').trim()]));
}

function incomplete(): Error {
  return refusal(
    400,
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  );
}
