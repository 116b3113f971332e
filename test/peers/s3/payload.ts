/** A request's body as it was meant: its hash checked, or taken out of the chunks it came in. */
import type { IncomingHttpHeaders } from 'node:http';
import { refusal, refused } from './refusal.ts';
import { hmac, type Signed, sha256 } from './signature.ts';

interface Payload {
  readonly body: Buffer;
  readonly trailers: ReadonlyMap<string, string>;
}

const emptyHash = sha256('');
/** S3 wants chunks of at least 8 KiB, but for the last. */
const smallestChunk = 8 * 1024;

export function payloadOf(headers: IncomingHttpHeaders, raw: Buffer, signed: Signed): Payload {
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
  const isSigned = kind.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD');
  const hasTrailer = kind.endsWith('-TRAILER');
  if (!isSigned && kind !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    throw refused.notImplemented('x-amz-content-sha256');
  }
  const chunks = readChunks(raw, isSigned ? signed : undefined);
  const body = Buffer.concat(chunks.pieces);
  if (Number(headers['x-amz-decoded-content-length'] ?? Number.NaN) !== body.length) {
    throw incomplete();
  }
  const trailers = readTrailers(chunks.rest, isSigned && hasTrailer ? signed : undefined, chunks.signature);
  const announced = headers['x-amz-trailer'];
  if (hasTrailer !== (typeof announced === 'string' && trailers.size === 1 && trailers.has(announced.toLowerCase()))) {
    throw refusal(400, 'MalformedTrailerError', 'The request contained trailing data that was not well-formed.');
  }
  return { body, trailers };
}

interface Chunks {
  readonly pieces: Buffer[];
  /** What follows the empty chunk. */
  readonly rest: Buffer;
  /** The last chunk's signature, which the trailer's continues. */
  readonly signature: string;
}

function readChunks(raw: Buffer, signed: Signed | undefined): Chunks {
  const pieces: Buffer[] = [];
  let at = 0;
  let signature = signed?.signature ?? '';
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    const head =
      end < 0 ? undefined : /^([0-9a-f]+)(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(raw.toString('latin1', at, end));
    if (!head) {
      throw incomplete();
    }
    const size = Number.parseInt(head[1] ?? '', 16);
    const piece = raw.subarray(end + 2, end + 2 + size);
    if (piece.length !== size) {
      throw incomplete();
    }
    if (signed) {
      const text = ['AWS4-HMAC-SHA256-PAYLOAD', signed.date, signed.scope, signature, emptyHash, sha256(piece)];
      signature = hmac(signed.key, text.join('\n')).toString('hex');
      if (head[2] !== signature) {
        throw wrongSignature();
      }
    } else if (head[2] !== undefined) {
      throw incomplete();
    }
    at = end + 2 + size;
    if (size === 0) {
      return { pieces, rest: raw.subarray(at), signature };
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

function readTrailers(rest: Buffer, signed: Signed | undefined, previous: string): Map<string, string> {
  const lines = rest.toString('latin1').split('\r\n').filter(Boolean);
  const trailers = new Map(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:/, '').trim()]),
  );
  if (signed === undefined) {
    return trailers;
  }
  const claimed = trailers.get('x-amz-trailer-signature');
  trailers.delete('x-amz-trailer-signature');
  const canonical = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
  const text = ['AWS4-HMAC-SHA256-TRAILER', signed.date, signed.scope, previous, sha256(canonical)];
  if (hmac(signed.key, text.join('\n')).toString('hex') !== claimed) {
    throw wrongSignature();
  }
  return trailers;
}

function incomplete(): Error {
  return refusal(
    400,
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  );
}

function wrongSignature(): Error {
  return refusal(
    403,
    'SignatureDoesNotMatch',
    'The chunk signature we calculated does not match the one you provided.',
  );
}
