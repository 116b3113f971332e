/**
 * The gateway of the Jamf Platform API in front of the server: other paths, a sign-in of its own, and a header that
 * names the environment, with the same bodies.
 */
import { company } from './company.ts';
import { respondApiError, respondUnauthorized } from './jamf/jamf-errors.ts';
import { respondClientSignIn } from './jamf/sign-in.ts';
import type { PlatformContext } from './platform-context.ts';
import { type PlatformRequest, readBearerToken, readHeader } from './request.ts';
import type { PlatformResponse } from './response.ts';

const tokenSeconds = 900;
const requestsPerSecond = 100;

/** Prefixes of the gateway, with those of the server itself. */
const prefixes = [
  ['/pro/', '/api/'],
  ['/proclassic/', '/JSSResource/'],
] as const;

/** Paths of the server that the gateway does not publish. */
const unpublished = /^\/pro\/v(1\/auth|[12]\/computers-inventory)$/;

type Handler = (request: PlatformRequest) => PlatformResponse;

export function createGatewayHandler(context: PlatformContext, respondAsServer: Handler): Handler {
  return (request) => {
    const response = respondAsGateway(context, request, respondAsServer);
    const window = {
      'x-ratelimit-limit': String(requestsPerSecond),
      'x-ratelimit-remaining': String(requestsPerSecond - 1),
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1),
    };
    return { ...response, headers: { ...response.headers, ...window } };
  };
}

function respondAsGateway(
  context: PlatformContext,
  request: PlatformRequest,
  respondAsServer: Handler,
): PlatformResponse {
  const { method, path } = request;
  if (method === 'POST' && path === '/auth/token') {
    return respondClientSignIn(context, request, Math.min(tokenSeconds, context.jamfOptions.tokenSeconds));
  }
  const [prefix, original] = prefixes.find(([outside]) => path.startsWith(outside)) ?? [];
  if (prefix === undefined) {
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
  }
  if (context.tokens.jamf.find(readBearerToken(request)) === undefined) {
    return respondUnauthorized();
  }
  const environment = readHeader(request, 'x-environment-id');
  if (environment !== company.environmentId) {
    return environment === ''
      ? respondApiError(400, 'REQUEST_CONTEXT_NOT_PROVIDED', 'No environment or tenant was named')
      : respondApiError(404, 'ENVIRONMENT_NOT_FOUND', `Environment ${environment} not found`);
  }
  const response = respondAsServer({ ...request, path: `${original}${path.slice(prefix.length)}` });
  // A missing permission and a path outside the published API get the same answer.
  return response.status === 403 || unpublished.test(path)
    ? respondApiError(403, 'BAD_PERMISSIONS', 'Forbidden')
    : response;
}
