/** Jamf's refusals: JSON from the Jamf Pro API, HTML from the Classic API. */

import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, html, json } from '../request.ts';

export function apiError(status: number, code: string, description: string, field: string | null = null): Answer {
  return json(status, { httpStatus: status, errors: [{ code, description, id: '0', field }] });
}

export const unauthorized = (): Answer => apiError(401, 'INVALID_TOKEN', 'Unauthorized');
/** The body for an unknown path or version is not documented. */
export const notFound = (): Answer => json(404, { httpStatus: 404, errors: [] });

function statusPage(status: number, title: string, sentence: string): Answer {
  return html(
    status,
    `<html>\n<head>\n   <title>Status page</title>\n</head>\n<body style="font-family: sans-serif;">\n<p style="font-size: 1.2em;font-weight: bold;margin: 1em 0px;">${title}</p>\n<p>${sentence}</p>\n<p>You can get technical details <a href="http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html">here</a>.<br>\nPlease continue your visit at our <a href="/">home page</a>.\n</p>\n</body>\n</html>`,
  );
}

const classicForbidden = () =>
  statusPage(403, 'Forbidden', 'The server understood the request, but is refusing to fulfill it');
export const classicNotFound = () =>
  statusPage(404, 'Not Found', 'The server has not found anything matching the request URI');

export const readPrivileges = [
  'Read Computers',
  'Read Computer Extension Attributes',
  'Read Smart Computer Groups',
  'Read Static Computer Groups',
  'Read Scripts',
  'Read Policies',
  'Read macOS Configuration Profiles',
] as const;

export type Privilege = (typeof readPrivileges)[number];

export function grantedPrivileges(world: World): string[] {
  const { withoutPrivileges, withPrivileges } = world.jamfOptions;
  return [...readPrivileges.filter((privilege) => !withoutPrivileges.includes(privilege)), ...withPrivileges];
}

/** The refusal when the account or API client lacks one of the privileges. */
export function forbidden(world: World, exchange: Exchange, ...privileges: readonly Privilege[]): Answer | undefined {
  const granted = grantedPrivileges(world);
  if (privileges.every((privilege) => granted.includes(privilege))) {
    return undefined;
  }
  return exchange.path.startsWith('/JSSResource/')
    ? classicForbidden()
    : apiError(403, 'INVALID_PRIVILEGE', 'Forbidden');
}
