/**
 * The service's two downloads: streamed through an inspector and a checksum, never kept; asked for by the version that
 * was read last, so that an unchanged one is not read again. They need no credential, and none is sent.
 */
import { createHash } from 'node:crypto';
import type { DownloadFacts } from '../../core/facts.ts';
import { bundleInspector } from '../../deployment/archives/bundle.ts';
import type { Inspector } from '../../deployment/archives/inspector.ts';
import { xarInspector } from '../../deployment/archives/xar.ts';
import type { Downloaded } from '../../deployment/checks/service.ts';
import { downloads } from '../../deployment/definition.ts';
import { isSafe } from '../../deployment/hosts.ts';
import { MusterError } from '../../errors.ts';
import { type Client, httpClient } from '../../http/client.ts';
import { known } from '../read.ts';
import type { Ask } from '../source.ts';
import type { Note } from './deployment.ts';

/** Far above any agent; whatever sends more is stopped. */
const largestDownload = 4 * 1024 * 1024 * 1024;
/** Milliseconds for one download altogether; a night has better things to wait for. */
const patience = 15 * 60 * 1000;

export async function readService(service: string, ask: Ask, note: Note, onRead: (facts: DownloadFacts) => void) {
  const remembered = ask.remembered.downloads ?? [];
  const read = async (name: 'package' | 'bundle', inspector: () => Inspector) => {
    const url = service + downloads[name].path;
    const address = sha256(url);
    const before = remembered.find((one) => one.name === name && one.address === address);
    const downloaded = await download({ name, url, address, before, inspector }, ask);
    if (downloaded.is === 'read' || downloaded.is === 'unchanged') onRead(downloaded.facts);
    note({ [name]: downloaded });
  };
  await Promise.all([read('package', xarInspector), read('bundle', bundleInspector)]);
}

interface Wanted {
  readonly name: string;
  readonly url: string;
  readonly address: string;
  readonly before: DownloadFacts | undefined;
  readonly inspector: () => Inspector;
}

async function download({ name, url, address, before, inspector }: Wanted, ask: Ask): Promise<Downloaded> {
  if (!isSafe(url)) return { is: 'refused', why: 'the address is not HTTPS' };
  const etag = before?.etag;
  let reading = readingOf(inspector);
  try {
    const answer = await clientOf(url, ask).ask(
      {
        url,
        accept: '*/*',
        headers: { 'accept-encoding': 'identity', ...(etag === undefined ? {} : { 'if-none-match': etag }) },
        alsoUnderstood: etag === undefined ? [] : [304],
        maximumBytes: largestDownload,
        into: () => {
          reading = readingOf(inspector);
          return reading.take;
        },
      },
      ({ status, headers }) => ({ status, etag: headers.get('etag') ?? undefined }),
    );
    if (answer.status === 304 && before !== undefined) return { is: 'unchanged', facts: before };
    if (answer.status !== 200) return { is: 'refused', why: `the service answered ${answer.status}` };
    const facts = { name, address, ...known({ etag: answer.etag }), ...(await reading.end()) };
    return { is: 'read', facts };
  } catch (error) {
    return failureOf(error);
  }
}

function readingOf(inspector: () => Inspector) {
  const hash = createHash('sha256');
  const inspected = inspector();
  let bytes = 0;
  return {
    take(piece: Buffer) {
      bytes += piece.length;
      hash.update(piece);
      return inspected.take(piece);
    },
    async end() {
      const problem = await inspected.end();
      return { bytes, sha256: hash.digest('hex'), ...known({ problem }) };
    },
  };
}

function clientOf(url: string, { clock, signal, deadline }: Ask): Client {
  const until = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const origin = new URL(url).origin;
  return httpClient({ who: 'The service', origin, clock, signal: until, ...known({ deadline }), concurrency: 1 });
}

/** What the service says of its file is its fault; not to be reached may be ours. */
function failureOf(error: unknown): Downloaded {
  const code = error instanceof MusterError ? error.code : 'deadline';
  switch (code) {
    case 'not-found':
      return { is: 'refused', why: 'the service has no such file (404)' };
    case 'redirected':
      return { is: 'refused', why: 'the service redirects; the documented download follows no redirect' };
    case 'answer-too-large':
      return { is: 'refused', why: `it is larger than ${largestDownload} bytes` };
    case 'permission-missing':
    case 'sign-in-refused':
      return { is: 'refused', why: 'the service asks for a sign-in that the document does not show' };
    default: {
      const advice = 'Check deployment.service, and that this machine may reach it.';
      return { is: 'unread', why: `the service could not be read [${code}]`, advice };
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
