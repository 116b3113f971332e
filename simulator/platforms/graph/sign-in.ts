/** Entra's token endpoint: client credentials with a secret or with an assertion. */
import { drawGuid } from '../../devices/random.ts';
import { company } from '../company.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { listGrantedPermissions } from './graph-errors.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export function createEntraHandler(context: PlatformContext): (request: PlatformRequest) => PlatformResponse {
  return (request) => {
    const match = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(request.path);
    if (match === null || request.method !== 'POST') {
      return respondEntraError(404, 'invalid_request', 900144, 'The endpoint does not exist.');
    }
    if (match[1] !== company.tenantId) {
      return respondEntraError(400, 'invalid_request', 90002, `Tenant '${match[1]}' not found.`);
    }
    if (context.faults.inject('graph', 'sign-in-unsteady') !== undefined) {
      return respondEntraError(400, 'invalid_request', 90033, 'A transient error has occurred. Please try again.');
    }
    const fields = new URLSearchParams(request.body);
    if (fields.get('grant_type') !== 'client_credentials') {
      return respondEntraError(400, 'unsupported_grant_type', 70003, 'The grant type is not supported.');
    }
    const application = listApplications(context).find(({ clientId }) => clientId === fields.get('client_id'));
    if (application === undefined) {
      return respondEntraError(400, 'unauthorized_client', 700016, 'Application was not found in the directory.');
    }
    if (!(fields.get('scope') ?? '').endsWith('/.default')) {
      return respondEntraError(400, 'invalid_scope', 1002012, 'The provided value for scope is not valid.');
    }
    const asserted =
      fields.get('client_assertion_type') === assertionType && (fields.get('client_assertion') ?? '') !== '';
    if (!asserted && fields.get('client_secret') !== application.clientSecret) {
      return respondEntraError(401, 'invalid_client', 7000215, 'Invalid client secret provided.');
    }
    const seconds = context.graphOptions.tokenSeconds;
    const access_token = context.tokens.graph.issue(
      application.holder,
      seconds,
      context.graphOptions.opaqueTokens ? undefined : { roles: application.roles },
    );
    const expires_in = seconds > 1 ? seconds - 1 : seconds;
    return respondJson(200, { token_type: 'Bearer', expires_in, ext_expires_in: expires_in, access_token });
  };
}

/** The applications. The one that sends mail has its right from Exchange, for one mailbox, and no permission of Graph. */
function listApplications(context: PlatformContext) {
  const { clientId, clientSecret, mailClientId, mailClientSecret } = context.secrets.graph;
  return [
    { holder: 'client', clientId, clientSecret, roles: listGrantedPermissions(context) },
    { holder: 'mail', clientId: mailClientId, clientSecret: mailClientSecret, roles: [] },
  ] as const;
}

function respondEntraError(status: number, error: string, code: number, sentence: string): PlatformResponse {
  const trace = drawGuid(code);
  const timestamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return respondJson(status, {
    error,
    error_description: `AADSTS${code}: ${sentence}\r\nTrace ID: ${trace}\r\nCorrelation ID: ${trace}\r\nTimestamp: ${timestamp}Z`,
    error_codes: [code],
    timestamp: `${timestamp}Z`,
    trace_id: trace,
    correlation_id: trace,
    error_uri: `https://login.microsoftonline.com/error?code=${code}`,
  });
}
