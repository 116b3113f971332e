/** Entra's token endpoint: client credentials with a secret or with an assertion. */

import { guid } from '../../devices/random.ts';
import { tenantId } from '../company.ts';
import { grantedPermissions } from '../graph/graph-errors.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, form, json } from '../request.ts';

function refusal(status: number, error: string, code: number, sentence: string): Answer {
  const trace = guid(code);
  const timestamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return json(status, {
    error,
    error_description: `AADSTS${code}: ${sentence}\r\nTrace ID: ${trace}\r\nCorrelation ID: ${trace}\r\nTimestamp: ${timestamp}Z`,
    error_codes: [code],
    timestamp: `${timestamp}Z`,
    trace_id: trace,
    correlation_id: trace,
    error_uri: `https://login.microsoftonline.com/error?code=${code}`,
  });
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export function loginHandler(world: World): (exchange: Exchange) => Answer {
  return (exchange) => {
    const match = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(exchange.path);
    if (match === null || exchange.method !== 'POST') {
      return refusal(404, 'invalid_request', 900144, 'The endpoint does not exist.');
    }
    if (match[1] !== tenantId) {
      return refusal(400, 'invalid_request', 90002, `Tenant '${match[1]}' not found.`);
    }
    const fields = form(exchange);
    if (fields.get('grant_type') !== 'client_credentials') {
      return refusal(400, 'unsupported_grant_type', 70003, 'The grant type is not supported.');
    }
    if (fields.get('client_id') !== world.secrets.graphClientId) {
      return refusal(400, 'unauthorized_client', 700016, 'Application was not found in the directory.');
    }
    if (!(fields.get('scope') ?? '').endsWith('/.default')) {
      return refusal(400, 'invalid_scope', 1002012, 'The provided value for scope is not valid.');
    }
    const asserted =
      fields.get('client_assertion_type') === assertionType && (fields.get('client_assertion') ?? '') !== '';
    if (!asserted && fields.get('client_secret') !== world.secrets.graphClientSecret) {
      return refusal(401, 'invalid_client', 7000215, 'Invalid client secret provided.');
    }
    const seconds = world.graphOptions.tokenSeconds;
    const grant = { holder: world.secrets.graphClientId, kind: 'client' } as const;
    const access_token = world.graphTokens.issue(
      grant,
      seconds,
      world.graphOptions.opaqueTokens ? undefined : { roles: grantedPermissions(world) },
    );
    const expires_in = seconds > 1 ? seconds - 1 : seconds;
    return json(200, { token_type: 'Bearer', expires_in, ext_expires_in: expires_in, access_token });
  };
}
