/** Jamf Pro as a kind of source. */
import * as v from 'valibot';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  chooseBlock,
  defineBlock,
  defineChoice,
  defineForm,
  describeOptional,
  describeSetting,
  sourceNameSchema,
  textSchema,
} from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/secret-references.ts';
import { originSchema, serverUrlSchema } from '../../settings/urls.ts';
import type { SourceKind } from '../source-kind.ts';
import { type JamfReason, jamfNextSteps, jamfRules } from './rules.ts';
import { locateServer } from './server.ts';
import { type JamfGateway, maximumRequestsAtOnce, toJamfAuth } from './settings.ts';

const accountAuthSchema = defineBlock({
  username: describeSetting(publicSchema, 'instead: the name of a read-only account, or a reference to it'),
  password: describeSetting(secretSchema, 'its password'),
});

const clientAuthSchema = defineBlock({
  clientId: describeSetting(publicSchema, 'the id of the API client, or a reference to it'),
  clientSecret: describeSetting(secretSchema, 'its secret'),
});

/** https://developer.jamf.com/platform-api/reference/platform-api-fundamentals; a region that is newer needs `endpoint`. */
const gatewaySchema = defineBlock({
  region: describeSetting(
    defineChoice(['us', 'eu', 'apac']),
    'the region of the Jamf Platform gateway, at `https://REGION.api.jamfcloud.com`: `us`, `eu` or `apac`',
  ),
  environmentId: describeSetting(
    defineForm(/^[A-Za-z0-9-]{1,64}$/, 'must be the id of a platform environment, as Jamf Account shows it'),
    'the platform environment that the integration in Jamf Account is for',
  ),
  endpoint: describeOptional(originSchema, 'where the gateway is, for a proxy or a test; without it as `region` says'),
});

const block = defineBlock({
  name: sourceNameSchema,
  platform: describeSetting(v.literal('jamf'), '`jamf`'),
  url: describeOptional(
    serverUrlSchema,
    'the server’s address: host and port, and its context path where it has one; or `gateway`',
  ),
  gateway: v.optional(gatewaySchema),
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

/** Checks everything at once, so that one reading of the file shows every problem. */
const schema = v.pipe(
  block,
  v.forward(
    v.partialCheck(
      [['url'], ['gateway']],
      ({ url, gateway }) => url !== undefined || gateway !== undefined,
      'is missing; a source has either url, the address of the server, or gateway',
    ),
    ['url'],
  ),
  v.forward(
    v.partialCheck(
      [['url'], ['gateway']],
      ({ url, gateway }) => url === undefined || gateway === undefined,
      'stands beside url; a source has either url, the address of the server, or gateway',
    ),
    ['gateway'],
  ),
  v.forward(
    v.partialCheck(
      [['gateway'], ['auth']],
      ({ gateway, auth }) => gateway === undefined || 'clientId' in auth,
      'must be clientId and clientSecret of an integration in Jamf Account; the gateway takes no user account',
    ),
    ['auth'],
  ),
);

type JamfSourceSettings = v.InferOutput<typeof schema>;

export const jamfKind: SourceKind<'jamf', JamfSourceSettings, 'macos', JamfReason> = {
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
  loadInterview: async () => (await import('./init/interview.ts')).interviewJamf,
  answerNoun: 'value',
  exposedSecrets:
    '"Read Policies" shows the policy\'s parameters in plain text, including the service\'s API key and a password',
  listOrigins: ({ url, gateway }) => [locateServer({ url, gateway: gateway && toJamfGateway(gateway) }).origin],
  listServerNames: ({ url, extensionAttribute, groups }) => ({ url, attribute: extensionAttribute, groups }),
  async open(settings, context) {
    const { createJamfSource } = await import('./source.ts');
    const { deployment, idle } = context;
    const auth = toJamfAuth(settings.auth, context);
    const gateway = settings.gateway && toJamfGateway(settings.gateway);
    // One gateway has many servers, one for each environment.
    const server = gateway ? `${gateway.endpoint} ${gateway.environmentId}` : `${settings.url}`;
    const limit = context.limitRequests(server, maximumRequestsAtOnce);
    return createJamfSource({ ...settings, gateway, deployment, auth }, omitUndefined({ idle, limit }));
  },
};

function toJamfGateway({ region, environmentId, endpoint }: v.InferOutput<typeof gatewaySchema>): JamfGateway {
  return { endpoint: endpoint ?? `https://${region}.api.jamfcloud.com`, environmentId };
}
