/** Multipart uploads: begun, fed part by part, then completed or aborted. */
import { randomBytes } from 'node:crypto';
import type { Asked, Reply } from './asked.ts';
import { md5, type Part, type Upload, write } from './bucket.ts';
import { asAlgorithm, checkBody, checksumOf, compositeOf, elementOf, headerOf } from './checksums.ts';
import { checkConditions } from './conditions.ts';
import { keptHeaders, versionHeaders } from './objects.ts';
import { refusal, refused } from './refusal.ts';
import { answer, blocks, element } from './xml.ts';

const smallestPart = 5 * 1024 * 1024;

export function createUpload({ bucket, key, headers }: Asked): Reply {
  const named = headers['x-amz-checksum-algorithm'];
  const algorithm = typeof named === 'string' ? asAlgorithm(named) : undefined;
  const uploadId = randomBytes(24).toString('base64url');
  bucket.uploads.set(uploadId, { key, algorithm, headers: keptHeaders(headers), parts: new Map() });
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...(algorithm ? { 'x-amz-checksum-algorithm': algorithm } : {}) },
    body: answer('InitiateMultipartUploadResult', [
      element('Bucket', bucket.name),
      element('Key', key),
      element('UploadId', uploadId),
    ]),
  };
}

export function uploadPart(asked: Asked): Reply {
  const { headers, trailers, body, query } = asked;
  const { upload } = uploadOf(asked);
  const number = Number(query.get('partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw refusal(400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
  }
  const checksum = checkBody(headers, trailers, body);
  if (upload.algorithm !== undefined && checksum.algorithm !== upload.algorithm) {
    throw refused.invalid(
      `Checksum Type mismatch occurred, expected checksum Type: ${upload.algorithm.toLowerCase()}, actual checksum Type: ${checksum.algorithm.toLowerCase()}`,
    );
  }
  const part = { body, etag: `"${md5(body)}"`, checksum };
  upload.parts.set(number, part);
  return { status: 200, headers: { etag: part.etag, [headerOf(checksum.algorithm)]: checksum.value } };
}

export function completeUpload(asked: Asked): Reply {
  const { bucket, key, body, now } = asked;
  checkConditions(asked);
  const { uploadId, upload } = uploadOf(asked);
  const parts = chosenParts(upload, body.toString());
  const whole = Buffer.concat(parts.map((part) => part.body));
  const hashes = Buffer.concat(parts.map((part) => Buffer.from(part.etag.slice(1, -1), 'hex')));
  const checksum = upload.algorithm
    ? compositeOf(
        upload.algorithm,
        parts.map((part) => part.checksum.value),
      )
    : { algorithm: 'CRC32' as const, value: checksumOf('CRC32', whole), type: 'FULL_OBJECT' as const };
  const etag = `${md5(hashes)}-${parts.length}`;
  const version = write(bucket, key, { body: whole, modified: now, checksum, headers: upload.headers, etag });
  bucket.uploads.delete(uploadId);
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...versionHeaders(asked, version) },
    body: answer('CompleteMultipartUploadResult', [
      element('Bucket', bucket.name),
      element('Key', key),
      element('ETag', version.etag),
      element(elementOf(checksum.algorithm), checksum.value),
      element('ChecksumType', checksum.type),
    ]),
  };
}

function chosenParts(upload: Upload, xml: string): Part[] {
  const named = blocks(xml, 'Part');
  if (named.length === 0) {
    throw refusal(400, 'MalformedXML', 'The XML you provided was not well-formed');
  }
  let last = 0;
  return named.map((block, index) => {
    const number = Number(block.get('PartNumber'));
    if (number <= last) {
      throw refusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
    }
    last = number;
    const part = upload.parts.get(number);
    if (part === undefined || block.get('ETag')?.replaceAll('"', '') !== part.etag.slice(1, -1)) {
      throw refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
    }
    checkPartChecksum(upload, part, number, block);
    if (part.body.length < smallestPart && index < named.length - 1) {
      throw refusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
        PartNumber: String(number),
      });
    }
    return part;
  });
}

function checkPartChecksum(upload: Upload, part: Part, number: number, block: ReadonlyMap<string, string>): void {
  if (upload.algorithm === undefined) {
    return;
  }
  const claimed = block.get(elementOf(upload.algorithm));
  if (claimed === undefined) {
    throw refused.invalid(
      `The upload was created using a ${upload.algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${number} in the request.`,
    );
  }
  if (claimed !== part.checksum.value) {
    throw refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
  }
}

export function abortUpload(asked: Asked): Reply {
  asked.bucket.uploads.delete(uploadOf(asked).uploadId);
  return { status: 204 };
}

function uploadOf({ bucket, key, query }: Asked): { uploadId: string; upload: Upload } {
  const uploadId = query.get('uploadId') ?? '';
  const upload = bucket.uploads.get(uploadId);
  if (upload?.key === key) {
    return { uploadId, upload };
  }
  throw refused.noSuchUpload(uploadId);
}
