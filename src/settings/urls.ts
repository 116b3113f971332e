/** URLs in the settings: HTTPS without user, query or fragment; plain HTTP only on this machine. */
import * as v from 'valibot';
import { isLoopbackHost } from '../base/loopback.ts';
import { refuse } from './fields.ts';

/** An `@` before the path: the text before it is a user name, even when empty, and the text after it is the host. */
const hasUser = /^[a-z]+:[/\\]*[^/\\?#]*@/i;

/** Why a text is not an acceptable URL, or undefined. */
export function findUrlProblem(text: string, options: { path: boolean; wildcard: boolean }): string | undefined {
  const plain = options.wildcard ? text.replace('://*.', '://wildcard.') : text;
  const url = URL.parse(plain);
  if (url === null) {
    return 'is not a URL such as https://example.com';
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return 'must begin with https://';
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'must begin with https:// (plain http is only for this machine)';
  }
  if (hasUser.test(text)) {
    return 'must not hold a user name or password';
  }
  if (url.search !== '' || url.hash !== '') {
    return 'must not hold a query or fragment';
  }
  if (!options.path && url.pathname !== '/') {
    return 'must end after the host: leave the path out';
  }
  return undefined;
}

/** `https://host[:port]`, normalised to its origin; a wildcard stays as written. */
export const originSchema = defineUrl({ path: false, wildcard: false });
export const wildcardOriginSchema = defineUrl({ path: false, wildcard: true });
/** As `originSchema`, but a path may follow. */
export const baseUrlSchema = defineUrl({ path: true, wildcard: false });

function defineUrl(options: { path: boolean; wildcard: boolean }) {
  return v.pipe(
    v.string('must be a URL'),
    refuse((text: string) => findUrlProblem(text, options)),
    v.transform((text) => text.replace(/\/+$/, '')),
  );
}
