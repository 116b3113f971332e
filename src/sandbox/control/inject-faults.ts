/** Faults of transport and of answers that any endpoint can show, put before and after its own answer. */
import { type PlatformRequest, type PlatformResponse, respondHtml, respondJson } from '../platforms/request.ts';
import type { Fault, Faults, Platform } from './faults.ts';

/** Which of the faults' targets a request is, and whether it reads a page. */
type RequestTarget = 'sign-in' | 'data' | 'other';

const transientRetryAfterSeconds = 1;
const lastingRetryAfterSeconds = 3600;
const dropAfterMilliseconds = 2000;

const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="user"></form></body></html>';

/** What answers instead of the endpoint, where a fault strikes before it. */
export function injectFaultsBefore(faults: Faults, request: PlatformRequest): PlatformResponse | undefined {
  const platform = readPlatform(request);
  const target = classifyTarget(request);
  if (faults.inject(platform, 'down', request.origin) !== undefined) {
    return { status: 0, headers: {}, body: '', wire: 'reset' };
  }
  if (target === 'other') {
    return undefined;
  }
  const throttledSeconds = faults.inject(platform, 'throttled-seconds', target);
  if (throttledSeconds !== undefined) {
    return respondTooManyRequests(platform, { 'retry-after': String(chooseRetryAfter(throttledSeconds)) });
  }
  const throttledDate = faults.inject(platform, 'throttled-date', target);
  if (throttledDate !== undefined) {
    return respondTooManyRequests(platform, { 'retry-after': formatHttpDate(chooseRetryAfter(throttledDate)) });
  }
  if (faults.inject(platform, 'throttled-bare', target) !== undefined) {
    return respondTooManyRequests(platform, {});
  }
  if (faults.isActive(platform, 'server-errors', target)) {
    const lasting = faults.inject(platform, 'server-errors', target)?.lasting;
    return respondServerError(platform, lasting ? 503 : faults.isActive(platform, 'server-errors', target) ? 503 : 502);
  }
  const hang = faults.inject(platform, 'hang', target);
  if (hang !== undefined) {
    const drop = hang.number === undefined ? dropAfterMilliseconds : hang.number * 1000;
    return { status: 0, headers: {}, body: '', wire: hang.lasting ? 'hang' : { dropAfterMilliseconds: drop } };
  }
  return undefined;
}

function readPlatform(request: PlatformRequest): Platform {
  return request.origin === 'jamf' ? 'jamf' : 'graph';
}

function classifyTarget(request: PlatformRequest): RequestTarget {
  if (request.origin === 'login' || /^\/api\/(v1\/)?(oauth|auth)\/token$/.test(request.path)) {
    return 'sign-in';
  }
  const data = /\/computers-inventory$|\/managedDevices$|\/reports\/|^\/exports\//.test(request.path);
  return data ? 'data' : 'other';
}

function respondTooManyRequests(platform: Platform, headers: Record<string, string>): PlatformResponse {
  return platform === 'jamf'
    ? respondJson(429, { httpStatus: 429, errors: [] }, headers)
    : respondJson(429, { error: { code: 'TooManyRequests', message: 'Too many requests.' } }, headers);
}

function chooseRetryAfter(fault: Fault): number {
  return fault.number ?? (fault.lasting ? lastingRetryAfterSeconds : transientRetryAfterSeconds);
}

/** HTTP dates have whole seconds; rounding up keeps the promise. */
function formatHttpDate(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}

export function respondServerError(platform: Platform, status: number): PlatformResponse {
  if (platform === 'jamf') {
    return status === 500 ? respondJson(500, { httpStatus: 500, errors: [] }) : respondGatewayPage(status);
  }
  const code = status === 504 ? 'GatewayTimeout' : status === 500 ? 'InternalServerError' : 'ServiceUnavailable';
  return respondJson(status, {
    error: { code, message: 'An error has occurred', innerError: { 'request-id': 'sandbox' } },
  });
}

function respondGatewayPage(status: number) {
  return respondHtml(
    status,
    '<html><head><title>Jamf Cloud - Timeout</title></head><body><h1>We are having trouble</h1><p>The server took too long to answer.</p></body></html>',
  );
}

/** What becomes of the endpoint's own good answer, where a fault strikes after it. */
export function injectFaultsAfter(
  faults: Faults,
  request: PlatformRequest,
  response: PlatformResponse,
): PlatformResponse {
  const platform = readPlatform(request);
  const target = classifyTarget(request);
  if (target === 'other' || response.status >= 300) {
    return response;
  }
  if (faults.inject(platform, 'reset-mid-body', target) !== undefined) {
    return { ...response, wire: 'reset-mid-body' };
  }
  if (request.origin !== 'downloads' && faults.inject(platform, 'truncated-json', target) !== undefined) {
    return { ...response, body: String(response.body).slice(0, Math.floor(response.body.length * 0.7)) };
  }
  if (faults.inject(platform, 'html-200', target) !== undefined) {
    return respondHtml(200, loginPage);
  }
  return response;
}
