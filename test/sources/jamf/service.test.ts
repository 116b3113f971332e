/** The service's two downloads, asked of real servers that answer well, oddly, endlessly or not at all. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../src/core/facts/facts.ts';
import { bundleCheck, packageCheck, wantedBytes } from '../../../src/deployment/checks/jamf/downloads.ts';
import type { Download, JamfReading } from '../../../src/deployment/checks/jamf/reading.ts';
import { readServiceDownloads } from '../../../src/sources/jamf/deployment/downloads.ts';
import { judgeJamf } from '../../deployment/judging.ts';
import { type Loopback, loopback } from '../../http/loopback.ts';
import { packTar, packXar, packXarWith } from './installer-archives.ts';
import { createReadContext } from './server.ts';

let server: Loopback | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

interface Findings {
  readonly package: CheckResult;
  readonly bundle: CheckResult;
  readonly server: Loopback;
}

async function findings(answer: Answerer, context = createReadContext()): Promise<Findings> {
  server = await loopback(answer);
  return { ...(await judge(server.origin, context)), server };
}

async function judge(service: string, context = createReadContext()) {
  let read: Partial<JamfReading> = {};
  await readServiceDownloads(service, context, (part) => {
    read = { ...read, ...part };
  });
  const none: Download = { kind: 'refused', why: 'the test has not asked' };
  return {
    package: judgeJamf(packageCheck, { package: none, ...read }, { service }),
    bundle: judgeJamf(bundleCheck, { bundle: none, ...read }, { service }),
  };
}

/** What no compression makes smaller, and more of it than is ever asked for. */
const large = randomBytes(2 * wantedBytes);
const installer = packXar([Buffer.from('Distribution'), large]);
const archive = gzipSync(packTar('payload', large));

interface Serving {
  readonly package?: Buffer;
  readonly bundle?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const bodyFor = (request: IncomingMessage, { package: pkg = installer, bundle = archive }: Serving = {}) =>
  request.url === '/download/mac/fhfs.pkg' ? pkg : bundle;

/** A server that knows HEAD and ranges. */
function serving(files: Serving = {}): Answerer {
  return (request, response) => {
    const body = bodyFor(request, files);
    const headers = { etag: '"v1"', ...files.headers };
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (request.method === 'HEAD') {
      response.writeHead(200, { ...headers, 'content-length': body.length }).end();
    } else if (body.length === 0) {
      response.writeHead(416, { 'content-range': 'bytes */0' }).end();
    } else {
      const part = body.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`;
      response.writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length }).end(part);
    }
  };
}

describe('as expected', () => {
  it('passes, with length and ETag, after a HEAD and the first bytes alone', async () => {
    const found = await findings(serving());
    const words = (file: Buffer) => `as expected; ${file.length} bytes, ETag "v1"`;
    expect(found.package).toMatchObject({ result: 'pass', found: words(installer) });
    expect(found.bundle).toMatchObject({ result: 'pass', found: words(archive) });
    expect(found.server.requests.toSorted()).toEqual([
      'GET /download/mac/fhfs.pkg',
      'GET /download/mac/resources/bundle.dat',
      'HEAD /download/mac/fhfs.pkg',
      'HEAD /download/mac/resources/bundle.dat',
    ]);
    const ranges = found.server.headers.flatMap(({ range }) => range ?? []);
    expect(ranges).toEqual([`bytes=0-${wantedBytes - 1}`, `bytes=0-${wantedBytes - 1}`]);
    expect(found.server.headers.every(({ authorization, cookie }) => !authorization && !cookie)).toBe(true);
  });

  it('passes on a server that ignores the range and sends without end: reading stops after the bytes that are needed', async () => {
    const left: Promise<void>[] = [];
    const found = await findings((request, response) => {
      const body = bodyFor(request);
      response.writeHead(200, { 'content-length': 1024 ** 4 });
      if (request.method === 'HEAD') {
        return void response.end();
      }
      left.push(new Promise((resolve) => response.once('close', resolve)));
      response.write(body);
      const more = () => void (response.destroyed || response.write(large, more));
      more();
    });
    expect(found.package).toMatchObject({ result: 'pass', found: `as expected; ${1024 ** 4} bytes, no ETag` });
    expect(found.bundle.result).toBe('pass');
    await Promise.all(left);
  });

  it.each([405, 501])('passes on a server that answers HEAD with %i: the ranged GET alone is asked', async (status) => {
    const found = await findings((request, response) =>
      request.method === 'HEAD' ? void response.writeHead(status).end() : serving()(request, response),
    );
    expect(found.package).toMatchObject({
      result: 'pass',
      found: `as expected; ${installer.length} bytes, ETag "v1"`,
    });
    expect(found.server.requests).toHaveLength(4);
  });

  it('believes the range’s total rather than a HEAD that says nothing of the body', async () => {
    const found = await findings((request, response) =>
      request.method === 'HEAD'
        ? void response.writeHead(200, { 'content-length': 0 }).end()
        : serving()(request, response),
    );
    expect([found.package.result, found.bundle.result]).toEqual(['pass', 'pass']);
  });

  it('passes where it is small, comes whole and without a length', async () => {
    const small = packXar([Buffer.from('Distribution')]);
    const bundle = gzipSync(packTar('enroll', Buffer.from('#!/bin/sh\n')));
    const found = await findings((request, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' });
      if (request.method === 'HEAD') {
        response.end();
      } else {
        response.end(bodyFor(request, { package: small, bundle }));
      }
    });
    expect(found.package).toMatchObject({ result: 'pass', found: expect.stringContaining(`${small.length} bytes`) });
    expect(found.bundle.result).toBe('pass');
  });

  it('is a package with a table of contents that is longer than what is read', async () => {
    const many = Array.from({ length: 60_000 }, (_, index) => createHash('md5').update(String(index)).digest());
    const found = await findings(serving({ package: packXar(many) }));
    expect(packXar(many).readBigUInt64BE(8)).toBeGreaterThan(wantedBytes);
    expect(found.package.result).toBe('pass');
  });

  it.each([
    ['of GNU', 'ustar  '],
    ['of the oldest dialect', ''],
  ])('is a tar archive %s', async (_what, magic) => {
    const found = await findings(serving({ bundle: gzipSync(packTar('enroll', Buffer.from('x'), magic)) }));
    expect(found.bundle.result).toBe('pass');
  });
});

describe('a package that is not as expected', () => {
  const cut = (to: number) => installer.subarray(0, to);
  const forged = (at: number, bytes: number[]) => {
    const copy = Buffer.from(installer);
    copy.set(bytes, at);
    return copy;
  };

  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'it is empty; 0 bytes'],
    ['a web page', Buffer.from('<html>Sign in</html>'.repeat(5)), 'not an installer archive'],
    ['less than a header', cut(27), 'not an installer archive'],
    ['an archive of another kind', forged(3, [0x3f]), 'not an installer archive'],
    ['a header of no length', forged(4, [0, 0]), 'header is invalid'],
    ['a header that is a byte too short', forged(4, [0, 27]), 'header is invalid'],
    ['another version of the archive', packXar([large], { version: 7 }), 'header is invalid'],
    ['no table of contents', forged(8, [0, 0, 0, 0, 0, 0, 0, 0]), 'header is invalid'],
    ['a table of contents beyond its end', forged(8, [0, 0, 0, 9]), 'table of contents is cut off'],
    ['a table of contents of other bytes', forged(28, [0, 0, 0, 0]), 'cannot be read'],
    ['a table of contents that grows beyond all bounds', packXarWith(Buffer.alloc(100 * 1024 ** 2)), 'cannot be read'],
    ['cut by one byte at its end', cut(installer.length - 1), 'it is cut off'],
  ])('%s: fails', async (_what, file, words) => {
    const found = await findings(serving({ package: file }));
    expect(found.package).toMatchObject({ result: 'fail', found: expect.stringContaining(words) });
    expect(found.package.found).toContain(`${file.length} bytes`);
    expect(found.bundle.result).toBe('pass');
  });
});

describe('a bundle that is not as expected', () => {
  const header = packTar('enroll', Buffer.from('x'));
  const wrongSum = Buffer.from(header);
  wrongSum[0] = 0x7a;

  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'it is empty; 0 bytes'],
    ['a web page', Buffer.from('<html>Sign in</html>'), 'not a gzip file'],
    ['cut in its first header', gzipSync(packTar('enroll', large)).subarray(0, 30), 'not a tar archive'],
    ['gzip of other bytes', gzipSync(large), 'not a tar archive'],
    ['a tar archive without a file', gzipSync(Buffer.alloc(1024)), 'not a tar archive'],
    ['less than a header, though its sum is right', gzipSync(header.subarray(0, 511)), 'not a tar archive'],
    ['a header whose sum is another', gzipSync(wrongSum), 'not a tar archive'],
    ['gzip that is broken', Buffer.concat([archive.subarray(0, 10), Buffer.alloc(500, 0xff)]), 'cannot be unpacked'],
  ])('%s: fails', async (_what, file, words) => {
    const found = await findings(serving({ bundle: file }));
    expect(found.bundle).toMatchObject({ result: 'fail', found: expect.stringContaining(words) });
    expect(found.package.result).toBe('pass');
  });
});

describe('a service that refuses', () => {
  it.each([
    [404, 'no such file (404)'],
    [301, 'redirects'],
    [302, 'redirects'],
    [307, 'redirects'],
    [401, 'sign-in'],
    [403, 'sign-in'],
  ])('with %i fails, and no redirect is followed', async (status, words) => {
    const other = await loopback(serving());
    const found = await findings((_request, response) =>
      response.writeHead(status, { location: `${other.origin}/download/mac/fhfs.pkg` }).end(),
    );
    await other.close();
    for (const finding of [found.package, found.bundle]) {
      expect(finding).toMatchObject({ result: 'fail', found: expect.stringContaining(words) });
    }
    expect(other.requests).toEqual([]);
  });

  it('an address without TLS elsewhere fails, and is never asked', async () => {
    expect((await judge('http://files.example.com')).package).toMatchObject({
      result: 'fail',
      found: 'the address is not HTTPS',
    });
  });
});

describe('a service that cannot be asked', () => {
  it.each([500, 502, 503, 504])('because it answers %i is unknown', async (status) => {
    const found = await findings((_request, response) => response.writeHead(status).end());
    for (const finding of [found.package, found.bundle]) {
      expect(finding).toMatchObject({ result: 'unknown', found: expect.stringMatching(/\[request-/) });
    }
  });

  it('because the run is at its end is unknown', async () => {
    const found = await findings(serving(), createReadContext({ signal: AbortSignal.abort(new DOMException('late')) }));
    expect(found.package).toMatchObject({ result: 'unknown', found: expect.stringContaining('[deadline]') });
  });

  it('to the end, for it never says how long the file is, is unknown', async () => {
    const found = await findings((request, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' });
      response.end(request.method === 'HEAD' ? undefined : bodyFor(request));
    });
    expect(found.package).toMatchObject({
      result: 'unknown',
      found: 'the service does not say how long the file is',
    });
  });

  it('because it sends another part than the first is unknown', async () => {
    const found = await findings((request, response) =>
      request.method === 'HEAD'
        ? serving()(request, response)
        : void response.writeHead(206, { 'content-range': 'bytes 5-9/20' }).end('xar!!'),
    );
    expect(found.package).toMatchObject({ result: 'unknown', found: expect.stringContaining('answer-unreadable') });
  });
});
