/** The tokens that one sign-in has issued; they expire by the real clock, whatever night is simulated. */
import { randomUUID } from 'node:crypto';

interface TokenGrant {
  /** The account's or client's name. */
  readonly holder: string;
  readonly kind: 'account' | 'client';
}

export class AccessTokens {
  readonly #prefix: string;
  readonly #issued = new Map<string, { readonly grant: TokenGrant; readonly expires: number }>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** With claims, the token has the three parts of a JWT and holds them in its second part. */
  issue(grant: TokenGrant, seconds: number, claims?: Readonly<Record<string, unknown>>): string {
    const payload = claims === undefined ? '' : `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    const token = `${this.#prefix}.${payload}${randomUUID()}`;
    this.#issued.set(token, { grant, expires: Date.now() + seconds * 1000 });
    return token;
  }

  find(token: string | undefined): TokenGrant | undefined {
    const found = this.#issued.get(token ?? '');
    return found !== undefined && found.expires > Date.now() ? found.grant : undefined;
  }

  revoke(token: string): void {
    this.#issued.delete(token);
  }

  revokeAll(): void {
    this.#issued.clear();
  }
}
