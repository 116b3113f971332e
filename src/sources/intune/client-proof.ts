/** The three ways to prove to Entra who we are: a secret, a certificate, or a token that another cloud signs for us. */
import { type ClientAuth, ClientSecretPost } from 'oauth4webapi';
import type { Clock } from '../../http/clock.ts';
import { createCertificateProof } from './certificate.ts';
import type { IntuneAuth } from './settings.ts';

interface ClientProof {
  readonly clientId: string;
  readonly proof: ClientAuth;
  /** What was presented, to notice that it was rotated. */
  readonly presented: string;
}

/** Asked anew for every sign-in; `refresh` when what it gave has just been refused. */
type ProofProvider = (refresh: boolean) => Promise<ClientProof>;

/** `audience` is the token endpoint: an assertion that we sign ourselves is meant for it alone. */
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
    // A new one each time: there is nothing to read again.
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
