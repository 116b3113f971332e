/** Group membership: who is in which group, who joined and left, and whether the platform's own group agrees. */

import type { DeviceFacts } from '../facts/facts.ts';
import type { GroupMember, JudgedDevice } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import { findSourceOperatingSystem } from '../facts/rules.ts';
import { isWhole, type Soundness, type Status } from '../facts/vocabulary.ts';
import { readValue } from '../record/judge-record.ts';
import { compareCodePoints } from '../text/order.ts';
import type { SourceInput } from './source-input.ts';

/** A source's input; its groups are read in this run, and say nothing about carried rows. */
interface GroupInput extends Pick<SourceInput, 'source' | 'rules'> {
  readonly soundness: Soundness;
  readonly devices: readonly JudgedDevice[];
  /** Entries of machines that stood in this source before; undefined in its first run, and while its rows are carried. */
  readonly before: readonly StoodEntry[] | undefined;
}

/** An entry whose standing record was in the source, and the id of its machine's standing record here now. */
export interface StoodEntry {
  readonly entry: Entry;
  readonly standingId: string | undefined;
}

/** One of the two groups, with the platform's own members. */
interface Group {
  readonly holds: Status;
  readonly name: string;
  readonly members: ReadonlySet<string> | undefined;
  /** The verdict on every row while nothing can be compared. */
  readonly verdict: MembershipVerdict | undefined;
}

type MembershipVerdict = Pick<GroupMember, 'verdict' | 'why'>;

/** A device, listed or not, and its machine's earlier status in this source; undefined where it was not in it. */
interface Candidate {
  readonly facts: Pick<DeviceFacts, 'id' | 'operatingSystem'> & { readonly name?: string | undefined };
  readonly device: JudgedDevice | undefined;
  readonly before: Status | undefined;
}

const groupStatuses: readonly Status[] = ['Installed', 'Not Installed'];

/** Compares the groups: rows by device id, then group. */
export function compareGroups(input: GroupInput): readonly GroupMember[] {
  const candidates = listCandidates(input);
  const known = new Set(candidates.map(({ facts }) => facts.id));
  return groupStatuses
    .map((holds) => buildGroup(input, holds))
    .flatMap((group) => {
      const unlisted = [...(group.members ?? [])].filter((id) => !known.has(id));
      const all = [...candidates, ...unlisted.map((id) => toUnlisted(id, input))];
      return all.flatMap((candidate) => compareMember(input, group, candidate));
    })
    .sort(
      (left, right) => compareCodePoints(left.device.id, right.device.id) || compareCodePoints(left.group, right.group),
    );
}

/** The devices of this run, and machines that stood in this source before and have no record in it any more. */
function listCandidates({ devices, before = [] }: GroupInput): Candidate[] {
  const listed = new Set(devices.map(({ facts }) => facts.id));
  const elsewhere = before.filter(({ standingId }) => standingId === undefined);
  const statuses = new Map(elsewhere.map(({ entry }) => [entry.standing.id, entry.status]));
  // A machine whose standing record is listed now comes before one whose earlier record it is.
  for (const { entry, standingId } of before) {
    if (standingId !== undefined) {
      statuses.set(standingId, entry.status);
    }
  }
  const current = devices.map(
    (device): Candidate => ({ facts: device.facts, device, before: statuses.get(device.facts.id) }),
  );
  const gone = before
    .filter(({ entry, standingId }) => standingId === undefined && !listed.has(entry.standing.id))
    .map(({ entry }): Candidate => ({ facts: entry.standing, device: undefined, before: entry.status }));
  return [...current, ...gone];
}

/** A candidate for an id that only the platform's group has: neither listed nor in the ledger. */
function toUnlisted(id: string, { rules }: GroupInput): Candidate {
  const facts = { id, operatingSystem: findSourceOperatingSystem(rules) };
  return { facts, device: undefined, before: undefined };
}

function buildGroup({ source, rules, soundness }: GroupInput, holds: Status): Group {
  const facts = source.groups.find((candidate) => candidate.holds === holds);
  const isRead = soundness !== 'carried' && soundness !== 'missing';
  const members = isRead && facts?.members ? new Set(facts.members) : undefined;
  const group = { holds, name: facts?.name ?? holds, members };
  if (!isWhole(soundness)) {
    return { ...group, verdict: { verdict: 'unknown', why: `the source is ${soundness}` } };
  }
  if (!rules.hasServerGroups || facts === undefined) {
    return { ...group, verdict: { verdict: 'derived', why: '' } };
  }
  return { ...group, verdict: facts.problem === undefined ? undefined : { verdict: 'unknown', why: facts.problem } };
}

/** The row of a device in one group; none where the device neither is, was nor is listed in it. */
function compareMember(
  { source, rules, before: stood }: GroupInput,
  group: Group,
  { facts, device, before }: Candidate,
): GroupMember[] {
  const inPicture = device?.judgement.status === group.holds;
  const inPlatformGroup = group.members?.has(facts.id);
  const wasMember = before === group.holds;
  // A superseded record is named, and neither joins nor leaves.
  const isMachine = before !== undefined || device?.judgement.supersededBy === undefined;
  const isCompared = stood !== undefined && isMachine && device?.judgement.unread !== 'blank';
  const unread: MembershipVerdict | undefined = device?.judgement.unread && {
    verdict: 'unknown',
    why: 'the device could not be read',
  };
  if (!inPicture && !inPlatformGroup && !wasMember) {
    return [];
  }
  return [
    {
      source: source.name,
      operatingSystem: facts.operatingSystem,
      group: group.name,
      device: facts,
      inPlatformGroup,
      inPicture,
      ...(unread ?? group.verdict ?? judgeMembership(group, device, inPlatformGroup === true)),
      // A device that only the platform's group lists is not a member by its criterion: it neither joins nor leaves.
      change: isCompared && inPicture !== wasMember ? (inPicture ? 'joined' : 'left') : 'stayed',
      ...(rules.hasServerGroups ? {} : { isOurs: true }),
    },
  ];
}

function judgeMembership(
  { holds }: Group,
  device: JudgedDevice | undefined,
  inPlatformGroup: boolean,
): MembershipVerdict {
  const why = explainNotSelected(device, holds);
  if (why === undefined) {
    return inPlatformGroup
      ? { verdict: 'agrees', why: '' }
      : { verdict: 'missing', why: 'managed and has the word, but the platform does not list it' };
  }
  if (inPlatformGroup) {
    return { verdict: 'unexpected', why: `listed by the platform, but ${why}` };
  }
  return device?.judgement.status === holds ? { verdict: 'outside', why } : { verdict: 'agrees', why: '' };
}

/** The reason why the documented criterion (managed, value exactly the word) does not select this device, if it does not. */
function explainNotSelected(device: JudgedDevice | undefined, holds: Status): string | undefined {
  if (device === undefined) {
    return 'not in its inventory';
  }
  if (device.facts.managementState !== 'managed') {
    return 'it is unmanaged';
  }
  const value = readValue(device);
  if (value === holds) {
    return undefined;
  }
  return value === undefined ? 'it has no value' : 'its value is another text';
}
