/** The faults of the transport, which any endpoint can have: they replace its response or change it. */
import type { PlatformRequest } from '../platforms/request.ts';
import { type PlatformResponse, respondHtml } from '../platforms/response.ts';
import { respondServerError, respondTooManyRequests } from '../platforms/transient-errors.ts';
import type { Fault, Faults, SimulatedPlatform } from './faults.ts';

/** The kinds of endpoint for which a fault is counted. */
type RequestTarget = 'sign-in' | 'data' | 'other';

const transientRetryAfterSeconds = 1;
const lastingRetryAfterSeconds = 3600;
const defaultDropAfterMilliseconds = 2000;
/** What is left of a body that is truncated. */
const keptBodyShare = 0.7;

const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="user"></form></body></html>';

/** The response of a fault that replaces the endpoint's own. */
export function injectFaultsBefore(faults: Faults, request: PlatformRequest): PlatformResponse | undefined {
  const platform = readPlatform(request);
  if (faults.inject(platform, 'down', request.origin) !== undefined) {
    return { status: 0, headers: {}, body: '', wire: 'reset' };
  }
  const target = classifyTarget(request);
  if (target === 'other') {
    return undefined;
  }
  return (
    injectThrottling(faults, platform, target) ??
    injectServerError(faults, platform, target) ??
    injectGatewayTimeout(faults, platform, target) ??
    injectHang(faults, platform, target)
  );
}

function injectThrottling(
  faults: Faults,
  platform: SimulatedPlatform,
  target: RequestTarget,
): PlatformResponse | undefined {
  const inSeconds = faults.inject(platform, 'throttled-seconds', target);
  if (inSeconds !== undefined) {
    return respondTooManyRequests(platform, { 'retry-after': String(chooseRetryAfter(inSeconds)) });
  }
  const untilDate = faults.inject(platform, 'throttled-date', target);
  if (untilDate !== undefined) {
    return respondTooManyRequests(platform, { 'retry-after': formatHttpDate(chooseRetryAfter(untilDate)) });
  }
  return faults.inject(platform, 'throttled-bare', target) === undefined
    ? undefined
    : respondTooManyRequests(platform, {});
}

function chooseRetryAfter(fault: Fault): number {
  return fault.number ?? (fault.lasting ? lastingRetryAfterSeconds : transientRetryAfterSeconds);
}

/** HTTP dates have whole seconds, so they are rounded up: a client that comes at that date is not too early. */
function formatHttpDate(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}

/** The last error before the fault heals is a 502, every other one a 503. */
function injectServerError(
  faults: Faults,
  platform: SimulatedPlatform,
  target: RequestTarget,
): PlatformResponse | undefined {
  const fault = faults.inject(platform, 'server-errors', target);
  if (fault === undefined) {
    return undefined;
  }
  return respondServerError(platform, faults.isActive(platform, 'server-errors', target) ? 503 : 502);
}

/** At once, as a load balancer answers that finds no server behind it. */
function injectGatewayTimeout(
  faults: Faults,
  platform: SimulatedPlatform,
  target: RequestTarget,
): PlatformResponse | undefined {
  const isMeant = target === 'data' && faults.inject(platform, 'gateway-timeouts') !== undefined;
  return isMeant ? respondServerError(platform, 504) : undefined;
}

function injectHang(faults: Faults, platform: SimulatedPlatform, target: RequestTarget): PlatformResponse | undefined {
  const fault = faults.inject(platform, 'hang', target);
  if (fault === undefined) {
    return undefined;
  }
  const dropAfterMilliseconds = fault.number === undefined ? defaultDropAfterMilliseconds : fault.number * 1000;
  return { status: 0, headers: {}, body: '', wire: fault.lasting ? 'hang' : { dropAfterMilliseconds } };
}

/** The endpoint's own response, changed by a fault. */
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
    return { ...response, body: String(response.body).slice(0, Math.floor(response.body.length * keptBodyShare)) };
  }
  if (faults.inject(platform, 'html-200', target) !== undefined) {
    return respondHtml(200, loginPage);
  }
  return response;
}

function readPlatform(request: PlatformRequest): SimulatedPlatform {
  return request.origin === 'jamf' ? 'jamf' : 'graph';
}

function classifyTarget(request: PlatformRequest): RequestTarget {
  if (request.origin === 'login' || /^\/api\/(v1\/)?(oauth|auth)\/token$/.test(request.path)) {
    return 'sign-in';
  }
  const isData = /\/computers-inventory$|\/managedDevices$|\/reports\/|^\/exports\//.test(request.path);
  return isData ? 'data' : 'other';
}
