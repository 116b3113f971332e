/**
 * Inspects the service's two downloads without fetching them: a HEAD request and the first bytes show their format,
 * however large they are. Sends no credential, since they need none.
 */

import { MusterError } from '../../../base/errors.ts';
import { wantedBytes } from '../../../deployment/checks/jamf/downloads.ts';
import type { Download, DownloadedFile, JamfReading } from '../../../deployment/checks/jamf/reading.ts';
import { downloads } from '../../../deployment/definition.ts';
import { isSafeUrl } from '../../../deployment/hosts.ts';
import { createUnreadableAnswerError } from '../../../http/body.ts';
import { HttpClient } from '../../../http/client.ts';
import type { HttpResponse } from '../../../http/send-request.ts';
import { WaitBudget } from '../../../http/wait-budget.ts';
import type { Recorder } from '../../reading/progress.ts';
import type { ReadContext } from '../../source.ts';

/** Milliseconds for inspecting one download in total. */
const downloadTimeout = 2 * 60 * 1000;
/** Milliseconds to wait for passing failures. */
const longestPatience = 30_000;
const who = 'The service';

export async function readServiceDownloads(
  service: string | undefined,
  context: ReadContext,
  record: Recorder<JamfReading>,
): Promise<void> {
  if (service === undefined) {
    return;
  }
  const read = async (name: 'package' | 'bundle') => {
    record({ [name]: await inspectDownload(service + downloads[name].path, context) });
  };
  await Promise.all([read('package'), read('bundle')]);
}

async function inspectDownload(url: string, context: ReadContext): Promise<Download> {
  if (!isSafeUrl(url)) {
    return { kind: 'refused', why: 'the address is not HTTPS' };
  }
  const client = connect(url, context);
  try {
    const announced = await requestHead(client, url);
    const first = await requestFirstBytes(client, url);
    const file = { ...first, length: first.length ?? announced?.length, etag: first.etag ?? announced?.etag };
    return { kind: 'found', file };
  } catch (error) {
    return toDownloadFailure(error);
  }
}

/** Requests the uncompressed file, because a compressing proxy would change its length. */
const plain = { 'accept-encoding': 'identity' };

/** The headers of a download; undefined where the server does not support HEAD. */
function requestHead(client: HttpClient, url: string): Promise<Omit<DownloadedFile, 'firstBytes'> | undefined> {
  const request = { method: 'HEAD', url, accept: '*/*', headers: plain, alsoUnderstood: [405, 501] } as const;
  return client.send(request, ({ status, headers }) =>
    status === 405 || status === 501
      ? undefined
      : { length: parseLength(headers['content-length']), ...readEtag(headers) },
  );
}

/** The first bytes. A server without ranges sends the whole file; reading then stops early. */
function requestFirstBytes(client: HttpClient, url: string): Promise<DownloadedFile> {
  const headers = { ...plain, range: `bytes=0-${wantedBytes - 1}` };
  // The status 416 means that the file is empty.
  const request = { url, accept: '*/*', headers, firstBytes: wantedBytes, alsoUnderstood: [416] };
  return client.send(request, (answer) => ({
    length: answer.status === 416 ? 0 : readLength(answer),
    ...readEtag(answer.headers),
    firstBytes: answer.body,
  }));
}

function readLength({ status, headers, body }: HttpResponse): number | undefined {
  if (status === 206) {
    const [, total] = /^bytes 0-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
    if (total === undefined) {
      throw createUnreadableAnswerError(who, 'a part of the file that was not requested');
    }
    return parseLength(total);
  }
  return parseLength(headers['content-length']) ?? (body.length < wantedBytes ? body.length : undefined);
}

function readEtag({ etag }: HttpResponse['headers']): Pick<DownloadedFile, 'etag'> {
  return { etag };
}

function parseLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** A client for a server other than the source's, with its own patience. */
function connect(url: string, { clock, signal, deadline, patience }: ReadContext): HttpClient {
  const until = AbortSignal.any([signal, AbortSignal.timeout(downloadTimeout)]);
  const origin = new URL(url).origin;
  const limit = Math.min(longestPatience, (patience?.limit ?? longestPatience) / 2);
  const budget = new WaitBudget({ clock, limit, deadline });
  return new HttpClient({ who, origin, clock, signal: until, patience: budget });
}

/** The failure of a download: a refusal is the service's fault; without an answer the cause is unknown. */
function toDownloadFailure(error: unknown): Download {
  const code = error instanceof MusterError ? error.code : 'deadline';
  switch (code) {
    case 'not-found':
      return { kind: 'refused', why: 'the service has no such file (404)' };
    case 'redirected':
      return { kind: 'refused', why: 'the service redirects; the documented download follows no redirect' };
    case 'permission-missing':
    case 'sign-in-refused':
      return { kind: 'refused', why: 'the service requires a sign-in, which the documented download does not' };
    default: {
      const advice = 'Check deployment.service, and that this machine can reach it.';
      return { kind: 'unread', why: `the service could not be read [${code}]`, advice };
    }
  }
}
