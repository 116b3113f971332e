/** The operations on one object. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Asked, copySourceOf, type Reply } from './asked.ts';
import { currentOf, erase, type Version, write } from './bucket.ts';
import { asAlgorithm, checkBody, checksumOf, elementOf, headerOf } from './checksums.ts';
import { checkConditions, checkDeletion, checkReading } from './conditions.ts';
import { refusal, refused } from './refusal.ts';
import { answer, element } from './xml.ts';

const largestPut = 5 * 1024 ** 3;

export function putObject(asked: Asked): Reply {
  const { bucket, key, headers, body, trailers, now } = asked;
  if (body.length > largestPut) {
    throw refusal(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  const checksum = checkBody(headers, trailers, body);
  checkConditions(asked);
  const version = write(bucket, key, { body, modified: now, checksum, headers: keptHeaders(headers) });
  return {
    status: 200,
    headers: {
      etag: version.etag,
      [headerOf(checksum.algorithm)]: checksum.value,
      'x-amz-checksum-type': checksum.type,
      ...versionHeaders(asked, version),
    },
  };
}

/** What of a request's headers is given back on reading. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && (entry[0].startsWith('x-amz-meta-') || entry[0] === 'content-type'),
  );
  const encoding = headers['content-encoding']?.replace(/,?aws-chunked/, '');
  return {
    'content-type': 'binary/octet-stream',
    ...Object.fromEntries(kept),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  };
}

export function versionHeaders(asked: Asked, version: Version): Record<string, string> {
  return {
    ...(asked.bucket.versioned ? { 'x-amz-version-id': version.id } : {}),
    ...(asked.bucket.encrypted ? { 'x-amz-server-side-encryption': 'aws:kms' } : {}),
  };
}

export function getObject(asked: Asked): Reply {
  const version = found(asked);
  checkReading(asked.headers, version.etag);
  const { body, checksum } = version;
  const range = rangeOf(asked.headers.range, body.length);
  const isChecked = asked.headers['x-amz-checksum-mode'] === 'ENABLED' && range === undefined;
  const headers = {
    ...version.headers,
    etag: version.etag,
    'last-modified': version.modified.toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': range === undefined ? body.length : range.end - range.start,
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end - 1}/${body.length}` }),
    ...(isChecked ? { [headerOf(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type } : {}),
    ...versionHeaders(asked, version),
  };
  const piece = range === undefined ? body : body.subarray(range.start, range.end);
  return { status: range === undefined ? 200 : 206, headers, body: piece };
}

/** Absent and forbidden look alike to who may not list the bucket. */
function found({ bucket, key, allows }: Asked): Version {
  const version = currentOf(bucket, key);
  if (version) {
    return version;
  }
  throw allows('s3:ListBucket', '') ? refused.noSuchKey(key) : refused.accessDenied();
}

function rangeOf(header: string | undefined, length: number): { start: number; end: number } | undefined {
  if (header === undefined) {
    return undefined;
  }
  const [, from] = /^bytes=(\d+)-$/.exec(header) ?? [];
  if (from === undefined) {
    throw refused.notImplemented('Range');
  }
  const start = Number(from);
  if (start >= length) {
    throw refusal(416, 'InvalidRange', 'The requested range is not satisfiable');
  }
  return { start, end: length };
}

export function deleteObject(asked: Asked): Reply {
  const { bucket, key, now } = asked;
  checkDeletion(asked);
  const marker = erase(bucket, key, now);
  return { status: 204, headers: marker ? { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.id } : {} };
}

export function copyObject(asked: Asked): Reply {
  const { bucket, key, headers, now, bucketNamed, allows, largestCopy } = asked;
  const from = copySourceOf(headers);
  const source = currentOf(bucketNamed(from.bucket), from.key);
  if (source === undefined) {
    throw allows('s3:ListBucket', '') ? refused.noSuchKey(from.key) : refused.accessDenied();
  }
  const replaces = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (from.bucket === bucket.name && from.key === key && !replaces) {
    throw refused.invalid(
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  if (source.body.length > largestCopy) {
    throw refused.invalid(
      `The specified copy source is larger than the maximum allowable size for a copy source: ${largestCopy}`,
    );
  }
  const named = headers['x-amz-checksum-algorithm'];
  const algorithm = typeof named === 'string' ? asAlgorithm(named) : source.checksum.algorithm;
  checkConditions(asked);
  const checksum = { algorithm, value: checksumOf(algorithm, source.body), type: 'FULL_OBJECT' } as const;
  const kept = replaces ? keptHeaders(headers) : source.headers;
  const version = write(bucket, key, { body: source.body, modified: now, checksum, headers: kept });
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...versionHeaders(asked, version) },
    body: answer('CopyObjectResult', [
      element('LastModified', now.toISOString()),
      element('ETag', version.etag),
      element(elementOf(algorithm), checksum.value),
      element('ChecksumType', checksum.type),
    ]),
  };
}
