/** Microsoft Intune as a kind of source. */
import * as v from 'valibot';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  chooseBlock,
  defineBlock,
  defineChoice,
  describeOptional,
  describeSetting,
  sourceNameSchema,
  textSchema,
} from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/secret-references.ts';
import { originSchema, wildcardOriginSchema } from '../../settings/urls.ts';
import type { OpenContext, SourceKind } from '../source-kind.ts';
import { type IntuneReason, intuneNextSteps, intuneRules } from './rules.ts';
import { clouds, guidPattern, type IntuneAuth } from './settings.ts';

const clientId = describeSetting(
  publicSchema,
  'the application (client) id of the app registration, or a reference to it',
);
const clientAuthSchema = defineBlock({
  clientId,
  clientSecret: describeSetting(secretSchema, 'a secret of the app registration'),
});
const certificateAuthSchema = defineBlock({
  clientId,
  certificate: describeSetting(secretSchema, 'instead: PEM text with a certificate and its private key'),
});
const federatedAuthSchema = defineBlock({
  clientId,
  federated: describeSetting(defineChoice(['aws']), 'instead: no stored secret, AWS vouches for Muster'),
});
const appListSchema = v.pipe(v.array(textSchema), v.minLength(1, 'must name at least one app'));
const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

const schema = defineBlock({
  name: sourceNameSchema,
  platform: describeSetting(v.literal('intune'), '`intune`'),
  tenantId: describeSetting(
    v.pipe(
      v.string('must be text'),
      v.check((id) => guidPattern.test(id) || domainPattern.test(id), 'must be the tenant’s id (a GUID) or its domain'),
    ),
    'the tenant’s id or its domain',
  ),
  auth: chooseBlock({ certificate: certificateAuthSchema, federated: federatedAuthSchema }, clientAuthSchema),
  app: describeSetting(
    v.lazy((app) => (Array.isArray(app) ? appListSchema : textSchema)),
    'the app’s id, or its exact display name for every Win32 app that has it (an updated app is a new object); or a list',
  ),
  population: describeOptional(
    defineChoice(['all', 'company']),
    '`all`, or `company`, which excludes personal devices',
    'all',
  ),
  cloud: describeOptional(
    defineChoice(['global', 'usgov', 'china']),
    'Microsoft’s cloud: `global`, `usgov` or `china`',
    'global',
  ),
  endpoints: v.optional(
    defineBlock({
      login: describeOptional(originSchema, 'where to sign in, for a proxy or a test; without it as `cloud` says'),
      graph: describeOptional(originSchema, 'Microsoft Graph; without it as `cloud` says'),
      downloads: describeOptional(
        wildcardOriginSchema,
        'where exported reports are; may begin with `*.`; without it as `cloud` says',
      ),
    }),
    {},
  ),
});

type IntuneSourceSettings = v.InferOutput<typeof schema>;

export const intuneKind: SourceKind<'intune', IntuneSourceSettings, 'windows', IntuneReason> = {
  kind: 'intune',
  title: 'Microsoft Intune',
  schema,
  secretKeys: ['clientSecret', 'certificate'],
  rules: intuneRules,
  nextSteps: intuneNextSteps,
  fields: {
    value: 'the number of the install state',
    detail: 'the error code and the state detail',
    valueAt: 'the state’s last change (`LastModifiedDateTime`)',
    lastSeenAt: 'the last sync (`lastSyncDateTime`)',
    managementState: '`managementState`',
    managementAgent: '`managementAgent`',
    ownership: '`company` or `personal`',
    site: '',
    department: '',
    building: '',
    category: 'the device category',
  },
  loadChecks: async () => (await import('../../deployment/checks/intune/checks.ts')).intuneChecks,
  loadArtifacts: async () => (await import('../../deployment/artifacts/intune-artifacts.ts')).intuneArtifacts,
  loadInterview: async () => (await import('./init/interview.ts')).interviewIntune,
  answerNoun: 'row',
  exposedSecrets:
    "DeviceManagementApps.Read.All shows the install command in plain text, including the service's API key",
  listAudiences: ({ auth, cloud }) => ('federated' in auth ? [clouds[cloud].audience] : []),
  async open(settings, context) {
    const { createIntuneSource } = await import('./source.ts');
    const { app, cloud, endpoints } = settings;
    const { deployment, idle } = context;
    return createIntuneSource(
      {
        ...settings,
        deployment,
        adminCenter: clouds[cloud].adminCenter,
        apps: typeof app === 'string' ? [app] : app,
        auth: toIntuneAuth(settings, context),
        endpoints: { ...clouds[cloud].endpoints, ...omitUndefined(endpoints) },
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
  if ('federated' in auth) {
    return { clientId, assertion: () => webIdentityToken(clouds[cloud].audience) };
  }
  return { clientId, certificate: secret(auth.certificate) };
}
