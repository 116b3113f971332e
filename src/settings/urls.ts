/** URLs in the settings: HTTPS without user, query or fragment; plain HTTP only on this machine. */
import * as v from 'valibot';
import { isLoopbackHost } from '../base/loopback.ts';
import { refuse } from './fields.ts';

/** Matches an `@` before the path: the text before it is a user name, even when empty, and the text after it is the host. */
const hasUser = /^[a-z]+:[/\\]*[^/\\?#]*@/i;

interface UrlOptions {
  /** The allowed path; a context path is that of a server beside others. */
  readonly path: 'none' | 'context' | 'any';
  readonly wildcard: boolean;
}

/** The reason why a text is not an acceptable URL, or undefined. */
export function findUrlProblem(text: string, options: UrlOptions): string | undefined {
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
  if (options.path === 'none' && url.pathname !== '/') {
    return 'must end after the host: leave the path out';
  }
  const wrong = options.path === 'context' ? findForeignSegment(url.pathname) : undefined;
  return wrong === undefined ? undefined : `must end after the host or its context path: leave out "${wrong}"`;
}

/** The first part of a path that cannot belong to a context path: a page, an API, or an ambiguous part. */
function findForeignSegment(path: string): string | undefined {
  const segments = path.replace(/\/+$/, '').split('/').slice(1);
  return segments.find(
    (segment) => !/^[\w~-][\w.~-]*$/.test(segment) || /^(api|JSSResource|.*\.(html?|jsp|json|xml))$/i.test(segment),
  );
}

/** An address `https://host[:port]`, normalised to its origin; a wildcard stays as written. */
export const originSchema = defineUrl({ path: 'none', wildcard: false });
export const wildcardOriginSchema = defineUrl({ path: 'none', wildcard: true });
/** An origin that a context path may follow. */
export const serverUrlSchema = defineUrl({ path: 'context', wildcard: false });
/** An origin that any path may follow. */
export const baseUrlSchema = defineUrl({ path: 'any', wildcard: false });

function defineUrl(options: UrlOptions) {
  return v.pipe(
    v.string('must be a URL'),
    refuse((text: string) => findUrlProblem(text, options)),
    v.transform((text) => text.replace(/\/+$/, '')),
  );
}
