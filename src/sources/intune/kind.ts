/** Microsoft Intune as a kind of source. */
import * as v from 'valibot';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  applicationSchema,
  chooseEndpoints,
  cloudSchema,
  graphEndpoints,
  listApplicationAudiences,
  tenantSchema,
  toEntraAuth,
} from '../../microsoft/application-settings.ts';
import { clouds } from '../../microsoft/tenant.ts';
import {
  defineBlock,
  defineChoice,
  describeOptional,
  describeSetting,
  sourceNameSchema,
  textSchema,
} from '../../settings/fields.ts';
import { wildcardOriginSchema } from '../../settings/urls.ts';
import type { SourceKind } from '../source-kind.ts';
import { type IntuneReason, intuneNextSteps, intuneRules } from './rules.ts';

const appListSchema = v.pipe(v.array(textSchema), v.minLength(1, 'must name at least one app'));

const schema = defineBlock({
  name: sourceNameSchema,
  platform: describeSetting(v.literal('intune'), '`intune`'),
  tenantId: tenantSchema,
  auth: applicationSchema,
  app: describeSetting(
    v.lazy((app) => (Array.isArray(app) ? appListSchema : textSchema)),
    'the app’s id, or its exact display name for every Win32 app that has it (an updated app is a new object); or a list',
  ),
  population: describeOptional(
    defineChoice(['all', 'company']),
    '`all`, or `company`, which excludes personal devices',
    'all',
  ),
  cloud: cloudSchema,
  endpoints: v.optional(
    defineBlock({
      ...graphEndpoints,
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
    site: 'the site in the list of expected machines',
    department: 'the department in the list of expected machines',
    building: '',
    category: 'the device category',
  },
  loadChecks: async () => (await import('../../deployment/checks/intune/checks.ts')).intuneChecks,
  loadArtifacts: async () => (await import('../../deployment/artifacts/intune-artifacts.ts')).intuneArtifacts,
  loadInterview: async () => (await import('./init/interview.ts')).interviewIntune,
  answerNoun: 'row',
  exposedSecrets:
    "DeviceManagementApps.Read.All shows the install command in plain text, including the service's API key",
  listOrigins: (settings) => Object.values(chooseEndpoints(settings)),
  listAudiences: listApplicationAudiences,
  async open(settings, context) {
    const { createIntuneSource } = await import('./source.ts');
    const { app, cloud } = settings;
    const { deployment, idle } = context;
    return createIntuneSource(
      {
        ...settings,
        deployment,
        adminCenter: clouds[cloud].adminCenter,
        apps: typeof app === 'string' ? [app] : app,
        auth: toEntraAuth(settings, context),
        endpoints: chooseEndpoints(settings),
      },
      omitUndefined({ idle }),
    );
  },
};
