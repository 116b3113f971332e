import type { Answer, DeviceFacts } from '../../src/core/facts/facts.ts';
import { type KindModel, type Meaning, noOwnFields } from './kind.ts';
import type { Row } from './rows.ts';

const macWords = [
  'Installed',
  'Installed',
  'Installed',
  'Not Installed',
  'Not Installed',
  ' Installed\n',
  'installed',
  'Installed 7.1',
  '',
  ' \t',
];

export const jamfModel: KindModel = {
  source: 'macs',
  readAnswer: readJamfAnswer,
  ageDates: ['reportedAt', 'lastSeenAt'],
  datesAnswers: false,
  isUnmanaged: (state) => state !== 'managed',
  retiring: [],
  notManageable: [],
  knowsOwners: false,
  knowsSites: true,
  knowsDepartments: true,
  hasServerGroups: true,
  draws: {
    operatingSystems: ['macos'],
    unmanaged: 'unmanaged',
    management: (random) => (random.chance(0.9) ? 'managed' : 'unmanaged'),
    ownFields: () => noOwnFields,
    answers: (random, { reported }) => (random.chance(0.08) ? [] : [{ value: random.pick(macWords), at: reported }]),
  },
};

function readJamfAnswer(device: DeviceFacts, stale: boolean): Meaning {
  const [word] = device.answers;
  const { status, reason, canBeProven } = readMacValue(word);
  const valueAt = word?.at ?? device.reportedAt;
  return { status, reason, value: word?.value, detail: word?.detail, valueAt, stale, canBeProven };
}

function readMacValue(answer: Answer | undefined): { status: Row['status']; reason: string; canBeProven: boolean } {
  const word = (answer?.value ?? '').trim();
  if (word === 'Installed') {
    return { status: 'Installed', reason: 'reported', canBeProven: true };
  }
  if (word === 'Not Installed') {
    return { status: 'Not Installed', reason: 'reported', canBeProven: true };
  }
  if (word === '') {
    return { status: 'Not Installed', reason: 'never-reported', canBeProven: false };
  }
  return { status: 'Not Installed', reason: 'unrecognised-value', canBeProven: false };
}
