/** Settings of an application in a tenant: a source reads as one, and a channel sends as another. */
import * as v from 'valibot';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { SecretProvider } from '../http/secrets.ts';
import { chooseBlock, defineBlock, defineChoice, describeOptional, describeSetting } from '../settings/fields.ts';
import { publicSchema, secretSchema } from '../settings/secret-references.ts';
import { originSchema } from '../settings/urls.ts';
import type { EntraAuth } from './sign-in.ts';
import { clouds, guidPattern } from './tenant.ts';

const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

export const tenantSchema = describeSetting(
  v.pipe(
    v.string('must be text'),
    v.check((id) => guidPattern.test(id) || domainPattern.test(id), 'must be the tenant’s id (a GUID) or its domain'),
  ),
  'the tenant’s id or its domain',
);

const clientId = describeSetting(
  publicSchema,
  'the application (client) id of the app registration, or a reference to it',
);

/** Settings of an application with a secret. */
export const clientSecretEntries = {
  clientId,
  clientSecret: describeSetting(secretSchema, 'a secret of the app registration'),
};

export const applicationSchema = chooseBlock(
  {
    certificate: defineBlock({
      clientId,
      certificate: describeSetting(secretSchema, 'instead: PEM text with a certificate and its private key'),
    }),
    federated: defineBlock({
      clientId,
      federated: describeSetting(defineChoice(['aws']), 'instead: no stored secret, AWS vouches for Muster'),
    }),
  },
  defineBlock(clientSecretEntries),
);

export const cloudSchema = describeOptional(
  defineChoice(['global', 'usgov', 'china']),
  'Microsoft’s cloud: `global`, `usgov` or `china`',
  'global',
);

export const graphEndpoints = {
  login: describeOptional(originSchema, 'where to sign in, for a proxy or a test; without it as `cloud` says'),
  graph: describeOptional(originSchema, 'Microsoft Graph; without it as `cloud` says'),
};

interface EndpointSettings {
  readonly cloud: keyof typeof clouds;
  readonly endpoints: Readonly<Partial<Record<'login' | 'graph' | 'downloads', string | undefined>>>;
}

/** The cloud's endpoints, replaced by those in the settings. */
export function chooseEndpoints({ cloud, endpoints }: EndpointSettings) {
  return { ...clouds[cloud].endpoints, ...omitUndefined(endpoints) };
}

interface ApplicationSettings {
  readonly auth: v.InferOutput<typeof applicationSchema>;
  readonly cloud: keyof typeof clouds;
}

interface SecretSources {
  readonly secret: (reference: string) => SecretProvider;
  readonly webIdentityToken: (audience: string) => Promise<string>;
}

export function toEntraAuth({ auth, cloud }: ApplicationSettings, sources: SecretSources): EntraAuth {
  const { secret, webIdentityToken } = sources;
  const id = secret(auth.clientId);
  if ('clientSecret' in auth) {
    return { clientId: id, clientSecret: secret(auth.clientSecret) };
  }
  if ('federated' in auth) {
    return { clientId: id, assertion: () => webIdentityToken(clouds[cloud].audience) };
  }
  return { clientId: id, certificate: secret(auth.certificate) };
}

/** Audiences of the tokens that AWS signs for such an application. */
export function listApplicationAudiences({ auth, cloud }: ApplicationSettings): readonly string[] {
  return 'federated' in auth ? [clouds[cloud].audience] : [];
}
