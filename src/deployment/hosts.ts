/** Compares addresses as servers store them, with or without a scheme. Hosts are compared with their port. */
import { isLoopbackHost } from '../base/loopback.ts';

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Host and port of an address, without a standard port; undefined where it is not an address. */
export function parseHost(address: string): string | undefined {
  const url = URL.parse(hasScheme(address) ? address : `https://${address}`);
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.host.toLowerCase();
}

/** An address without its scheme, as the deployment interface writes hosts; keeps a path. */
export function removeScheme(address: string): string | undefined {
  const host = parseHost(address);
  return host === undefined ? undefined : host + trimSlashes(readPath(address));
}

/** Whether another path than that address's follows the host; even a slash would end up in the middle of URLs. */
export function hasForeignPath(value: string, address: string | undefined): boolean {
  return readPath(value) !== trimSlashes(readPath(address ?? ''));
}

/** The rest of an address after the host, as written. */
function readPath(address: string): string {
  const text = address.trim().replace(schemePattern, '');
  const at = text.search(/[/\\?#]/);
  return at < 0 ? '' : text.slice(at);
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}

/** Whether an address uses HTTPS, or HTTP on this machine. */
export function isSafeUrl(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
}

export function hasScheme(text: string): boolean {
  return schemePattern.test(text);
}
