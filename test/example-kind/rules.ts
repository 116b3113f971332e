/** What the answers of a Fleet policy mean, and what to do next. */
import type { NextSteps, SourceRules, Step } from '../../src/core/facts/rules.ts';
import type { Reason } from '../../src/core/facts/vocabulary.ts';

const operatingSystems = { macos: 'macOS', windows: 'Windows', linux: 'Linux' };

export type FleetSystem = keyof typeof operatingSystems;

const missing = 'The policy ran and did not find the agent.';

const byReason = {
  reported: {
    macos: `${missing} Run sudo profiles renew -type enrollment, install the agent, then refetch the host.`,
    windows: `${missing} Install it from Company Portal or with msiexec, then refetch the host.`,
    linux: `${missing} Install it with the package manager (sudo apt install, sudo dnf install), then refetch the host.`,
  },
  'never-reported':
    'The policy has not run on this host yet: check that it targets the host, and that the host is online.',
  'state-unknown':
    'Fleet gave an answer that is neither pass nor fail. Refetch the host, and open its policies in Fleet.',
  unread: 'Fleet could not return this host. Open its page in Fleet.',
} as const satisfies Partial<Record<Reason, Step<FleetSystem>>>;

export type FleetReason = keyof typeof byReason;

export const fleetNextSteps: NextSteps<FleetReason, FleetSystem> = {
  byReason,
  notSeen: 'Fleet has not heard from this host for long. Bring it online, or delete it in Fleet where it is gone.',
};

export const fleetRules: SourceRules<FleetReason, FleetSystem> = {
  kind: 'fleet',
  devicePath: '/hosts/{id}',
  operatingSystems,
  words: new Map([
    ['pass', { status: 'Installed', reason: 'reported', provable: true }],
    ['fail', { status: 'Not Installed', reason: 'reported', provable: true }],
  ]),
  silent: { status: 'Not Installed', reason: 'never-reported', provable: false },
  // As Fleet answers for a host on which the policy has not run.
  blank: { status: 'Not Installed', reason: 'never-reported', provable: false },
  other: { status: 'Not Installed', reason: 'state-unknown', provable: false },
  ranks: [],
  ageDates: ['reportedAt', 'lastSeenAt'],
  // A Mac that Apple has announced and nobody has switched on.
  nextAnswer: 'the host’s next report',
  exclusions: [{ because: 'unmanaged', field: 'managementState', is: ['Pending'] }],
  listPlaces: ['department'],
  hasServerGroups: false,
};
