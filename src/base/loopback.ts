/** Whether a name or an address is this machine's, so that plain HTTP or SMTP to it leaves no machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
