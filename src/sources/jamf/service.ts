/**
 * The service's two downloads, looked at and not fetched: a HEAD and the first bytes say whether they are what they
 * should be, however large they are. They need no credential, and none is sent.
 */
import { wantedBytes } from '../../deployment/checks/file-format.ts';
import type { Download, DownloadedFile } from '../../deployment/checks/service.ts';
import { downloads } from '../../deployment/definition.ts';
import { isSafeUrl } from '../../deployment/hosts.ts';
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { createHttpClient, type HttpClient } from '../../http/client.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import { omitUndefined } from '../read.ts';
import type { ReadContext } from '../source.ts';
import type { MacosRecorder } from './deployment.ts';

/** Milliseconds for one download altogether; a night has better things to wait for. */
const downloadTimeout = 2 * 60 * 1000;
const who = 'The service';

export async function readServiceDownloads(service: string, ask: ReadContext, note: MacosRecorder): Promise<void> {
  const read = async (name: 'package' | 'bundle') => {
    note({ [name]: await lookAt(service + downloads[name].path, ask) });
  };
  await Promise.all([read('package'), read('bundle')]);
}

async function lookAt(url: string, ask: ReadContext): Promise<Download> {
  if (!isSafeUrl(url)) {
    return { is: 'refused', why: 'the address is not HTTPS' };
  }
  const client = connect(url, ask);
  try {
    const announced = await askForHead(client, url);
    const first = await askForFirstBytes(client, url);
    const file = { ...first, length: first.length ?? announced?.length, etag: first.etag ?? announced?.etag };
    return { is: 'found', file };
  } catch (error) {
    return toDownloadFailure(error);
  }
}

/** As it is: what a proxy compresses on the way has another length. */
const plain = { 'accept-encoding': 'identity' };

/** Undefined where the server does not know HEAD. */
function askForHead(client: HttpClient, url: string): Promise<Omit<DownloadedFile, 'firstBytes'> | undefined> {
  const request = { method: 'HEAD', url, accept: '*/*', headers: plain, alsoUnderstood: [405, 501] } as const;
  return client.send(request, ({ status, headers }) =>
    status === 405 || status === 501
      ? undefined
      : { length: numberOf(headers.get('content-length')), ...etagOf(headers) },
  );
}

/** A server that knows no ranges sends the whole file; it is not listened to for longer than is needed. */
function askForFirstBytes(client: HttpClient, url: string): Promise<DownloadedFile> {
  const headers = { ...plain, range: `bytes=0-${wantedBytes - 1}` };
  // 416: there is not even a first byte.
  const request = { url, accept: '*/*', headers, firstBytes: wantedBytes, alsoUnderstood: [416] };
  return client.send(request, (answer) => ({
    length: answer.status === 416 ? 0 : lengthOf(answer),
    ...etagOf(answer.headers),
    firstBytes: answer.body,
  }));
}

function lengthOf({ status, headers, body }: HttpResponse): number | undefined {
  if (status === 206) {
    const [, total] = /^bytes 0-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    if (total === undefined) {
      throw createUnreadableAnswerError(who, 'another part of a file than the first');
    }
    return numberOf(total);
  }
  return numberOf(headers.get('content-length')) ?? (body.length < wantedBytes ? body.length : undefined);
}

function etagOf(headers: Headers): Pick<DownloadedFile, 'etag'> {
  return { etag: headers.get('etag') ?? undefined };
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

function connect(url: string, { clock, signal, deadline }: ReadContext): HttpClient {
  const until = AbortSignal.any([signal, AbortSignal.timeout(downloadTimeout)]);
  const origin = new URL(url).origin;
  return createHttpClient({ who, origin, clock, signal: until, ...omitUndefined({ deadline }), concurrency: 1 });
}

/** What the service says of its file is its fault; not to be reached may be ours. */
function toDownloadFailure(error: unknown): Download {
  const code = error instanceof MusterError ? error.code : 'deadline';
  switch (code) {
    case 'not-found':
      return { is: 'refused', why: 'the service has no such file (404)' };
    case 'redirected':
      return { is: 'refused', why: 'the service redirects; the documented download follows no redirect' };
    case 'permission-missing':
    case 'sign-in-refused':
      return { is: 'refused', why: 'the service asks for a sign-in that the document does not show' };
    default: {
      const advice = 'Check deployment.service, and that this machine may reach it.';
      return { is: 'unread', why: `the service could not be read [${code}]`, advice };
    }
  }
}
