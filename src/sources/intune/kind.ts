/** Microsoft Intune as a kind of source. */
import * as v from 'valibot';
import { windowsChecks } from '../../deployment/catalogue.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { clientCredentialEntries, hasKey, sourceNameSchema, textSchema } from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/secret-references.ts';
import { defineBlock, defineChoice } from '../../settings/sentences.ts';
import { originSchema, wildcardOriginSchema } from '../../settings/urls.ts';
import type { OpenContext, SourceKind } from '../source-kind.ts';
import { intuneRules } from './rules.ts';
import { cloudEndpoints, federationAudiences, type IntuneAuth } from './settings.ts';

const clientAuthSchema = defineBlock(clientCredentialEntries);
const certificateAuthSchema = defineBlock({ clientId: publicSchema, certificate: secretSchema });
const federatedAuthSchema = defineBlock({ clientId: publicSchema, federated: defineChoice(['aws']) });
const appListSchema = v.pipe(v.array(textSchema), v.minLength(1, 'must name at least one app'));
const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

const schema = defineBlock({
  name: sourceNameSchema,
  platform: v.literal('intune'),
  tenantId: v.pipe(
    v.string('must be text'),
    v.check((id) => guidPattern.test(id) || domainPattern.test(id), 'must be the tenant’s id (a GUID) or its domain'),
  ),
  auth: v.lazy((auth) => {
    if (hasKey(auth, 'certificate')) {
      return certificateAuthSchema;
    }
    return hasKey(auth, 'federated') ? federatedAuthSchema : clientAuthSchema;
  }),
  app: v.lazy((app) => (Array.isArray(app) ? appListSchema : textSchema)),
  population: v.optional(defineChoice(['all', 'company']), 'all'),
  cloud: v.optional(defineChoice(['global', 'usgov', 'china']), 'global'),
  endpoints: v.optional(
    defineBlock({
      login: v.optional(originSchema),
      graph: v.optional(originSchema),
      downloads: v.optional(wildcardOriginSchema),
    }),
    {},
  ),
});

type IntuneSourceSettings = v.InferOutput<typeof schema>;

export const intuneKind: SourceKind<'intune', IntuneSourceSettings> = {
  kind: 'intune',
  title: 'Microsoft Intune',
  schema,
  secretKeys: ['clientSecret', 'certificate'],
  rules: intuneRules,
  checks: windowsChecks,
  answerNoun: 'row',
  exposedSecrets: "DeviceManagementApps.Read.All shows the install command in clear, the service's API key in it",
  async open(settings, context) {
    const { createIntuneSource: intuneSource } = await import('./source.ts');
    const { name, tenantId, population, app, cloud, endpoints } = settings;
    const { deployment, idle } = context;
    const standard = cloudEndpoints[cloud];
    return intuneSource(
      {
        name,
        tenantId,
        population,
        deployment,
        apps: typeof app === 'string' ? [app] : app,
        auth: toIntuneAuth(settings, context),
        endpoints: {
          login: endpoints.login ?? standard.login,
          graph: endpoints.graph ?? standard.graph,
          downloads: endpoints.downloads ?? standard.downloads,
        },
      },
      omitUndefined({ idle }),
    );
  },
};

function toIntuneAuth({ auth, cloud }: IntuneSourceSettings, { secret, webIdentityToken }: OpenContext): IntuneAuth {
  const clientId = secret(auth.clientId);
  if ('clientSecret' in auth) {
    return { clientId, clientSecret: secret(auth.clientSecret) };
  }
  if ('certificate' in auth) {
    return { clientId, certificate: secret(auth.certificate) };
  }
  return { clientId, assertion: () => webIdentityToken(federationAudiences[cloud]) };
}
