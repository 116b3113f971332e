/**
 * Checks that two accounts only read: docs/coverage.md, section 5. One is Muster's own, the other is in a parameter of
 * the policy's script. Where the server does not show an account's privileges, a person attests them.
 */
import { scriptParameters } from '../../definition.ts';
import type { Check } from '../check.ts';
import { judgeAttestation } from '../statements.ts';
import { judgeReadOnly, reportNotChecked, reportUnread, type Verdict } from '../verdicts.ts';
import { findPolicyParameter } from './policy.ts';
import type { JamfReading } from './reading.ts';

/** Number of the parameter mdmUser. */
const [{ number: userParameter }] = scriptParameters;

export const accountReadOnly: Check<JamfReading> = {
  id: 'macos.account-read-only',
  expected: 'the account in parameter 4 of the policy can read and do nothing else',
  blindSpot: 'what that account may do, unless Muster signs in with the same one: a person attests it',
  settings: ['deployment.identity', 'deployment.attested.account-read-only'],
  judge(reading, context) {
    if (context.settings.identity !== 'email') {
      return reportNotChecked('deployment.identity: email');
    }
    const user = findPolicyParameter(context.settings, reading, userParameter);
    const { account } = reading;
    const own = account === undefined || 'kind' in account ? undefined : account;
    if (own?.privileges !== undefined && user !== undefined && own.username?.toLowerCase() === user.toLowerCase()) {
      const verdict = judgePrivileges(own.privileges);
      return { ...verdict, found: `the account that Muster uses too; ${verdict.found}` };
    }
    const advice =
      'Check on the server that the account in parameter 4 of the policy can only read, then set deployment.attested.account-read-only.';
    return judgeAttestation('account-read-only', context, advice);
  },
};

export const permissionsReadOnly: Check<JamfReading> = {
  id: 'macos.permissions-read-only',
  expected: 'an account or API client for Muster that can read and do nothing else',
  blindSpot: 'what an API client may do: a person attests it',
  settings: ['deployment.attested.api-client-read-only'],
  judge({ account }, context) {
    if (account === undefined || 'kind' in account) {
      return reportUnread(account);
    }
    if (account.privileges !== undefined) {
      return judgePrivileges(account.privileges);
    }
    const advice =
      'The server does not say what an API client may do. Check that its API role has only "Read …" privileges, then set deployment.attested.api-client-read-only.';
    return judgeAttestation('api-client-read-only', context, advice);
  },
};

/** Privileges that only read; reading what unlocks a computer is excluded. */
const isReading = /^(Read|View) (?!.*(Recovery|Bypass Code|Password))/;

function judgePrivileges(privileges: readonly string[]): Verdict {
  return judgeReadOnly(privileges, 'privileges', isReading, 'Remove every privilege that does not begin with "Read".');
}
