/**
 * The one refusal to work without checked certificates, at the start of every program: Node.js would then take any
 * certificate for a platform's, a channel's or AWS's own, and hand it our credentials. Nothing may be sent before it.
 */
import { MusterError } from './errors.ts';

export function refuseUncheckedCertificates(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new MusterError(
      'settings-invalid',
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be checked. Nothing was sent. Unset it; use NODE_EXTRA_CA_CERTS for a private authority.',
    );
  }
}
