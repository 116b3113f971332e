/** Muster's own account or API client can only read: docs/coverage.md, section 5. */
import type { AttestationId } from '../../../settings/deployment/deployment.ts';
import type { Check, CheckContext, Verdict } from '../check.ts';
import { judgeAttestation } from '../statements.ts';
import { fail, formatNames, pass, reportNotAttested, reportUnread } from '../verdicts.ts';
import type { JamfReading } from './reading.ts';

export const permissionsReadOnly: Check<JamfReading> = {
  id: 'macos.permissions-read-only',
  expected: 'an account or API client for Muster that can read and do nothing else',
  blindSpot: 'what an API client may do: a person attests it',
  settings: ['deployment.attested.api-client-read-only'],
  judge({ account }, context) {
    if ('is' in account) {
      return reportUnread(account);
    }
    if (account.privileges !== undefined) {
      return judgePrivileges(account.privileges, '');
    }
    const todo =
      'The server does not say what an API client may do. Check that its API role has only "Read …" privileges';
    return judgeAttested('api-client-read-only', todo, context);
  },
};

/** These only read, but what they read unlocks a computer. */
const keyPrivileges = /Recovery|Bypass Code|Password/;

export function judgePrivileges(privileges: readonly string[], whose: string): Verdict {
  const beyond = privileges.filter((privilege) => !/^(Read|View) /.test(privilege) || keyPrivileges.test(privilege));
  return beyond.length === 0
    ? pass(`${whose}${privileges.length} privileges, all read-only`)
    : fail(`${whose}it may also: ${formatNames(beyond)}`, 'Remove every privilege that does not begin with "Read".');
}

export function judgeAttested(id: AttestationId, todo: string, context: CheckContext): Verdict {
  const advice = `${todo}, then set deployment.attested.${id}.`;
  return judgeAttestation(id, advice, context) ?? reportNotAttested(advice);
}
