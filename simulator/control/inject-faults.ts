/** The faults of the transport, which any endpoint can have: they replace its response or change it. */
import type { Fault, Faults, RequestName, SharedFaultName } from '../platforms/faults.ts';
import { originPlatforms } from '../platforms/platforms.ts';
import type { PlatformRequest } from '../platforms/request.ts';
import { type PlatformResponse, respondHtml } from '../platforms/response.ts';
import { type TransientErrors, transientErrors } from '../platforms/transient-errors.ts';

/** The kinds of endpoint for which a fault is counted. */
type RequestTarget = 'sign-in' | 'data' | 'other';

interface ReplacingFault {
  readonly name: SharedFaultName;
  readonly targets: readonly RequestTarget[];
  /** Responds instead of the endpoint; `goesOn` is true where the fault will be injected again. */
  respond(errors: TransientErrors, fault: Fault, goesOn: boolean): PlatformResponse;
}

const transientRetryAfterSeconds = 1;
const lastingRetryAfterSeconds = 3600;
const defaultDropAfterMilliseconds = 2000;
/** Share of a truncated body that is sent. */
const keptBodyShare = 0.7;

const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="user"></form></body></html>';

/** Faults that replace a response, in the order of injection. */
const replacingFaults: readonly ReplacingFault[] = [
  {
    name: 'throttled-seconds',
    targets: ['sign-in', 'data'],
    respond: (errors, fault) => errors.respondTooManyRequests({ 'retry-after': String(chooseRetryAfter(fault)) }),
  },
  {
    name: 'throttled-date',
    targets: ['sign-in', 'data'],
    respond: (errors, fault) =>
      errors.respondTooManyRequests({ 'retry-after': formatHttpDate(chooseRetryAfter(fault)) }),
  },
  { name: 'throttled-bare', targets: ['sign-in', 'data'], respond: (errors) => errors.respondTooManyRequests({}) },
  {
    // The last error before the fault heals is a 502, every other one a 503.
    name: 'server-errors',
    targets: ['sign-in', 'data'],
    respond: (errors, _, goesOn) => errors.respondServerError(goesOn ? 503 : 502),
  },
  // Sent at once, like a load balancer's answer without a server behind it.
  { name: 'gateway-timeouts', targets: ['data'], respond: (errors) => errors.respondServerError(504) },
  { name: 'hang', targets: ['sign-in', 'data'], respond: (_, fault) => hang(fault) },
];

/** The response of a fault that replaces the endpoint's own. */
export function injectFaultsBefore(faults: Faults, request: PlatformRequest): PlatformResponse | undefined {
  const platform = originPlatforms[request.origin];
  if (platform === undefined) {
    return undefined;
  }
  const name = nameRequest(request);
  if (faults.inject(platform, 'down', request.origin, name) !== undefined) {
    return { status: 0, headers: {}, body: '', wire: 'reset' };
  }
  const target = classifyTarget(name);
  for (const { name: faultName, targets, respond } of replacingFaults) {
    const fault = targets.includes(target) ? faults.inject(platform, faultName, target, name) : undefined;
    if (fault !== undefined) {
      return respond(transientErrors[platform], fault, faults.isActive(platform, faultName, target, name));
    }
  }
  return undefined;
}

function chooseRetryAfter(fault: Fault): number {
  return fault.number ?? (fault.lasting ? lastingRetryAfterSeconds : transientRetryAfterSeconds);
}

/** An HTTP date with whole seconds, rounded up, so that a client that obeys it is not too early. */
function formatHttpDate(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}

function hang({ number, lasting }: Fault): PlatformResponse {
  const dropAfterMilliseconds = number === undefined ? defaultDropAfterMilliseconds : number * 1000;
  return { status: 0, headers: {}, body: '', wire: lasting ? 'hang' : { dropAfterMilliseconds } };
}

/** The endpoint's own response, changed by a fault. */
export function injectFaultsAfter(
  faults: Faults,
  request: PlatformRequest,
  response: PlatformResponse,
): PlatformResponse {
  const platform = originPlatforms[request.origin];
  const name = nameRequest(request);
  const target = classifyTarget(name);
  if (platform === undefined || target === 'other' || response.status >= 300) {
    return response;
  }
  if (faults.inject(platform, 'reset-mid-body', target, name) !== undefined) {
    return { ...response, wire: 'reset-mid-body' };
  }
  if (request.origin !== 'downloads' && faults.inject(platform, 'truncated-json', target, name) !== undefined) {
    return { ...response, body: String(response.body).slice(0, Math.floor(response.body.length * keptBodyShare)) };
  }
  if (faults.inject(platform, 'html-200', target, name) !== undefined) {
    return respondHtml(200, loginPage);
  }
  return response;
}

function nameRequest({ origin, path }: PlatformRequest): RequestName | undefined {
  if (origin === 'login' || /^(\/api\/(v1\/)?(oauth|auth)|\/auth)\/token$/.test(path)) {
    return 'sign-in';
  }
  if (/\/computers-inventory$|\/managedDevices$/.test(path)) {
    return 'devices';
  }
  return path.startsWith('/exports/') ? 'download' : path.includes('/reports/') ? 'report' : undefined;
}

function classifyTarget(name: RequestName | undefined): RequestTarget {
  return name === undefined ? 'other' : name === 'sign-in' ? name : 'data';
}
