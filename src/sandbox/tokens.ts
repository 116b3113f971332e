/** The tokens one sign-in has issued; they end by the real clock, whatever night the fleet is in. */
import { randomUUID } from 'node:crypto';

export interface Grant {
  /** The account's or client's name. */
  readonly holder: string;
  readonly kind: 'account' | 'client';
}

export interface Tokens {
  /** The prefix by which a token that strays to another origin is recognised. */
  readonly prefix: string;
  issue(grant: Grant, seconds: number): string;
  find(token: string | undefined): Grant | undefined;
  revoke(token: string): void;
  revokeAll(): void;
}

export function createTokens(prefix: string): Tokens {
  const issued = new Map<string, { readonly grant: Grant; readonly ends: number }>();
  return {
    prefix,
    issue(grant, seconds) {
      const token = `${prefix}.${randomUUID()}`;
      issued.set(token, { grant, ends: Date.now() + seconds * 1000 });
      return token;
    },
    find(token) {
      const found = issued.get(token ?? '');
      return found !== undefined && found.ends > Date.now() ? found.grant : undefined;
    },
    revoke(token) {
      issued.delete(token);
    },
    revokeAll() {
      issued.clear();
    },
  };
}
