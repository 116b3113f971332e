/** The tokens that one sign-in has issued; they expire by the real clock, whatever night is simulated. */
import { randomUUID } from 'node:crypto';

interface TokenGrant {
  /** The account's or client's name. */
  readonly holder: string;
  readonly kind: 'account' | 'client';
}

export interface AccessTokens {
  /** The prefix by which a token is recognised where another origin receives it. */
  readonly prefix: string;
  /** With claims, the token has the three parts of a JWT and holds them in its second part. */
  issue(grant: TokenGrant, seconds: number, claims?: Readonly<Record<string, unknown>>): string;
  find(token: string | undefined): TokenGrant | undefined;
  revoke(token: string): void;
  revokeAll(): void;
}

export function createAccessTokens(prefix: string): AccessTokens {
  const issued = new Map<string, { readonly grant: TokenGrant; readonly expires: number }>();
  return {
    prefix,
    issue(grant, seconds, claims) {
      const payload = claims === undefined ? '' : `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
      const token = `${prefix}.${payload}${randomUUID()}`;
      issued.set(token, { grant, expires: Date.now() + seconds * 1000 });
      return token;
    },
    find(token) {
      const found = issued.get(token ?? '');
      return found !== undefined && found.expires > Date.now() ? found.grant : undefined;
    },
    revoke(token) {
      issued.delete(token);
    },
    revokeAll() {
      issued.clear();
    },
  };
}
