/** Jamf Pro as a kind of source. */
import * as v from 'valibot';
import { macosChecks } from '../../deployment/catalogue.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { clientCredentials, hasKey, sourceName, text } from '../../settings/fields.ts';
import { publicSchema, secretSchema } from '../../settings/references.ts';
import { block } from '../../settings/sentences.ts';
import { originSchema } from '../../settings/urls.ts';
import type { OpenContext, SourceKind } from '../source-kind.ts';
import { jamfRules } from './rules.ts';

const account = block({ username: publicSchema, password: secretSchema });
const client = block(clientCredentials);

const schema = block({
  name: sourceName,
  platform: v.literal('jamf'),
  url: originSchema,
  auth: v.lazy((auth) => (hasKey(auth, 'username') || hasKey(auth, 'password') ? account : client)),
  extensionAttribute: text,
  groups: v.optional(block({ installed: text, notInstalled: text })),
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
    '"Read Policies" shows the policy\'s parameters in clear, the service\'s API key and a password among them',
  async open(settings, context) {
    const { jamfSource } = await import('./source.ts');
    const { name, url, extensionAttribute, groups, site } = settings;
    const { deployment, idle } = context;
    const auth = readAuth(settings.auth, context);
    return jamfSource(
      omitUndefined({ name, url, extensionAttribute, groups, site, deployment, auth }),
      omitUndefined({ idle }),
    );
  },
};

function readAuth(auth: JamfSourceSettings['auth'], { secret }: OpenContext) {
  return 'username' in auth
    ? { username: secret(auth.username), password: secret(auth.password) }
    : { clientId: secret(auth.clientId), clientSecret: secret(auth.clientSecret) };
}
