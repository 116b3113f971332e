/** ListObjectsV2: pages of at most a thousand keys or common prefixes, each leading to the next. */
import type { Asked, Reply } from './asked.ts';
import { currentOf, keysOf } from './bucket.ts';
import { refusal } from './refusal.ts';
import { answer, element } from './xml.ts';

const largestPage = 1000;

export function listObjects({ bucket, query }: Asked): Reply {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : afterOf(token);
  const asked = Number(query.get('max-keys') ?? largestPage);
  if (!Number.isInteger(asked) || asked < 0) {
    throw refusal(400, 'InvalidArgument', 'Argument maxKeys must be an integer');
  }
  const size = Math.min(asked, largestPage);
  const encode = query.get('encoding-type') === 'url' ? encodeURIComponent : (text: string) => text;

  const entries = entriesOf(keysOf(bucket), prefix, delimiter).filter(({ name }) => isAfter(name, after));
  const page = entries.slice(0, size);
  const last = page.at(-1);
  const isTruncated = last !== undefined && entries.length > page.length;
  const contents = page
    .filter(({ isPrefix }) => !isPrefix)
    .map(({ name }) => {
      const version = currentOf(bucket, name);
      const inner = [
        element('Key', encode(name)),
        element('LastModified', version?.modified.toISOString() ?? ''),
        element('ETag', version?.etag ?? ''),
        element('ChecksumAlgorithm', version?.checksum.algorithm ?? ''),
        element('Size', version?.body.length ?? 0),
        element('StorageClass', 'STANDARD'),
      ];
      return `<Contents>${inner.join('')}</Contents>`;
    });
  const prefixes = page
    .filter(({ isPrefix }) => isPrefix)
    .map(({ name }) => `<CommonPrefixes>${element('Prefix', encode(name))}</CommonPrefixes>`);
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: answer('ListBucketResult', [
      element('Name', bucket.name),
      element('Prefix', encode(prefix)),
      ...(delimiter === '' ? [] : [element('Delimiter', encode(delimiter))]),
      element('MaxKeys', size),
      element('KeyCount', page.length),
      element('IsTruncated', isTruncated),
      ...(token === null ? [] : [element('ContinuationToken', token)]),
      ...(isTruncated ? [element('NextContinuationToken', tokenOf(last.name))] : []),
      ...contents,
      ...prefixes,
    ]),
  };
}

interface Entry {
  readonly name: string;
  readonly isPrefix: boolean;
}

function entriesOf(keys: readonly string[], prefix: string, delimiter: string): Entry[] {
  const entries = new Map<string, Entry>();
  for (const key of keys) {
    if (!key.startsWith(prefix)) {
      continue;
    }
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? key : key.slice(0, end + delimiter.length);
    entries.set(name, { name, isPrefix: end >= 0 });
  }
  return [...entries.values()];
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
