/** The kind in the plain model. */
import { type KindModel, noOwnFields } from '../model/kind.ts';

const isPending = (state: string | undefined) => state === 'Pending';

export const fleetModel: KindModel = {
  source: 'hosts',
  readAnswer({ answers: [answer], reportedAt }, stale) {
    const word = answer?.value.trim() ?? '';
    const isKnown = word === 'pass' || word === 'fail';
    return {
      status: word === 'pass' ? 'Installed' : 'Not Installed',
      reason: isKnown ? 'reported' : word === '' ? 'never-reported' : 'state-unknown',
      value: answer?.value,
      detail: undefined,
      valueAt: answer?.at ?? reportedAt,
      stale,
      canBeProven: isKnown,
    };
  },
  ageDates: ['reportedAt', 'lastSeenAt'],
  datesAnswers: false,
  isUnmanaged: isPending,
  retiring: [],
  notManageable: [],
  knowsOwners: false,
  knowsSites: true,
  knowsDepartments: false,
  hasServerGroups: false,
  draws: {
    operatingSystems: ['macos', 'windows', 'linux'],
    unmanaged: 'Pending',
    management: (random) => random.pick(['On (manual)', 'On (automatic)', 'Off', 'Pending', undefined]),
    ownFields: () => noOwnFields,
    answers: (random, { reported }) =>
      random.chance(0.08)
        ? []
        : [{ value: random.pick(['pass', 'pass', 'fail', ' pass ', '', 'maybe']), at: reported }],
  },
};
