/** Every checksum that S3 takes, and its rules about them. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { refusal, refused } from './refusal.ts';

export interface Checksum {
  readonly algorithm: Algorithm;
  /** Base64; a composite one ends in `-` and the number of parts. */
  readonly value: string;
  readonly type: 'FULL_OBJECT' | 'COMPOSITE';
}

export type Algorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';

const lengths: Readonly<Record<Algorithm, number>> = { CRC32: 4, CRC32C: 4, CRC64NVME: 8, SHA1: 20, SHA256: 32 };

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
  if (algorithm === 'SHA1' || algorithm === 'SHA256') {
    return createHash(algorithm.toLowerCase()).update(body).digest();
  }
  const digest = Buffer.alloc(lengths[algorithm]);
  if (algorithm === 'CRC32') {
    digest.writeUInt32BE(crc32(body));
  } else if (algorithm === 'CRC32C') {
    digest.writeUInt32BE(reflected(body, 0n, 0x82f63b78n).low);
  } else {
    const { low, high } = reflected(body, 0x9a6c9329n, 0xac4bc9b5n);
    digest.writeUInt32BE(high);
    digest.writeUInt32BE(low, 4);
  }
  return digest;
}

/** A reflected CRC of 32 or 64 bits, as two halves: whole numbers of 64 bits would be slow. */
function reflected(body: Buffer, polynomialHigh: bigint, polynomialLow: bigint): { low: number; high: number } {
  const polynomial = (polynomialHigh << 32n) | polynomialLow;
  const highs = new Uint32Array(256);
  const lows = new Uint32Array(256);
  for (let index = 0; index < 256; index += 1) {
    let value = BigInt(index);
    for (let bit = 0; bit < 8; bit += 1) {
      value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n;
    }
    highs[index] = Number(value >> 32n);
    lows[index] = Number(value & 0xffffffffn);
  }
  let low = 0xffffffff;
  let high = polynomialHigh === 0n ? 0 : 0xffffffff;
  for (const byte of body) {
    const index = (low ^ byte) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (lows[index] ?? 0);
    high = (high >>> 8) ^ (highs[index] ?? 0);
  }
  return { low: ~low >>> 0, high: polynomialHigh === 0n ? 0 : ~high >>> 0 };
}

/**
 * Checks what a request says its body's checksums are, in headers or trailers; the checksum that S3 then keeps.
 * S3 computes a CRC64NVME itself where the request names none.
 */
export function checkBody(headers: IncomingHttpHeaders, trailers: ReadonlyMap<string, string>, body: Buffer): Checksum {
  checkMd5(headers['content-md5'], body);
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
    return { algorithm: 'CRC64NVME', value: checksumOf('CRC64NVME', body), type: 'FULL_OBJECT' };
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

function checkMd5(claimed: string | string[] | undefined, body: Buffer): void {
  if (typeof claimed !== 'string') {
    return;
  }
  if (Buffer.from(claimed, 'base64').length !== 16) {
    throw refusal(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.');
  }
  if (createHash('md5').update(body).digest('base64') !== claimed) {
    throw refused.badDigest('The Content-MD5 you specified did not match what we received.');
  }
}

/** The checksum of an object made of parts: the checksum of the parts' checksums. */
export function compositeOf(algorithm: Algorithm, parts: readonly string[]): Checksum {
  const joined = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
  return { algorithm, value: `${checksumOf(algorithm, joined)}-${parts.length}`, type: 'COMPOSITE' };
}
