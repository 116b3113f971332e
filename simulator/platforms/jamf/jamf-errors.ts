/** Jamf's errors: JSON from the Jamf Pro API, HTML from the Classic API. */
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, Refusal, respondHtml, respondJson } from '../response.ts';

const simulatedPrivileges = [
  'Read Computers',
  'Read Computer Extension Attributes',
  'Read Smart Computer Groups',
  'Read Static Computer Groups',
  'Read Scripts',
  'Read Policies',
  'Read macOS Configuration Profiles',
  'Read Departments',
  'Read Buildings',
] as const;

/** A path of the server with its handler; every path requires a token and the privileges. */
export interface JamfRoute {
  readonly path: RegExp;
  readonly privileges: readonly (typeof simulatedPrivileges)[number][];
  /** Called with the parts of the path that its expression captures. */
  respond(context: PlatformContext, request: PlatformRequest, part: string): PlatformResponse;
}

export function respondUnauthorized(): PlatformResponse {
  return respondApiError(401, 'INVALID_TOKEN', 'Unauthorized');
}

/** A 404, whose body for an unknown path or version is not documented. */
export function respondNotFound(): PlatformResponse {
  return respondJson(404, { httpStatus: 404, errors: [] });
}

export function respondClassicNotFound(): PlatformResponse {
  return respondStatusPage(404, 'Not Found', 'The server has not found anything matching the request URI');
}

/** Refuses where the account or API client lacks one of the privileges. */
export function refuseMissingPrivilege(
  context: PlatformContext,
  { path }: PlatformRequest,
  privileges: JamfRoute['privileges'],
): void {
  const granted = listGrantedPrivileges(context);
  if (!privileges.every((privilege) => granted.includes(privilege))) {
    throw new Refusal(
      path.startsWith('/JSSResource/')
        ? respondStatusPage(403, 'Forbidden', 'The server understood the request, but is refusing to fulfill it')
        : respondApiError(403, 'INVALID_PRIVILEGE', 'Forbidden'),
    );
  }
}

export function listGrantedPrivileges(context: PlatformContext): string[] {
  const { withoutPrivileges, withPrivileges } = context.jamfOptions;
  return [...simulatedPrivileges.filter((privilege) => !withoutPrivileges.includes(privilege)), ...withPrivileges];
}

function respondStatusPage(status: number, title: string, sentence: string): PlatformResponse {
  return respondHtml(
    status,
    `<html>\n<head>\n   <title>Status page</title>\n</head>\n<body style="font-family: sans-serif;">\n<p style="font-size: 1.2em;font-weight: bold;margin: 1em 0px;">${title}</p>\n<p>${sentence}</p>\n<p>You can get technical details <a href="http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html">here</a>.<br>\nPlease continue your visit at our <a href="/">home page</a>.\n</p>\n</body>\n</html>`,
  );
}

export function respondApiError(
  status: number,
  code: string,
  description: string,
  field: string | null = null,
): PlatformResponse {
  return respondJson(status, { httpStatus: status, errors: [{ code, description, id: '0', field }] });
}
