/** What every program does before it sends anything: it refuses to work without checked certificates, and takes the proxies. */
import { MusterError } from '../base/errors.ts';
import { useProxies } from './proxy.ts';

/** Where certificates are not checked, Node.js would take any for a platform's, a channel's or AWS's own, and hand it our credentials. */
export function prepareNetwork(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new MusterError(
      'settings-invalid',
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be checked. Nothing was sent. Unset it; use NODE_EXTRA_CA_CERTS for a private authority.',
    );
  }
  useProxies(environment);
}
