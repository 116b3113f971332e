/** Muster's application permissions can only read: docs/coverage.md, section 5. */
import type { Check } from '../check.ts';
import { fail, formatFirst, pass, quoteText, reportUnread } from '../verdicts.ts';
import type { IntuneReading } from './reading.ts';

export const permissionsReadOnly: Check<IntuneReading> = {
  id: 'windows.permissions-read-only',
  expected: 'application permissions that read and do nothing else',
  blindSpot: 'what the application may do outside Microsoft Graph',
  judge({ roles }) {
    if (roles === undefined || 'is' in roles) {
      return reportUnread(roles);
    }
    const beyond = roles.filter((role) => !/\.Read(\.All)?$/.test(role));
    const advice = 'Remove every permission that does not end with .Read.All.';
    return beyond.length === 0
      ? pass(`${roles.length} permissions, all read-only`)
      : fail(`it may also: ${formatFirst(beyond.toSorted().map(quoteText))}`, advice);
  },
};
