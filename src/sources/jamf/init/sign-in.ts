/** Signs `muster init` in to a Jamf Pro server, and checks whether the account sees all of it. */
import * as v from 'valibot';
import { secretSchema } from '../../../settings/secret-references.ts';
import { serverUrlSchema } from '../../../settings/urls.ts';
import type { InterviewContext, Interviewer } from '../../interview.ts';
import { describeHiddenSites, readAccount } from '../account.ts';
import { connectJamf, type JamfClient } from '../client.ts';
import { toJamfAuth } from '../settings.ts';

export async function signIn(interviewer: Interviewer, context: InterviewContext) {
  const url = await interviewer.askText({
    option: 'jamf-url',
    text: 'Address of Jamf Pro, such as https://example.jamfcloud.com',
    schema: serverUrlSchema,
    isOptional: true,
  });
  if (url === '') {
    return undefined;
  }
  const auth = await askSignIn(interviewer);
  const source = { name: 'macs', platform: 'jamf', url, auth };
  const settings = { ...source, auth: toJamfAuth(auth, context) };
  const { jamf, credential } = connectJamf(settings, {}, context, () => undefined);
  interviewer.tell(`Signing in to ${jamf.who}.`);
  await credential.header();
  interviewer.tell(`Signed in to ${jamf.who}.`);
  return { jamf, source: { ...source, ...(await askSite(interviewer, jamf, context)) } };
}

/** Asks for an API client, or takes an account where an option names one. */
async function askSignIn(interviewer: Interviewer) {
  const username = await interviewer.readOption('jamf-username', v.string());
  if (username !== undefined) {
    const text = 'Where the password of the account is';
    const standard = 'env:JAMF_PASSWORD';
    return {
      username,
      password: await interviewer.askText({ option: 'jamf-password', text, standard, schema: secretSchema }),
    };
  }
  const clientId = await interviewer.askText({
    option: 'jamf-client-id',
    text: 'Its API client: the id, or where it is',
    standard: 'env:JAMF_CLIENT_ID',
  });
  const clientSecret = await interviewer.askText({
    option: 'jamf-client-secret',
    text: 'Where its secret is (env:NAME, aws-secret:NAME#key, aws-ssm:/path)',
    standard: 'env:JAMF_CLIENT_SECRET',
    schema: secretSchema,
  });
  return { clientId, clientSecret };
}

/** Asks about a site where the account sees only that, since other devices would be missing from every number. */
async function askSite(interviewer: Interviewer, jamf: JamfClient, { signal }: InterviewContext) {
  const problem = describeHiddenSites(jamf, await readAccount(jamf, signal));
  if (problem === undefined) {
    return {};
  }
  interviewer.tell(problem);
  const text = 'Name of that site, where its Macs alone are meant';
  const site = await interviewer.askText({ option: 'jamf-site', text, isOptional: true });
  return site === '' ? {} : { site };
}
