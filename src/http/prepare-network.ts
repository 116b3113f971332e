/** Prepares the network of every program: refuses unchecked certificates, and reads the proxies from the environment. */
import { MusterError } from '../base/errors.ts';
import { useProxies } from './proxy.ts';

/** Throws where certificates are not checked: Node.js would send our credentials to any server that answers. */
export function prepareNetwork(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new MusterError(
      'settings-invalid',
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be checked. Nothing was sent. Unset it; use NODE_EXTRA_CA_CERTS for a private authority.',
    );
  }
  useProxies(environment);
}
