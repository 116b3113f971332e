/**
 * The account that the policy hands to its script can only read: docs/coverage.md, section 5. Its privileges can be read
 * only where Muster signs in with the same account; otherwise a person vouches for it.
 */
import { scriptParameters } from '../../definition.ts';
import type { Check } from '../check.ts';
import { reportNotChecked } from '../verdicts.ts';
import { judgeAttested, judgePrivileges } from './permissions-read-only.ts';
import { findPolicyParameter } from './policy.ts';
import type { JamfReading } from './reading.ts';

/** Parameter 4, mdmUser. */
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
    const own = 'is' in reading.account ? undefined : reading.account;
    if (own?.privileges !== undefined && user !== undefined && own.username?.toLowerCase() === user.toLowerCase()) {
      return judgePrivileges(own.privileges, 'the account that Muster uses too; ');
    }
    const todo = 'Check on the server that the account in parameter 4 of the policy can only read';
    return judgeAttested('account-read-only', todo, context);
  },
};
