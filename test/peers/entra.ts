/**
 * Microsoft Entra's token endpoint, played by a real OpenID provider. What Entra asks for beyond the standard is added:
 * an assertion names its certificate by thumbprint, is meant for the token endpoint and lives ten minutes at most; and
 * a token of another issuer is taken where a federated credential says so, after its issuer's own keys were asked.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { type Context, errors, Provider } from 'oidc-provider';
import { listen } from '../http/loopback.ts';
import type { MadeCertificate } from './certificate.ts';

export interface FederatedCredential {
  readonly issuer: string;
  readonly subject: string;
  readonly audience: string;
}

interface EntraOptions {
  readonly certificate: MadeCertificate;
  readonly federated?: FederatedCredential;
  readonly scope: string;
}

export interface Entra {
  readonly url: string;
  /** The forms that were sent, newest last. */
  readonly forms: URLSearchParams[];
  isItsToken(token: string): Promise<boolean>;
  close(): Promise<void>;
}

export const tenantId = '11111111-2222-3333-4444-555555555555';
export const clientId = '22222222-3333-4444-5555-666666666666';

export async function startEntra({ certificate, federated, scope }: EntraOptions): Promise<Entra> {
  const forms: URLSearchParams[] = [];
  const server = createServer();
  const { origin: url, close } = await listen(server);
  const route = `/${tenantId}/oauth2/v2.0/token`;
  const inside = await generateKeyPair('RS256', { extractable: true });
  const keys = [
    { ...(await exportJWK(certificate.publicKey)), kid: 'certificate', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(inside.publicKey)), kid: 'federation', alg: 'RS256', use: 'sig' },
  ];
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        jwks: { keys },
        scope,
      },
    ],
    scopes: [scope],
    jwks: { keys: [{ ...(await exportJWK(inside.privateKey)), kid: 'own', alg: 'RS256', use: 'sig' }] },
    ttl: { ClientCredentials: 600 },
    adapter: memory,
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    routes: { token: route },
    assertJwtClientAuthClaimsAndHeader: (
      _: unknown,
      claims: Record<string, unknown>,
      header: Record<string, unknown>,
    ) => {
      if (header.kid === 'federation') {
        return;
      }
      const life = Number(claims.exp) - Number(claims.iat);
      const isEntras = header['x5t#S256'] === certificate.thumbprint && claims.aud === url + route && life <= 600;
      if (!isEntras || claims.sub !== clientId) {
        throw new errors.InvalidClientAuth('not as Entra asks for it');
      }
    },
  });

  /** A foreign token that fits is exchanged for the provider's own kind of proof. */
  async function federation(context: Context, next: () => Promise<void>): Promise<void> {
    const form = new URLSearchParams(await text(context.req));
    forms.push(form);
    const assertion = form.get('client_assertion') ?? '';
    if (federated !== undefined && issuerOf(assertion) !== clientId) {
      if (!(await isVouchedFor(assertion, federated))) {
        context.status = 401;
        context.body = { error: 'invalid_client', error_description: 'canary', error_codes: [700213] };
        return;
      }
      const proof = new SignJWT().setProtectedHeader({ alg: 'RS256', kid: 'federation' }).setIssuer(clientId);
      proof.setSubject(clientId).setAudience(url).setIssuedAt().setExpirationTime('1m').setJti(String(forms.length));
      form.set('client_assertion', await proof.sign(inside.privateKey));
    }
    context.req.body = Object.fromEntries(form);
    await next();
  }
  provider.use((context, next) => (context.path === route ? federation(context, next) : next()));
  server.on('request', provider.callback());
  return {
    url,
    forms,
    isItsToken: async (token) => (await provider.ClientCredentials.find(token))?.clientId === clientId,
    close,
  };
}

/** Where the provider keeps what it issued. */
function memory() {
  const kept = new Map<string, unknown>();
  return {
    upsert: async (id: string, payload: unknown) => void kept.set(id, payload),
    find: async (id: string) => kept.get(id),
    destroy: async (id: string) => void kept.delete(id),
  };
}

function issuerOf(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).iss;
  } catch {
    return undefined;
  }
}

async function isVouchedFor(assertion: string, { issuer, subject, audience }: FederatedCredential): Promise<boolean> {
  try {
    const discovered = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
      jwks_uri: string;
    };
    const keys = createRemoteJWKSet(new URL(discovered.jwks_uri));
    await jwtVerify(assertion, keys, {
      issuer,
      subject,
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'jti'],
    });
    return true;
  } catch {
    return false;
  }
}
