/** Jamf's two ways to sign in, and the account that is signed in. */
import { formatJamfDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken, readHeader } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { listGrantedPrivileges, respondNotFound } from './jamf-errors.ts';

const site = { id: '1', name: 'Headquarters' };

/** Answers that show an account to be limited to a site. */
const siteScopes = {
  'access-level': { accessLevel: 'SiteAccess', groupIds: [], groups: [] },
  privileges: { accessLevel: 'FullAccess', groupIds: [], groups: [] },
  group: {
    accessLevel: 'GroupBasedAccess',
    groupIds: ['4'],
    groups: [{ accessLevel: 'SiteAccess', privilegeSet: 'CUSTOM', siteId: 1, privileges: [], memberUserIds: [7] }],
  },
} as const;

/** Undefined where the request is not for a token. */
export function routeSignIn(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  switch (`${request.method} ${request.path}`) {
    case 'POST /api/v1/auth/token':
      return respondAccountSignIn(context, request);
    case 'POST /api/v1/oauth/token':
      return context.jamfOptions.older
        ? respondNotFound()
        : respondClientSignIn(context, request, context.jamfOptions.tokenSeconds);
    case 'POST /api/oauth/token':
      return respondClientSignIn(context, request, context.jamfOptions.tokenSeconds);
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
  const seconds = context.jamfOptions.tokenSeconds;
  const token = context.tokens.jamf.issue('account', seconds);
  return respondJson(200, { token, expires: formatJamfDate(Date.now() + seconds * 1000) });
}

/** Signs an API client in; `seconds` is the lifetime of the token. */
export function respondClientSignIn(
  context: PlatformContext,
  request: PlatformRequest,
  seconds: number,
): PlatformResponse {
  const fields = new URLSearchParams(request.body);
  if (fields.get('grant_type') !== 'client_credentials') {
    return respondOAuthError('unsupported_grant_type', 'grant_type');
  }
  const known = fields.get('client_id') === context.secrets.jamf.clientId;
  if (!known || fields.get('client_secret') !== context.secrets.jamf.clientSecret) {
    return respondOAuthError('invalid_client', 'Client authentication failed');
  }
  const token = context.tokens.jamf.issue('client', seconds);
  // learn.jamf.com shows 599 for a client of 600 s.
  const expires_in = seconds > 1 ? seconds - 1 : seconds;
  return respondJson(200, { access_token: token, scope: 'api-role:2', token_type: 'Bearer', expires_in });
}

/** An error of this endpoint, which follows RFC 6749 rather than Jamf's own form. */
function respondOAuthError(error: string, description: string): PlatformResponse {
  return respondJson(400, { error, error_description: description, error_uri: null });
}

/** The answer of /v1/auth about the account that is signed in; an API client has none. */
export function respondCurrentAccount(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (context.faults.inject('jamf', 'account-errors') !== undefined) {
    return respondJson(500, { httpStatus: 500, errors: [] });
  }
  const { jamfOptions, secrets, tokens } = context;
  const privileges = listGrantedPrivileges(context);
  if (tokens.jamf.find(readBearerToken(request)) === 'client') {
    return respondJson(200, { account: null, accountGroups: [], sites: [], authenticationType: 'CLIENT_CREDENTIALS' });
  }
  const scope = jamfOptions.site ? siteScopes[jamfOptions.siteForm] : undefined;
  const currentSiteId = scope === undefined ? '-1' : site.id;
  const account = {
    id: '7',
    username: secrets.jamf.user,
    email: 'reader@example.com',
    accessLevel: scope?.accessLevel ?? 'FullAccess',
    privilegeSet: 'CUSTOM',
    privilegesBySite: scope?.groups.length ? {} : { [currentSiteId]: privileges },
    groupIds: scope?.groupIds ?? [],
    currentSiteId,
  };
  return respondJson(200, {
    account,
    accountGroups: scope?.groups.map((group) => ({ ...group, privileges })) ?? [],
    sites: scope === undefined ? [] : [site],
    authenticationType: 'JSS',
  });
}
