/** Graph's refusals; Intune wraps its own in a JSON text inside the message. */

import { guid } from '../../devices/random.ts';
import type { World } from '../platform-context.ts';
import { type Answer, json } from '../request.ts';

export function graphError(status: number, code: string, message: string): Answer {
  const innerError = { date: '2026-01-01T00:00:00', 'request-id': guid(status), 'client-request-id': guid(status) };
  return json(status, { error: { code, message, innerError } });
}

export const expiredToken = (): Answer =>
  graphError(401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.');
export const badRequest = (message: string): Answer => graphError(400, 'BadRequest', message);
export const noSuchResource = (what: string): Answer =>
  graphError(
    404,
    'ResourceNotFound',
    `Resource '${what}' does not exist or one of its queried reference-property objects are not present.`,
  );

function nested(sentence: string): string {
  return JSON.stringify(
    {
      _version: 3,
      Message: `${sentence} - Operation ID (for customer support): 00000000-0000-0000-0000-000000000000 - Activity ID: ${guid(403)} - Url: https://fef.amsub0502.manage.example.com/ReportingService/`,
      CustomApiErrorPhrase: '',
      RetryAfter: null,
      ErrorSourceService: '',
      HttpHeaders: '{}',
    },
    null,
    2,
  ).replaceAll('\n', '\r\n');
}

/** What an administrator has consented to. */
export function grantedPermissions(world: World): string[] {
  const { withoutPermissions, withPermissions } = world.graphOptions;
  const usual = ['DeviceManagementApps.Read.All', 'DeviceManagementManagedDevices.Read.All'];
  return [...usual.filter((permission) => !withoutPermissions.includes(permission)), ...withPermissions];
}

/** The refusal when none of the permissions was granted to the application. */
export function withoutPermission(world: World, ...oneOf: readonly string[]): Answer | undefined {
  const granted = grantedPermissions(world);
  return oneOf.some((permission) => granted.includes(permission))
    ? undefined
    : graphError(
        403,
        'Forbidden',
        nested(
          `Application is not authorized to perform this operation. Application must have one of the following scopes: ${oneOf.join(', ')}`,
        ),
      );
}
