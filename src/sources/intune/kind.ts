/** Microsoft Intune as a kind of source. */
import * as v from 'valibot';
import { windowsChecks } from '../../deployment/catalogue.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { clientCredentials, hasKey, sourceName, text } from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/references.ts';
import { block, choice } from '../../settings/sentences.ts';
import { originSchema, wildcardOriginSchema } from '../../settings/urls.ts';
import type { OpenContext, SourceKind } from '../source-kind.ts';
import { intuneRules } from './rules.ts';
import { cloudEndpoints, federationAudiences, type IntuneAuth } from './settings.ts';

const client = block(clientCredentials);
const certificate = block({ clientId: publicSchema, certificate: secretSchema });
const federated = block({ clientId: publicSchema, federated: choice(['aws']) });
const appList = v.pipe(v.array(text), v.minLength(1, 'must name at least one app'));
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const domain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

const schema = block({
  name: sourceName,
  platform: v.literal('intune'),
  tenantId: v.pipe(
    v.string('must be text'),
    v.check((id) => guid.test(id) || domain.test(id), 'must be the tenant’s id (a GUID) or its domain'),
  ),
  auth: v.lazy((auth) => {
    if (hasKey(auth, 'certificate')) return certificate;
    return hasKey(auth, 'federated') ? federated : client;
  }),
  app: v.lazy((app) => (Array.isArray(app) ? appList : text)),
  population: v.optional(choice(['all', 'company']), 'all'),
  cloud: v.optional(choice(['global', 'usgov', 'china']), 'global'),
  endpoints: v.optional(
    block({
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
    const { intuneSource } = await import('./source.ts');
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
        auth: readAuth(settings, context),
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

function readAuth({ auth, cloud }: IntuneSourceSettings, { secret, webIdentityToken }: OpenContext): IntuneAuth {
  const clientId = secret(auth.clientId);
  if ('clientSecret' in auth) return { clientId, clientSecret: secret(auth.clientSecret) };
  if ('certificate' in auth) return { clientId, certificate: secret(auth.certificate) };
  return { clientId, assertion: () => webIdentityToken(federationAudiences[cloud]) };
}
