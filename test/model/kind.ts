/** What the model knows of a kind of source: its rules once more, and what its devices are like in random histories. */
import type { Policy } from '../../src/core/facts/company.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import type { Random } from './random.ts';
import { day, type Row } from './rows.ts';

export interface KindModel {
  /** How names of such sources begin in histories. */
  readonly source: string;
  readonly readAnswer: Read;
  /** The dates whose older one says how old a device's answer is. */
  readonly ageDates: readonly ('lastSeenAt' | 'reportedAt')[];
  /** Answers have dates of their own, so that one from before a repair is told apart. */
  readonly datesAnswers: boolean;
  readonly isUnmanaged: (managementState: string | undefined) => boolean;
  readonly retiring: readonly string[];
  /** Words for who manages a device that can be given no agent. */
  readonly notManageable: readonly string[];
  readonly knowsOwners: boolean;
  readonly knowsSites: boolean;
  readonly knowsDepartments: boolean;
  readonly hasServerGroups: boolean;
  readonly draws: Draws;
}

export type Meaning = Pick<Row, 'status' | 'reason' | 'value' | 'detail' | 'valueAt' | 'stale' | 'canBeProven'> & {
  /** Both are missing where nothing speaks against the answer. */
  readonly isDoubted?: boolean;
  readonly isTooOld?: boolean;
};

type Read = (device: DeviceFacts, stale: boolean, policy: Policy, moment: number) => Meaning;

export type OwnFields = Pick<FleetRecord, 'managementAgent' | 'clientAppsWorkload' | 'ownership'>;

/** How devices of such a source are drawn. */
interface Draws {
  readonly operatingSystems: readonly string[];
  /** Of a device that nobody manages any more. */
  readonly unmanaged: string;
  readonly management: (random: Random) => string | undefined;
  readonly ownFields: (random: Random) => OwnFields;
  readonly answers: (random: Random, record: FleetRecord, moment: number) => FleetRecord['answers'];
}

/** A record as it stands in a platform; dates in milliseconds. */
export interface FleetRecord {
  source: string;
  id: string;
  operatingSystem: string;
  name: string | undefined;
  serialNumber: string | undefined;
  user: string | undefined;
  managementState: string | undefined;
  managementAgent: string | undefined;
  clientAppsWorkload: string | undefined;
  ownership: string | undefined;
  seen: number | undefined;
  reported: number | undefined;
  enrolled: number | undefined;
  answers: { value: string; detail?: string; app?: string; at: number | undefined }[];
  /** Its answer is another one every day or so. */
  isUnsteady: boolean;
}

/** Days before the moment: fresh, at the edge of 7 and 30 days, old, in the future, and just when a source was read. */
const ages = [0, 0.04, 0.5, 0.5, 1, 1, 3, 6.9, 7, 7.1, 29, 30, 31, 60, -0.1, -1, -1.1, -400, -0.1 / 24, -0.1 / 24];

/** At the edges to the millisecond. */
export function pickDate(random: Random, moment: number): number {
  return moment - random.pick(ages) * day + random.pick([0, 0, 0, 1, -1]);
}

export function isOlder(date: number | undefined, days: number, moment: number): boolean {
  return date === undefined || moment - date > days * day;
}

/** For a kind whose platform knows nothing of that. */
export const noOwnFields: OwnFields = {
  managementAgent: undefined,
  clientAppsWorkload: undefined,
  ownership: undefined,
};
