/** The little of oidc-provider that `entra.ts` uses; its own types are a package of their own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener } from 'node:http';

  export interface Context {
    readonly path: string;
    readonly req: IncomingMessage & { body?: unknown };
    status: number;
    body: unknown;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    readonly ClientCredentials: { find(token: string): Promise<{ readonly clientId: string } | undefined> };
  }

  export const errors: { readonly InvalidClientAuth: new (detail: string) => Error };
}
