/** Jamf's two ways to sign in, and the routes about the signed-in account itself. */
import { formatJamfDate } from '../format-dates.ts';
import { listGrantedPrivileges, respondApiError, respondNotFound } from '../jamf/jamf-errors.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken, readForm, readHeader } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import templates from './templates/account.json' with { type: 'json' };

/** The routes that need no token. */
export function routeWithoutToken(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  switch (`${request.method} ${request.path}`) {
    case 'POST /api/v1/auth/token':
      return respondAccountSignIn(context, request);
    case 'POST /api/v1/oauth/token':
      return context.jamfOptions.older ? respondNotFound() : respondClientSignIn(context, request);
    case 'POST /api/oauth/token':
      return respondClientSignIn(context, request);
    case 'GET /api/startup-status':
      return respondJson(200, { stepCode: 'SERVER_INIT_COMPLETE', percentage: 100, warning: null, error: null });
    default:
      return undefined;
  }
}

function respondAccountSignIn(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const encoded = /^Basic (.+)$/.exec(readHeader(request, 'authorization'))?.[1] ?? '';
  const [user, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (user !== context.secrets.jamf.user || rest.join(':') !== context.secrets.jamf.password) {
    return respondJson(401, { httpStatus: 401, errors: [] });
  }
  return respondAccountToken(context, user);
}

function respondClientSignIn(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const fields = readForm(request);
  if (fields.get('grant_type') !== 'client_credentials') {
    return respondOAuthError('unsupported_grant_type', 'grant_type');
  }
  const known = fields.get('client_id') === context.secrets.jamf.clientId;
  if (!known || fields.get('client_secret') !== context.secrets.jamf.clientSecret) {
    return respondOAuthError('invalid_client', 'Client authentication failed');
  }
  const seconds = context.jamfOptions.tokenSeconds;
  const token = context.tokens.jamf.issue({ holder: context.secrets.jamf.clientId, kind: 'client' }, seconds);
  // learn.jamf.com shows 599 for a client of 600 s.
  const expires_in = seconds > 1 ? seconds - 1 : seconds;
  return respondJson(200, { access_token: token, scope: 'api-role:2', token_type: 'Bearer', expires_in });
}

/** Errors of this endpoint follow RFC 6749, not Jamf's own form. */
function respondOAuthError(error: string, description: string): PlatformResponse {
  return respondJson(400, { error, error_description: description, error_uri: null });
}

/** The routes that need a token and no privilege. */
export function routeTokenHolder(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const token = readBearerToken(request) ?? '';
  const grant = context.tokens.jamf.find(token);
  switch (`${request.method} ${request.path}`) {
    case 'GET /api/v1/auth':
      return respondCurrentAccount(context, request);
    case 'GET /api/v1/jamf-pro-version':
      return respondJson(200, {
        version: context.jamfOptions.older ? '11.20.1-t1757000000000' : '11.30.1-t1784555528405',
      });
    case 'POST /api/v1/auth/invalidate-token':
      context.tokens.jamf.revoke(token);
      return { status: 204, headers: {}, body: '' };
    case 'POST /api/v1/auth/keep-alive':
      if (grant?.kind !== 'account') {
        return respondApiError(403, 'INVALID_PRIVILEGE', 'Not available to API clients');
      }
      context.tokens.jamf.revoke(token);
      return respondAccountToken(context, grant.holder);
    default:
      return undefined;
  }
}

function respondCurrentAccount(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (context.faults.inject('jamf', 'account-errors') !== undefined) {
    return respondJson(500, { httpStatus: 500, errors: [] });
  }
  const grant = context.tokens.jamf.find(readBearerToken(request));
  const { site, siteForm, clientHasAccount } = context.jamfOptions;
  const scope = site && grant?.kind === 'account' ? templates.siteScopes[siteForm] : undefined;
  const currentSiteId = scope === undefined ? templates.account.currentSiteId : templates.site.id;
  const privileges = listGrantedPrivileges(context);
  const account = {
    ...templates.account,
    username: grant?.holder,
    accessLevel: scope?.accessLevel ?? templates.account.accessLevel,
    privilegesBySite: scope?.groups.length ? {} : { [currentSiteId]: privileges },
    groupIds: scope?.groupIds ?? [],
    currentSiteId,
  };
  return respondJson(200, {
    account: grant?.kind === 'client' && !clientHasAccount ? null : account,
    accountGroups: scope?.groups.map((group) => ({ ...group, privileges })) ?? [],
    sites: scope === undefined ? [] : [templates.site],
    authenticationType: grant?.kind === 'client' ? 'CLIENT_CREDENTIALS' : 'JSS',
  });
}

function respondAccountToken(context: PlatformContext, holder: string): PlatformResponse {
  const seconds = context.jamfOptions.tokenSeconds;
  const token = context.tokens.jamf.issue({ holder, kind: 'account' }, seconds);
  return respondJson(200, { token, expires: formatJamfDate(Date.now() + seconds * 1000) });
}
