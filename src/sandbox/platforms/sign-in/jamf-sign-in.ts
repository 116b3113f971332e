/** Jamf's two ways to sign in, and the routes about the signed-in account itself. */
import { formatJamfDate } from '../format-dates.ts';
import { listGrantedPrivileges, respondApiError, respondNotFound, respondUnauthorized } from '../jamf/jamf-errors.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken, readForm, readHeader } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';

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
  if (user !== context.secrets.jamfUser || rest.join(':') !== context.secrets.jamfPassword) {
    return respondJson(401, { httpStatus: 401, errors: [] });
  }
  return respondAccountToken(context, user);
}

function respondClientSignIn(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const fields = readForm(request);
  // Errors of this endpoint follow RFC 6749, not Jamf's own form.
  if (fields.get('grant_type') !== 'client_credentials') {
    return respondJson(400, { error: 'unsupported_grant_type', error_description: 'grant_type', error_uri: null });
  }
  const known = fields.get('client_id') === context.secrets.jamfClientId;
  if (!known || fields.get('client_secret') !== context.secrets.jamfClientSecret) {
    return respondJson(400, {
      error: 'invalid_client',
      error_description: 'Client authentication failed',
      error_uri: null,
    });
  }
  const seconds = context.jamfOptions.tokenSeconds;
  const token = context.jamfTokens.issue({ holder: context.secrets.jamfClientId, kind: 'client' }, seconds);
  // learn.jamf.com shows 599 for a client of 600 s.
  const expires_in = seconds > 1 ? seconds - 1 : seconds;
  return respondJson(200, { access_token: token, scope: 'api-role:2', token_type: 'Bearer', expires_in });
}

/** The routes that need a token and no privilege. */
export function routeTokenHolder(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const token = readBearerToken(request) ?? '';
  const grant = context.jamfTokens.find(token);
  switch (`${request.method} ${request.path}`) {
    case 'GET /api/v1/auth':
      return respondCurrentAccount(context, request);
    case 'GET /api/v1/jamf-pro-version':
      return respondJson(200, {
        version: context.jamfOptions.older ? '11.20.1-t1757000000000' : '11.30.1-t1784555528405',
      });
    case 'POST /api/v1/auth/invalidate-token':
      context.jamfTokens.revoke(token);
      return { status: 204, headers: {}, body: '' };
    case 'POST /api/v1/auth/keep-alive':
      if (grant?.kind !== 'account') {
        return respondApiError(403, 'INVALID_PRIVILEGE', 'Not available to API clients');
      }
      context.jamfTokens.revoke(token);
      return respondAccountToken(context, grant.holder);
    default:
      return undefined;
  }
}

function respondCurrentAccount(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (context.faults.inject('jamf', 'account-errors') !== undefined) {
    return respondJson(500, { httpStatus: 500, errors: [] });
  }
  const grant = context.jamfTokens.find(readBearerToken(request));
  const { siteForm } = context.jamfOptions;
  const isSiteScoped = context.jamfOptions.site && grant?.kind === 'account';
  const site = isSiteScoped ? '1' : '-1';
  const account = {
    id: '7',
    username: grant?.holder,
    realName: '',
    email: 'reader@example.com',
    preferences: { language: 'en', dateFormat: 'yyyy/MM/dd', timezone: 'Etc/UTC', disableRelativeDates: false },
    multiSiteAdmin: false,
    accessLevel: isSiteScoped ? accessLevels[siteForm] : 'FullAccess',
    privilegeSet: 'CUSTOM',
    privilegesBySite: isSiteScoped && siteForm === 'group' ? {} : { [site]: listGrantedPrivileges(context) },
    groupIds: isSiteScoped && siteForm === 'group' ? ['4'] : [],
    currentSiteId: site,
    currentDivisionId: null,
  };
  return respondJson(200, {
    account: grant?.kind === 'client' && !context.jamfOptions.clientHasAccount ? null : account,
    accountGroups: isSiteScoped && siteForm === 'group' ? [toSiteGroup(context)] : [],
    sites: isSiteScoped ? [{ id: '1', name: 'Headquarters' }] : [],
    authenticationType: grant?.kind === 'client' ? 'CLIENT_CREDENTIALS' : 'JSS',
  });
}

/** What a limited account says of its access, by the form of the limit. */
const accessLevels = { 'access-level': 'SiteAccess', privileges: 'FullAccess', group: 'GroupBasedAccess' } as const;

function toSiteGroup(context: PlatformContext): Record<string, unknown> {
  const privileges = listGrantedPrivileges(context);
  return { accessLevel: 'SiteAccess', privilegeSet: 'CUSTOM', siteId: 1, privileges, memberUserIds: [7] };
}

function respondAccountToken(context: PlatformContext, holder: string): PlatformResponse {
  const seconds = context.jamfOptions.tokenSeconds;
  const token = context.jamfTokens.issue({ holder, kind: 'account' }, seconds);
  return respondJson(200, { token, expires: formatJamfDate(Date.now() + seconds * 1000) });
}

/** Refuses a request without a token, or with one that has expired. */
export function refuseWithoutJamfToken(
  context: PlatformContext,
  request: PlatformRequest,
): PlatformResponse | undefined {
  return context.jamfTokens.find(readBearerToken(request)) === undefined ? respondUnauthorized() : undefined;
}
