/** The simulator's credentials, and the tokens for which they are exchanged. Those that begin with "canary" must never appear in a client's output. */
import { randomUUID } from 'node:crypto';
import { drawGuid, purpose } from '../devices/random.ts';
import { type PlatformName, platformNames } from './platforms.ts';

export type Secrets = Readonly<ReturnType<typeof createSecrets>>;

export function createSecrets(seed: number) {
  const drawSecret = (number: number) => drawGuid(seed, purpose.secret, number);
  return {
    jamf: {
      clientId: drawSecret(2),
      clientSecret: `canary-jamf-secret-${drawSecret(3)}`,
      user: 'muster-reader',
      password: `canary-jamf-password-${drawSecret(1)}`,
    },
    graph: {
      clientId: drawSecret(4),
      clientSecret: `canary-graph-secret-${drawSecret(5)}`,
      // The application that sends mail, and reads nothing.
      mailClientId: drawSecret(8),
      mailClientSecret: `canary-graph-mail-secret-${drawSecret(9)}`,
    },
    // Hidden in the parameters of the policy and of the install command; no report may show them.
    serviceApiKey: `canary-service-key-${drawSecret(6)}`,
    policyPassword: `canary-policy-password-${drawSecret(7)}`,
  };
}

/** Environment variables to which the printed settings refer, such as JAMF_CLIENT_ID. */
export function listEnvironment(secrets: Secrets): Record<string, string> {
  const variables = platformNames.flatMap((platform) =>
    Object.entries(secrets[platform]).map(([key, value]: [string, string]) => {
      const name = `${platform}_${key.replace(/[A-Z]/g, '_$&')}`;
      return [name.toUpperCase(), value] as const;
    }),
  );
  return Object.fromEntries(variables);
}

/** Texts that no output may ever show: credentials, and secrets in policies and commands. */
export function listCanaries(secrets: Secrets): string[] {
  const credentials = platformNames.flatMap((platform) => [
    ...Object.values(secrets[platform]).filter((text: string) => text.startsWith('canary-')),
    createTokenPrefix(platform),
  ]);
  return [...credentials, secrets.serviceApiKey, secrets.policyPassword];
}

/** Prefix by which a token is recognised where another origin receives it. */
export function createTokenPrefix(platform: PlatformName): string {
  return `canary-${platform}-token`;
}

/** The holder of a token: a user account, an API client, or the application that sends mail. */
export type TokenHolder = 'account' | 'client' | 'mail';

/** Tokens issued by one sign-in; they expire by the real clock, whatever night is simulated. */
export class AccessTokens {
  readonly #platform: PlatformName;
  readonly #issued = new Map<string, { readonly holder: TokenHolder; readonly expires: number }>();

  constructor(platform: PlatformName) {
    this.#platform = platform;
  }

  /** Issues a token. With claims, it has the three parts of a JWT, and the claims in its second part. */
  issue(holder: TokenHolder, seconds: number, claims?: Readonly<Record<string, unknown>>): string {
    const payload = claims === undefined ? '' : `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    const token = `${createTokenPrefix(this.#platform)}.${payload}${randomUUID()}`;
    this.#issued.set(token, { holder, expires: Date.now() + seconds * 1000 });
    return token;
  }

  /** Undefined where the token is unknown or has expired. */
  find(token: string | undefined): TokenHolder | undefined {
    const found = this.#issued.get(token ?? '');
    return found !== undefined && found.expires > Date.now() ? found.holder : undefined;
  }

  revokeAll(): void {
    this.#issued.clear();
  }
}
