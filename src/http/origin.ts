/** Where a request may go: compared as parsed origins, never as text, so that no spelling gets around the check. */

/**
 * Whether `url` lies at the allowed origin. A leading `*.` in the allowed host stands for one or more labels
 * (Microsoft's download hosts differ by region). Neither of the two may contain a user name or password:
 * `https://graph.microsoft.com:443@evil.test/` is a request to evil.test.
 */
export function isAtOrigin(url: URL, allowed: string): boolean {
  if (url.username !== '' || url.password !== '' || allowed.includes('@')) {
    return false;
  }
  const wildcard = /^(https?:\/\/)\*\.([^/]+)\/?$/.exec(allowed);
  if (!wildcard) {
    return url.origin === new URL(allowed).origin;
  }
  const parent = new URL(`${wildcard[1]}${wildcard[2]}`);
  return url.protocol === parent.protocol && url.port === parent.port && url.hostname.endsWith(`.${parent.hostname}`);
}

/** A URL as people may see it in a log or an error: without its query, where secrets travel. */
export function stripQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
