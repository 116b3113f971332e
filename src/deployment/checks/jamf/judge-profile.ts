/** What both configuration profiles must be: readable, installed automatically on computers, and scoped. */
import { type Dictionary, parsePayloads } from '../../profile/payloads.ts';
import type { Verdict } from '../check.ts';
import type { LookupResult } from '../lookup.ts';
import { collectProblems, judgeOne, passOrFail, reportUnknown } from '../verdicts.ts';
import type { JamfReading, ProfileFacts } from './reading.ts';
import { judgeScope, scopeAdvice } from './scope.ts';

const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes (`muster artifacts` renders it), or put its display name in the settings.';

export function judgeProfile(
  found: LookupResult<ProfileFacts>,
  { managed }: Pick<JamfReading, 'managed'>,
  findProblems: (payloads: readonly Dictionary[], profile: ProfileFacts) => readonly string[],
): Verdict {
  return judgeOne(found, 'configuration profile', creationAdvice, (profile) => {
    const read = parsePayloads(profile.payloads);
    if (read === undefined) {
      return reportUnknown('its payload is not a readable property list', creationAdvice);
    }
    const scope = judgeScope(profile.scope, managed);
    const problems = [...findProblems(read, profile), ...findDeliveryProblems(profile), ...scope.problems];
    if (problems.length === 0 && scope.unread !== undefined) {
      return reportUnknown(scope.unread, scopeAdvice);
    }
    if (problems.length === 0 && (profile.distribution === undefined || profile.level === undefined)) {
      const why = 'the server does not say whether it is installed automatically, and on computers';
      return reportUnknown(why, 'See the profile on the server.');
    }
    return passOrFail(problems, `as documented, ${scope.shown}`, creationAdvice);
  });
}

/** A profile that waits in Self Service, or belongs to one user, gives the agent nothing. */
function findDeliveryProblems({ distribution, level }: ProfileFacts): string[] {
  const isOffered = distribution !== undefined && distribution !== 'Install Automatically';
  return collectProblems([
    [isOffered, 'it is not installed automatically, only offered in Self Service'],
    [level?.toLowerCase() === 'user', 'it is a profile for users, not for computers'],
  ]);
}
