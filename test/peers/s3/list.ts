/** ListObjectsV2: pages of at most a thousand keys, each leading to the next. */
import type { Asked, Reply } from './asked.ts';
import { currentOf, keysOf } from './bucket.ts';
import { refusal } from './refusal.ts';
import { answer, element } from './xml.ts';

const largestPage = 1000;

export function listObjects({ bucket, query }: Asked): Reply {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : afterOf(token);
  const asked = Number(query.get('max-keys') ?? largestPage);
  if (!Number.isInteger(asked) || asked < 0) {
    throw refusal(400, 'InvalidArgument', 'Argument maxKeys must be an integer');
  }
  const size = Math.min(asked, largestPage);
  const encode = query.get('encoding-type') === 'url' ? encodeURIComponent : (text: string) => text;

  const keys = keysOf(bucket).filter((key) => key.startsWith(prefix) && isAfter(key, after));
  const page = keys.slice(0, size);
  const last = page.at(-1);
  const isTruncated = last !== undefined && keys.length > page.length;
  const contents = page.map((key) => {
    const version = currentOf(bucket, key);
    const inner = [
      element('Key', encode(key)),
      element('LastModified', version?.modified.toISOString() ?? ''),
      element('ETag', version?.etag ?? ''),
      element('ChecksumAlgorithm', version?.checksum.algorithm ?? ''),
      element('Size', version?.body.length ?? 0),
      element('StorageClass', 'STANDARD'),
    ];
    return `<Contents>${inner.join('')}</Contents>`;
  });
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: answer('ListBucketResult', [
      element('Name', bucket.name),
      element('Prefix', encode(prefix)),
      element('MaxKeys', size),
      element('KeyCount', page.length),
      element('IsTruncated', isTruncated),
      ...(token === null ? [] : [element('ContinuationToken', token)]),
      ...(isTruncated ? [element('NextContinuationToken', tokenOf(last))] : []),
      ...contents,
    ]),
  };
}

function isAfter(name: string, after: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0;
}

function tokenOf(name: string): string {
  return Buffer.from(`after:${name}`).toString('base64');
}

function afterOf(token: string): string {
  const text = Buffer.from(token, 'base64').toString();
  if (text.startsWith('after:')) {
    return text.slice('after:'.length);
  }
  throw refusal(400, 'InvalidArgument', 'The continuation token provided is incorrect');
}
