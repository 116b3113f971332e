/** Signature version 4 in the Authorization header, as strictly as S3 reads it. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refusal, refused } from './refusal.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const pattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const allowedSkew = 15 * 60 * 1000;

export function checkSignature(
  request: IncomingMessage,
  credentials: readonly Credentials[],
  region: string,
  now: Date,
): void {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    throw refused.accessDenied();
  }
  const [, accessKeyId, day, signedRegion, signedHeaders, signature] = pattern.exec(authorization) ?? [];
  if (!accessKeyId || !day || !signedRegion || !signedHeaders || !signature) {
    throw refusal(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  }
  if (signedRegion !== region) {
    throw refusal(
      400,
      'AuthorizationHeaderMalformed',
      `The authorization header is malformed; the region '${signedRegion}' is wrong; expecting '${region}'`,
      { Region: region },
    );
  }
  const known = credentials.find((candidate) => candidate.accessKeyId === accessKeyId);
  if (known === undefined) {
    throw refusal(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', {
      AWSAccessKeyId: accessKeyId,
    });
  }
  const token = request.headers['x-amz-security-token'];
  if (token !== known.sessionToken) {
    throw refusal(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.');
  }
  const date = checkDate(request.headers['x-amz-date'], day, now);
  const canonical = canonicalRequest(request, signedHeaders.split(';'));
  const scope = `${day}/${region}/s3/aws4_request`;
  const stringToSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = deriveSigningKey(known.secretAccessKey, day, region);
  if (!timingSafeEqual(hmac(key, stringToSign), Buffer.from(signature, 'hex'))) {
    throw refusal(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
      { AWSAccessKeyId: accessKeyId, StringToSign: stringToSign, CanonicalRequest: canonical },
    );
  }
}

function deriveSigningKey(secret: string, day: string, region: string): Buffer {
  return [day, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
}

function checkDate(date: string | string[] | undefined, day: string, now: Date): string {
  const [, year, month, dayOfMonth, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(date)) ?? [];
  if (typeof date !== 'string' || second === undefined || !date.startsWith(day)) {
    throw refused.accessDenied('AWS authentication requires a valid Date or x-amz-date header');
  }
  const time = Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}Z`);
  if (Math.abs(time - now.getTime()) > allowedSkew) {
    throw refusal(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
      { RequestTime: date, ServerTime: now.toISOString(), MaxAllowedSkewMilliseconds: String(allowedSkew) },
    );
  }
  return date;
}

function canonicalRequest(request: IncomingMessage, signedHeaders: readonly string[]): string {
  const unsigned = Object.keys(request.headers).filter(
    (name) => (name.startsWith('x-amz-') || name === 'host') && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    throw refusal(403, 'AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: unsigned.join(', '),
    });
  }
  const payload = request.headers['x-amz-content-sha256'];
  if (typeof payload !== 'string') {
    throw refused.invalid('Missing required header for this request: x-amz-content-sha256');
  }
  const url = new URL(request.url ?? '/', 'http://peer');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders.map((name) => {
    const value = request.headers[name];
    return `${name}:${(Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replace(/ +/g, ' ')}\n`;
  });
  const rawPath = (request.url ?? '/').split('?')[0] ?? '/';
  const path = rawPath
    .split('/')
    .map((segment) => encoded(decodeURIComponent(segment)))
    .join('/');
  return [request.method, path, query, headers.join(''), signedHeaders.join(';'), payload].join('\n');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function sha256(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
