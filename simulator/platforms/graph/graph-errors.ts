/** Graph's errors; Intune wraps its own in JSON inside the message. */
import { drawGuid } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, Refusal, respondJson } from '../response.ts';

/** A path of the service with its handler; every path requires a token and one of the permissions. */
export interface GraphRoute {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly oneOf: readonly string[];
  /** Called with the part of the path that its expression captures. */
  respond(context: PlatformContext, request: PlatformRequest, part: string): PlatformResponse;
}

export function respondExpiredToken(): PlatformResponse {
  return respondGraphError(401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.');
}

export function respondBadRequest(message: string): PlatformResponse {
  return respondGraphError(400, 'BadRequest', message);
}

export function respondResourceNotFound(what: string): PlatformResponse {
  return respondGraphError(
    404,
    'ResourceNotFound',
    `Resource '${what}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

/** Refuses the request to this application, whatever its permissions. */
export function respondForbidden(): PlatformResponse {
  return respondIntuneRefusal('Application is not authorized to perform this operation.');
}

/** Refuses where none of the permissions was granted to the application. */
export function refuseMissingPermission(context: PlatformContext, oneOf: readonly string[]): void {
  const granted = listGrantedPermissions(context);
  if (!oneOf.some((permission) => granted.includes(permission))) {
    const scopes = `Application must have one of the following scopes: ${oneOf.join(', ')}`;
    throw new Refusal(respondIntuneRefusal(`Application is not authorized to perform this operation. ${scopes}`));
  }
}

/** Permissions with an administrator's consent. */
export function listGrantedPermissions(context: PlatformContext): string[] {
  const { withoutPermissions, withPermissions } = context.graphOptions;
  const usual = ['DeviceManagementApps.Read.All', 'DeviceManagementManagedDevices.Read.All'];
  return [...usual.filter((permission) => !withoutPermissions.includes(permission)), ...withPermissions];
}

export function respondGraphError(status: number, code: string, message: string): PlatformResponse {
  const innerError = {
    date: '2026-01-01T00:00:00',
    'request-id': drawGuid(status),
    'client-request-id': drawGuid(status),
  };
  return respondJson(status, { error: { code, message, innerError } });
}

function respondIntuneRefusal(sentence: string): PlatformResponse {
  const ids = `Operation ID (for customer support): 00000000-0000-0000-0000-000000000000 - Activity ID: ${drawGuid(403)}`;
  const wrapped = {
    _version: 3,
    Message: `${sentence} - ${ids} - Url: https://fef.amsub0502.manage.example.com/ReportingService/`,
    CustomApiErrorPhrase: '',
    RetryAfter: null,
    ErrorSourceService: '',
    HttpHeaders: '{}',
  };
  return respondGraphError(403, 'Forbidden', JSON.stringify(wrapped, null, 2).replaceAll('\n', '\r\n'));
}
