/** A name or an address of this machine, as a URL or a setting writes it: where plain HTTP or SMTP leaves no machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
