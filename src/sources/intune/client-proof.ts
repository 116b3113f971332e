/** The three ways to authenticate at Entra: a secret, a certificate, or a token that another cloud signs. */
import { type ClientAuth, ClientSecretPost } from 'oauth4webapi';
import type { Clock } from '../../http/clock.ts';
import { createCertificateProof } from './certificate.ts';
import type { IntuneAuth } from './settings.ts';

interface ClientProof {
  readonly clientId: string;
  readonly proof: ClientAuth;
  /** What was sent, to detect a rotation. */
  readonly presented: string;
}

/** Called for every sign-in; with `refresh` after its last proof was refused. */
type ProofProvider = (refresh: boolean) => Promise<ClientProof>;

/** `audience` is the token endpoint, the only one that accepts an assertion signed by Muster. */
export function createProofProvider(auth: IntuneAuth, audience: string, who: string, clock: Clock): ProofProvider {
  return async (refresh) => {
    const clientId = await auth.clientId(refresh);
    if ('clientSecret' in auth) {
      const secret = await auth.clientSecret(refresh);
      return { clientId, proof: ClientSecretPost(secret), presented: `${clientId} ${secret}` };
    }
    if ('certificate' in auth) {
      const pem = await auth.certificate(refresh);
      return {
        clientId,
        proof: createCertificateProof(pem, audience, who, clock.now()),
        presented: `${clientId} ${pem}`,
      };
    }
    // The token is new each time, so there is nothing to refresh.
    return { clientId, proof: createAssertionProof(await auth.assertion()), presented: clientId };
  };
}

/** https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
function createAssertionProof(token: string): ClientAuth {
  return (_server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', token);
  };
}
