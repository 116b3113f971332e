/** The service's two downloads for macOS: an installer package and a gzip tar archive, with their ETags, also in part. */
import { createHash } from 'node:crypto';
import { type PlatformRequest, readHeader } from './request.ts';
import type { PlatformResponse } from './response.ts';
import files from './templates/service-files.json' with { type: 'json' };

/** Files of the service; tests may change any of them while it runs. */
export interface ServiceFiles {
  package: Buffer;
  bundle: Buffer;
  /** A status and headers in place of the files, if set. */
  instead: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | undefined;
}

const filesByPath: ReadonlyMap<string, 'package' | 'bundle'> = new Map([
  ['/download/mac/fhfs.pkg', 'package'],
  ['/download/mac/resources/bundle.dat', 'bundle'],
]);

export function createServiceHandler(served: ServiceFiles): (request: PlatformRequest) => PlatformResponse {
  return (request) => {
    const name = filesByPath.get(request.path);
    if (name === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
    }
    if (served.instead !== undefined) {
      return { status: served.instead.status, headers: served.instead.headers ?? {}, body: '' };
    }
    return respondFile(request, served[name]);
  };
}

function respondFile(request: PlatformRequest, file: Buffer): PlatformResponse {
  const etag = `"${createHash('md5').update(file).digest('hex')}"`;
  const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes', etag };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(readHeader(request, 'range')) ?? [];
  if (from === undefined || request.method === 'HEAD') {
    return { status: 200, headers, body: file };
  }
  const part = file.subarray(Number(from), Number(to) + 1);
  if (part.length === 0) {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.length}` }, body: '' };
  }
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
  return { status: 206, headers: { ...headers, 'content-range': range }, body: part };
}

export function createServiceFiles(): ServiceFiles {
  return {
    package: Buffer.from(files.package, 'base64'),
    bundle: Buffer.from(files.bundle, 'base64'),
    instead: undefined,
  };
}
