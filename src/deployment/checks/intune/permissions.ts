/** Muster's application permissions can only read: docs/coverage.md, section 5. */
import type { Check } from '../check.ts';
import { judgeReadOnly, reportUnread } from '../verdicts.ts';
import type { IntuneReading } from './reading.ts';

export const permissionsReadOnly: Check<IntuneReading> = {
  id: 'windows.permissions-read-only',
  expected: 'application permissions that read and do nothing else',
  blindSpot: 'what the application may do outside Microsoft Graph',
  judge({ roles }) {
    if (roles === undefined || 'is' in roles) {
      return reportUnread(roles);
    }
    const advice = 'Remove every permission that does not end with .Read.All.';
    return judgeReadOnly(roles, 'permissions', /\.Read(\.All)?$/, advice);
  },
};
