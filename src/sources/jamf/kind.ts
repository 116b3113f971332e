/** Jamf Pro as a kind of source. */
import * as v from 'valibot';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  chooseBlock,
  defineBlock,
  describeOptional,
  describeSetting,
  sourceNameSchema,
  textSchema,
} from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/secret-references.ts';
import { originSchema } from '../../settings/urls.ts';
import type { OpenContext, SourceKind } from '../source-kind.ts';
import { type JamfReason, jamfNextSteps } from './next-steps.ts';
import { jamfRules } from './rules.ts';
import { maximumRequestsAtOnce } from './settings.ts';

const accountAuthSchema = defineBlock({
  username: describeSetting(publicSchema, 'instead: the name of a read-only account, or a reference to it'),
  password: describeSetting(secretSchema, 'its password'),
});

const clientAuthSchema = defineBlock({
  clientId: describeSetting(publicSchema, 'the id of the API client, or a reference to it'),
  clientSecret: describeSetting(secretSchema, 'its secret'),
});

const schema = defineBlock({
  name: sourceNameSchema,
  platform: describeSetting(v.literal('jamf'), '`jamf`'),
  url: describeSetting(originSchema, 'the server’s address: host and port, no path'),
  auth: chooseBlock({ username: accountAuthSchema, password: accountAuthSchema }, clientAuthSchema),
  extensionAttribute: describeSetting(textSchema, 'the display name of the extension attribute'),
  groups: v.optional(
    defineBlock({
      installed: describeSetting(textSchema, 'the display name of the smart group of devices with the agent'),
      notInstalled: describeSetting(
        textSchema,
        'the display name of the one without; compared with Muster’s own picture',
      ),
    }),
  ),
  site: describeOptional(v.string('must be text'), 'set it only when the account is meant to see one site', ''),
});

type JamfSourceSettings = v.InferOutput<typeof schema>;

export const jamfKind: SourceKind<'jamf', JamfSourceSettings, JamfReason> = {
  kind: 'jamf',
  title: 'Jamf Pro',
  schema,
  secretKeys: ['clientSecret', 'password'],
  rules: jamfRules,
  nextSteps: jamfNextSteps,
  fields: {
    value: 'the value of the extension attribute',
    detail: '',
    valueAt: 'the last inventory report (`reportDate`)',
    lastSeenAt: 'the last contact (`lastContactTime`)',
    managementState: '`managed` or `unmanaged`',
    managementAgent: '',
    ownership: '',
    site: 'the name of the site',
    department: 'the name of the department, where the account may read departments',
    building: 'the name of the building, where the account may read buildings',
    category: '',
  },
  loadChecks: async () => (await import('../../deployment/checks/jamf/checks.ts')).jamfChecks,
  loadArtifacts: async () => (await import('../../deployment/artifacts/jamf-artifacts.ts')).jamfArtifacts,
  answerNoun: 'value',
  exposedSecrets:
    '"Read Policies" shows the policy\'s parameters in plain text, including the service\'s API key and a password',
  listServerNames: ({ url, extensionAttribute, groups }) => ({ url, attribute: extensionAttribute, groups }),
  async open(settings, context) {
    const { createJamfSource } = await import('./source.ts');
    const { deployment, idle } = context;
    const limit = context.limitRequests(new URL(settings.url).origin, maximumRequestsAtOnce);
    const auth = toJamfAuth(settings.auth, context);
    return createJamfSource({ ...settings, deployment, auth }, omitUndefined({ idle, limit }));
  },
};

function toJamfAuth(auth: JamfSourceSettings['auth'], { secret }: OpenContext) {
  return 'username' in auth
    ? { username: secret(auth.username), password: secret(auth.password) }
    : { clientId: secret(auth.clientId), clientSecret: secret(auth.clientSecret) };
}
