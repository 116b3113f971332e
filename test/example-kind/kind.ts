/** Fleet as a kind of source: the example of docs/dev/source-kinds.md. It is registered in `test/kinds.ts`, for tests alone. */
import * as v from 'valibot';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import {
  defineBlock,
  describeOptional,
  describeSetting,
  sourceNameSchema,
  textSchema,
} from '../../src/settings/fields.ts';
import { secretSchema } from '../../src/settings/secret-references.ts';
import { originSchema } from '../../src/settings/urls.ts';
import type { SourceKind } from '../../src/sources/source-kind.ts';
import { type FleetReason, type FleetSystem, fleetNextSteps, fleetRules } from './rules.ts';

const schema = defineBlock({
  name: sourceNameSchema,
  platform: describeSetting(v.literal('fleet'), '`fleet`'),
  url: describeSetting(originSchema, 'the server’s address: host and port, no path'),
  token: describeSetting(secretSchema, 'the token of an API-only user'),
  policy: describeSetting(textSchema, 'the name of the policy that passes where the agent is'),
  linuxFile: describeOptional(textSchema, 'the agent’s file on Linux', '/opt/fhfs/bin/fhagent'),
});

type FleetSourceSettings = v.InferOutput<typeof schema>;

export const fleetKind: SourceKind<'fleet', FleetSourceSettings, FleetSystem, FleetReason> = {
  kind: 'fleet',
  title: 'Fleet',
  schema,
  secretKeys: ['token'],
  rules: fleetRules,
  nextSteps: fleetNextSteps,
  fields: {
    value: 'the response of the policy',
    detail: '',
    valueAt: 'the last run of the policies (`policy_updated_at`)',
    lastSeenAt: 'the last contact (`seen_time`)',
    managementState: 'the enrolment in MDM (`mdm.enrollment_status`)',
    managementAgent: '',
    ownership: '',
    site: 'the name of the team',
    department: 'the department in the list of expected machines',
    building: '',
    category: '',
  },
  loadChecks: async () => (await import('./checks.ts')).fleetChecks,
  loadArtifacts: async () => [],
  loadInterview: async () => (await import('./interview.ts')).interviewFleet,
  answerNoun: 'response',
  exposedSecrets: 'An API-only user with the role "observer" reads hosts and policies, in which there is no secret',
  listOrigins: ({ url }) => [url],
  async open({ token, ...settings }, { secret, deployment, limitRequests, idle }) {
    const { createFleetSource } = await import('./source.ts');
    const limit = limitRequests(settings.url, 1);
    return createFleetSource({ ...settings, token: secret(token), deployment }, omitUndefined({ idle, limit }));
  },
};
