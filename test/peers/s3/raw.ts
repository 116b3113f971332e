/** Requests signed by hand, to say what no SDK would: signature version 4, written a second time and on its own. */
import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';

export interface Raw {
  readonly method: string;
  /** Path and query, encoded and sorted. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** As in `x-amz-content-sha256`; the body's own hash otherwise. */
  readonly payload?: string;
}

export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
  readonly date: Date;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export const hash = (body: string | Buffer) => createHash('sha256').update(body).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function stamp(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '');
}

function signingKey({ secretAccessKey, region, date }: Signer): Buffer {
  const day = stamp(date).slice(0, 8);
  return hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request');
}

function scopeOf({ region, date }: Signer): string {
  return `${stamp(date).slice(0, 8)}/${region}/s3/aws4_request`;
}

export function sign(raw: Raw, host: string, signer: Signer): { headers: Record<string, string>; signature: string } {
  const headers: Record<string, string> = {
    ...raw.headers,
    host,
    'x-amz-date': stamp(signer.date),
    'x-amz-content-sha256': raw.payload ?? hash(raw.body ?? ''),
    ...(signer.sessionToken === undefined ? {} : { 'x-amz-security-token': signer.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const [path, query = ''] = raw.path.split('?');
  const canonical = [
    raw.method,
    path,
    query,
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', stamp(signer.date), scopeOf(signer), hash(canonical)].join('\n');
  const signature = hmac(signingKey(signer), text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${signer.accessKeyId}/${scopeOf(signer)},SignedHeaders=${names.join(';')},Signature=${signature}`;
  return { headers: { ...headers, authorization }, signature };
}

export function send(url: string, { method, path, body }: Raw, headers: Record<string, string>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const sent = request(`${url}${path}`, { method, headers: { ...headers, ...length } }, async (response) => {
      let text = '';
      for await (const piece of response) {
        text += piece;
      }
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** A body in chunks, unsigned, with a trailer behind them. */
export function chunked(pieces: readonly Buffer[], trailer: string): Buffer {
  const out = [...pieces, Buffer.alloc(0)].flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from(piece.length > 0 ? '\r\n' : ''),
  ]);
  return Buffer.concat([...out, Buffer.from(`${trailer}\r\n\r\n`)]);
}
