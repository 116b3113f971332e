/**
 * Addresses of a Jamf Pro server: its own, which may have a context path, or those of the Jamf Platform API's gateway,
 * which has other paths, another sign-in and a header, but the same bodies:
 * https://developer.jamf.com/platform-api/reference/move-an-existing-integration-to-the-platform-api-gateway
 */
import type { JamfGateway, JamfSettings } from './settings.ts';

export interface JamfServer {
  /** The only origin that receives credentials, and the only path there. */
  readonly origin: string;
  readonly contextPath: string;
  /** Addresses of the API clients' token endpoint, the newest first. */
  readonly tokenEndpoints: readonly string[];
  /** Advice where none of them exists, and where one refuses. */
  readonly advice: { readonly withoutSignIn: string; readonly refusedSignIn: string };
  /** Headers of every request except the sign-in. */
  readonly headers: Readonly<Record<string, string>>;
  /** The full address of a path, which is given in the server's own form. */
  locate(path: string): string;
}

/** The address at which people open the server; undefined behind the gateway, which has no pages for people. */
export function readServerAddress({ url }: Pick<JamfSettings, 'url'>): string | undefined {
  return url && Object.values(splitAddress(url)).join('');
}

function splitAddress(url: string): { readonly origin: string; readonly contextPath: string } {
  const { origin, pathname } = new URL(url);
  return { origin, contextPath: pathname.replace(/\/+$/, '') };
}

/** Chooses the server; the settings have exactly one of the two. */
export function locateServer({ url = '', gateway }: Pick<JamfSettings, 'url' | 'gateway'>): JamfServer {
  return gateway === undefined ? locateInstance(url) : locateGateway(gateway);
}

/** https://developer.jamf.com/jamf-pro/docs/client-credentials; the token endpoint without a version is the older one. */
function locateInstance(url: string): JamfServer {
  const { origin, contextPath } = splitAddress(url);
  const base = origin + contextPath;
  return {
    origin,
    contextPath,
    tokenEndpoints: [`${base}/api/v1/oauth/token`, `${base}/api/oauth/token`],
    advice: {
      withoutSignIn:
        'did not answer as Jamf Pro does: at its address there is no sign-in for API clients (HTTP 404). Check the address, and its context path where the server has one; a Jamf Pro before 10.49 has no API clients, so use an account there.',
      refusedSignIn: 'Check that it is enabled and its id and secret are current.',
    },
    headers: {},
    locate: (path) => base + path,
  };
}

/**
 * A server behind the gateway: /pro for /api, and /proclassic for /JSSResource, directly below the host. Its answer to
 * credentials of another region is not documented, so that every refusal names the region.
 */
function locateGateway({ endpoint, environmentId }: JamfGateway): JamfServer {
  const { origin } = new URL(endpoint);
  return {
    origin,
    contextPath: '',
    tokenEndpoints: [`${origin}/auth/token`],
    advice: {
      withoutSignIn: 'has no sign-in at this address of the Jamf Platform gateway. Check gateway.endpoint.',
      refusedSignIn:
        'Check that the integration in Jamf Account is valid, its id and secret are current, and gateway.region is its region.',
    },
    headers: { 'x-environment-id': environmentId },
    locate: (path) => origin + path.replace(/^\/api\//, '/pro/').replace(/^\/JSSResource\//, '/proclassic/'),
  };
}
