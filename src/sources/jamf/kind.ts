/** Jamf Pro as a kind of source. */
import * as v from 'valibot';
import { macosChecks } from '../../deployment/catalogue.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { clientCredentialEntries, hasKey, sourceNameSchema, textSchema } from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/secret-references.ts';
import { defineBlock } from '../../settings/sentences.ts';
import { originSchema } from '../../settings/urls.ts';
import type { OpenContext, SourceKind } from '../source-kind.ts';
import { jamfRules } from './rules.ts';

const accountAuthSchema = defineBlock({ username: publicSchema, password: secretSchema });
const clientAuthSchema = defineBlock(clientCredentialEntries);

const schema = defineBlock({
  name: sourceNameSchema,
  platform: v.literal('jamf'),
  url: originSchema,
  auth: v.lazy((auth) => (hasKey(auth, 'username') || hasKey(auth, 'password') ? accountAuthSchema : clientAuthSchema)),
  extensionAttribute: textSchema,
  groups: v.optional(defineBlock({ installed: textSchema, notInstalled: textSchema })),
  site: v.optional(v.string('must be text'), ''),
});

type JamfSourceSettings = v.InferOutput<typeof schema>;

export const jamfKind: SourceKind<'jamf', JamfSourceSettings> = {
  kind: 'jamf',
  title: 'Jamf Pro',
  schema,
  secretKeys: ['clientSecret', 'password'],
  rules: jamfRules,
  checks: macosChecks,
  answerNoun: 'value',
  exposedSecrets:
    '"Read Policies" shows the policy\'s parameters in clear text, including the service\'s API key and a password',
  async open(settings, context) {
    const { createJamfSource: jamfSource, maximumRequestsAtOnce } = await import('./source.ts');
    const { name, url, extensionAttribute, groups, site } = settings;
    const { deployment, idle } = context;
    const limit = context.limitRequests(new URL(url).origin, maximumRequestsAtOnce);
    const auth = toJamfAuth(settings.auth, context);
    return jamfSource(
      omitUndefined({ name, url, extensionAttribute, groups, site, deployment, auth }),
      omitUndefined({ idle, limit }),
    );
  },
};

function toJamfAuth(auth: JamfSourceSettings['auth'], { secret }: OpenContext) {
  return 'username' in auth
    ? { username: secret(auth.username), password: secret(auth.password) }
    : { clientId: secret(auth.clientId), clientSecret: secret(auth.clientSecret) };
}
