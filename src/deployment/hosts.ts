/** Addresses as the two platforms store them, with or without a scheme. Hosts are compared with their port. */

/** Host and port of an address; undefined where it is not an address. A standard port is left out. */
export function parseHost(address: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.host.toLowerCase();
}

/** HTTPS, or HTTP on this machine. */
export function isSafeUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) {
    return false;
  }
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHostname(url.hostname));
}

export function isLoopbackHostname(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
