/** What `muster init` would ask of a Fleet server. */
import { secretSchema } from '../../src/settings/secret-references.ts';
import { originSchema } from '../../src/settings/urls.ts';
import type { Interview } from '../../src/sources/interview.ts';

export const interviewFleet: Interview = async (interviewer) => {
  const url = await interviewer.askText({
    option: 'fleet-url',
    text: 'Address of Fleet',
    isOptional: true,
    schema: originSchema,
  });
  if (url === '') {
    return undefined;
  }
  const token = await interviewer.askText({
    option: 'fleet-token',
    text: 'Where its token is',
    standard: 'env:FLEET_TOKEN',
    schema: secretSchema,
  });
  const policy = await interviewer.askText({ option: 'fleet-policy', text: 'Policy that looks for the agent' });
  const source = { name: 'fleet', platform: 'fleet', url, token, policy };
  return { source, deployment: {}, accepted: undefined };
};
