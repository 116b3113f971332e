/** Jamf's two sign-ins, and what an account may know about itself. */

import { jamfDate } from '../../devices/contact-times.ts';
import { apiError, grantedPrivileges, notFound, unauthorized } from '../jamf/jamf-errors.ts';
import type { World } from '../platform-context.ts';
import { type Answer, bearer, type Exchange, form, header, json } from '../request.ts';

function accountToken(world: World, exchange: Exchange): Answer {
  const encoded = /^Basic (.+)$/.exec(header(exchange, 'authorization'))?.[1] ?? '';
  const [user, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (user !== world.secrets.jamfUser || rest.join(':') !== world.secrets.jamfPassword) {
    return json(401, { httpStatus: 401, errors: [] });
  }
  return accountBearer(world, user);
}

function accountBearer(world: World, holder: string): Answer {
  const seconds = world.jamfOptions.tokenSeconds;
  const token = world.jamfTokens.issue({ holder, kind: 'account' }, seconds);
  return json(200, { token, expires: jamfDate(Date.now() + seconds * 1000) });
}

function clientToken(world: World, exchange: Exchange): Answer {
  const fields = form(exchange);
  // Refusals of this endpoint follow RFC 6749, not Jamf's own form.
  if (fields.get('grant_type') !== 'client_credentials') {
    return json(400, { error: 'unsupported_grant_type', error_description: 'grant_type', error_uri: null });
  }
  const known = fields.get('client_id') === world.secrets.jamfClientId;
  if (!known || fields.get('client_secret') !== world.secrets.jamfClientSecret) {
    return json(400, { error: 'invalid_client', error_description: 'Client authentication failed', error_uri: null });
  }
  const seconds = world.jamfOptions.tokenSeconds;
  const token = world.jamfTokens.issue({ holder: world.secrets.jamfClientId, kind: 'client' }, seconds);
  // learn.jamf.com shows 599 for a client of 600 s.
  const expires_in = seconds > 1 ? seconds - 1 : seconds;
  return json(200, { access_token: token, scope: 'api-role:2', token_type: 'Bearer', expires_in });
}

function whoAmI(world: World, exchange: Exchange): Answer {
  const grant = world.jamfTokens.find(bearer(exchange));
  const sited = world.jamfOptions.site && grant?.kind === 'account';
  const site = sited ? '1' : '-1';
  const account = {
    id: '7',
    username: grant?.holder,
    realName: '',
    email: 'reader@example.com',
    preferences: { language: 'en', dateFormat: 'yyyy/MM/dd', timezone: 'Etc/UTC', disableRelativeDates: false },
    multiSiteAdmin: false,
    accessLevel: sited ? 'SiteAccess' : 'FullAccess',
    privilegeSet: 'CUSTOM',
    privilegesBySite: { [site]: grantedPrivileges(world) },
    groupIds: [],
    currentSiteId: site,
    currentDivisionId: null,
  };
  return json(200, {
    account: grant?.kind === 'client' && !world.jamfOptions.clientHasAccount ? null : account,
    accountGroups: [],
    sites: sited ? [{ id: '1', name: 'Headquarters' }] : [],
    authenticationType: grant?.kind === 'client' ? 'CLIENT_CREDENTIALS' : 'JSS',
  });
}

/** The routes that need no token. */
export function openRoute(world: World, exchange: Exchange): Answer | undefined {
  switch (`${exchange.method} ${exchange.path}`) {
    case 'POST /api/v1/auth/token':
      return accountToken(world, exchange);
    case 'POST /api/v1/oauth/token':
      return world.jamfOptions.older ? notFound() : clientToken(world, exchange);
    case 'POST /api/oauth/token':
      return clientToken(world, exchange);
    case 'GET /api/startup-status':
      return json(200, { stepCode: 'SERVER_INIT_COMPLETE', percentage: 100, warning: null, error: null });
    default:
      return undefined;
  }
}

/** Whoever has a good token may ask these. */
export function selfRoute(world: World, exchange: Exchange): Answer | undefined {
  const token = bearer(exchange) ?? '';
  const grant = world.jamfTokens.find(token);
  switch (`${exchange.method} ${exchange.path}`) {
    case 'GET /api/v1/auth':
      return whoAmI(world, exchange);
    case 'GET /api/v1/jamf-pro-version':
      return json(200, { version: world.jamfOptions.older ? '11.20.1-t1757000000000' : '11.30.1-t1784555528405' });
    case 'POST /api/v1/auth/invalidate-token':
      world.jamfTokens.revoke(token);
      return { status: 204, headers: {}, body: '' };
    case 'POST /api/v1/auth/keep-alive':
      if (grant?.kind !== 'account') {
        return apiError(403, 'INVALID_PRIVILEGE', 'Not available to API clients');
      }
      world.jamfTokens.revoke(token);
      return accountBearer(world, grant.holder);
    default:
      return undefined;
  }
}

/** The refusal of a request without a token that is still good. */
export function refused(world: World, exchange: Exchange): Answer | undefined {
  return world.jamfTokens.find(bearer(exchange)) === undefined ? unauthorized() : undefined;
}
