/** The checksums that the SDK sends, and S3's rules about them. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { refused } from './refusal.ts';

export interface Checksum {
  readonly algorithm: Algorithm;
  /** Base64; a composite one ends in `-` and the number of parts. */
  readonly value: string;
  readonly type: 'FULL_OBJECT' | 'COMPOSITE';
}

export type Algorithm = 'CRC32' | 'SHA256';

const lengths: Readonly<Record<Algorithm, number>> = { CRC32: 4, SHA256: 32 };

export const algorithms = Object.keys(lengths) as Algorithm[];

export function headerOf(algorithm: Algorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** As in answers in XML: `ChecksumSHA256`. */
export function elementOf(algorithm: Algorithm): string {
  return `Checksum${algorithm}`;
}

export function asAlgorithm(name: string): Algorithm {
  const found = algorithms.find((algorithm) => algorithm === name.toUpperCase());
  if (found) {
    return found;
  }
  throw refused.invalid('Checksum algorithm provided is unsupported. Please try again with any of the valid types.');
}

export function checksumOf(algorithm: Algorithm, body: Buffer): string {
  return digestOf(algorithm, body).toString('base64');
}

function digestOf(algorithm: Algorithm, body: Buffer): Buffer {
  if (algorithm === 'SHA256') {
    return createHash('sha256').update(body).digest();
  }
  const digest = Buffer.alloc(lengths.CRC32);
  digest.writeUInt32BE(crc32(body));
  return digest;
}

/**
 * Checks what a request says its body's checksums are, in headers or trailers; the checksum that S3 then keeps.
 * S3 computes one itself where the request names none: a CRC64NVME, here a CRC32.
 */
export function checkBody(headers: IncomingHttpHeaders, trailers: ReadonlyMap<string, string>, body: Buffer): Checksum {
  const known = ['x-amz-checksum-algorithm', ...algorithms.map(headerOf)];
  const strange = Object.keys(headers).find(
    (name) => name === 'content-md5' || (name.startsWith('x-amz-checksum-') && !known.includes(name)),
  );
  if (strange !== undefined) {
    throw refused.notImplemented(strange);
  }
  const claimed = algorithms.flatMap((algorithm) => {
    const value = headers[headerOf(algorithm)] ?? trailers.get(headerOf(algorithm));
    return typeof value === 'string' ? [{ algorithm, value }] : [];
  });
  if (claimed.length > 1) {
    throw refused.invalid('Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.');
  }
  const [only] = claimed;
  const named = headers['x-amz-sdk-checksum-algorithm'];
  if (only === undefined) {
    if (named !== undefined) {
      throw refused.invalid(
        'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
      );
    }
    return { algorithm: 'CRC32', value: checksumOf('CRC32', body), type: 'FULL_OBJECT' };
  }
  if (typeof named === 'string' && asAlgorithm(named) !== only.algorithm) {
    throw refused.invalid('Value for x-amz-sdk-checksum-algorithm header is invalid.');
  }
  const bytes = Buffer.from(only.value, 'base64');
  if (bytes.toString('base64') !== only.value || bytes.length !== lengths[only.algorithm]) {
    throw refused.invalid(`Value for ${headerOf(only.algorithm)} header is invalid.`);
  }
  if (!bytes.equals(digestOf(only.algorithm, body))) {
    throw refused.badDigest(`The ${only.algorithm} you specified did not match the calculated checksum.`);
  }
  return { ...only, type: 'FULL_OBJECT' };
}

/** The checksum of an object made of parts: the checksum of the parts' checksums. */
export function compositeOf(algorithm: Algorithm, parts: readonly string[]): Checksum {
  const joined = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
  return { algorithm, value: `${checksumOf(algorithm, joined)}-${parts.length}`, type: 'COMPOSITE' };
}
