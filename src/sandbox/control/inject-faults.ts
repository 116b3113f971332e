/** Faults of transport and of answers that any endpoint can show, put before and after its own answer. */
import { type Answer, type Exchange, html, json } from '../platforms/request.ts';
import type { Fault, Faults, Platform } from './faults.ts';

/** Which of the faults' targets a request is, and whether it reads a page. */
type Target = 'sign-in' | 'data' | 'other';

const transientWait = 1;
const lastingWait = 3600;
const dropAfterMilliseconds = 2000;

function platformOf(exchange: Exchange): Platform {
  return exchange.origin === 'jamf' ? 'jamf' : 'graph';
}

function targetOf(exchange: Exchange): Target {
  if (exchange.origin === 'login' || /^\/api\/(v1\/)?(oauth|auth)\/token$/.test(exchange.path)) {
    return 'sign-in';
  }
  const data = /\/computers-inventory$|\/managedDevices$|\/reports\/|^\/exports\//.test(exchange.path);
  return data ? 'data' : 'other';
}

const gatewayPage = (status: number) =>
  html(
    status,
    '<html><head><title>Jamf Cloud - Timeout</title></head><body><h1>We are having trouble</h1><p>The server took too long to answer.</p></body></html>',
  );

const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="user"></form></body></html>';

export function serverError(platform: Platform, status: number): Answer {
  if (platform === 'jamf') {
    return status === 500 ? json(500, { httpStatus: 500, errors: [] }) : gatewayPage(status);
  }
  const code = status === 504 ? 'GatewayTimeout' : status === 500 ? 'InternalServerError' : 'ServiceUnavailable';
  return json(status, { error: { code, message: 'An error has occurred', innerError: { 'request-id': 'sandbox' } } });
}

function tooManyRequests(platform: Platform, headers: Record<string, string>): Answer {
  return platform === 'jamf'
    ? json(429, { httpStatus: 429, errors: [] }, headers)
    : json(429, { error: { code: 'TooManyRequests', message: 'Too many requests.' } }, headers);
}

function waitSeconds(fault: Fault): number {
  return fault.number ?? (fault.lasting ? lastingWait : transientWait);
}

/** HTTP dates have whole seconds; rounding up keeps the promise. */
function httpDate(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}

/** What answers instead of the endpoint, where a fault strikes before it. */
export function strikeBefore(faults: Faults, exchange: Exchange): Answer | undefined {
  const platform = platformOf(exchange);
  const target = targetOf(exchange);
  if (faults.strike(platform, 'down', exchange.origin) !== undefined) {
    return { status: 0, headers: {}, body: '', wire: 'reset' };
  }
  if (target === 'other') {
    return undefined;
  }
  const throttledSeconds = faults.strike(platform, 'throttled-seconds', target);
  if (throttledSeconds !== undefined) {
    return tooManyRequests(platform, { 'retry-after': String(waitSeconds(throttledSeconds)) });
  }
  const throttledDate = faults.strike(platform, 'throttled-date', target);
  if (throttledDate !== undefined) {
    return tooManyRequests(platform, { 'retry-after': httpDate(waitSeconds(throttledDate)) });
  }
  if (faults.strike(platform, 'throttled-bare', target) !== undefined) {
    return tooManyRequests(platform, {});
  }
  if (faults.strikes(platform, 'server-errors', target)) {
    const lasting = faults.strike(platform, 'server-errors', target)?.lasting;
    return serverError(platform, lasting ? 503 : faults.strikes(platform, 'server-errors', target) ? 503 : 502);
  }
  const hang = faults.strike(platform, 'hang', target);
  if (hang !== undefined) {
    const drop = hang.number === undefined ? dropAfterMilliseconds : hang.number * 1000;
    return { status: 0, headers: {}, body: '', wire: hang.lasting ? 'hang' : { dropAfterMilliseconds: drop } };
  }
  return undefined;
}

/** What becomes of the endpoint's own good answer, where a fault strikes after it. */
export function strikeAfter(faults: Faults, exchange: Exchange, answer: Answer): Answer {
  const platform = platformOf(exchange);
  const target = targetOf(exchange);
  if (target === 'other' || answer.status >= 300) {
    return answer;
  }
  if (faults.strike(platform, 'reset-mid-body', target) !== undefined) {
    return { ...answer, wire: 'reset-mid-body' };
  }
  if (exchange.origin !== 'downloads' && faults.strike(platform, 'truncated-json', target) !== undefined) {
    return { ...answer, body: String(answer.body).slice(0, Math.floor(answer.body.length * 0.7)) };
  }
  if (faults.strike(platform, 'html-200', target) !== undefined) {
    return html(200, loginPage);
  }
  return answer;
}
