/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */

import type { DeviceFacts } from '../facts/facts.ts';
import type { GroupMember, JudgedDevice } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import { findSourceOperatingSystem } from '../facts/rules.ts';
import { isWhole, type Soundness, type Status } from '../facts/vocabulary.ts';
import { readValue } from '../record/judge-record.ts';
import { compareCodePoints } from '../text/order.ts';
import type { SourceInput } from './source-input.ts';

/** The groups of the source are as read in this run; they say nothing of rows that are carried over. */
interface GroupInput extends Pick<SourceInput, 'source' | 'rules'> {
  readonly soundness: Soundness;
  readonly devices: readonly JudgedDevice[];
  /** Entries of machines that stood in this source before; undefined on its first run, and while it is carried. */
  readonly before: readonly StoodEntry[] | undefined;
}

/** An entry whose record stood in the source, and the record of this source that stands for its machine now. */
export interface StoodEntry {
  readonly entry: Entry;
  readonly standingId: string | undefined;
}

/** One of the two groups, with what the platform says of it. */
interface Group {
  readonly holds: Status;
  readonly name: string;
  readonly members: ReadonlySet<string> | undefined;
  /** The same for every row, where nothing can be compared. */
  readonly verdict: MembershipVerdict | undefined;
}

type MembershipVerdict = Pick<GroupMember, 'verdict' | 'why'>;

/** A device, listed or not, and the status that its machine had in this source; undefined where it was not in it. */
interface Candidate {
  readonly facts: Pick<DeviceFacts, 'id' | 'operatingSystem'> & { readonly name?: string | undefined };
  readonly device: JudgedDevice | undefined;
  readonly before: Status | undefined;
}

const groupStatuses: readonly Status[] = ['Installed', 'Not Installed'];

/** Rows by device id, then group. */
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

/** The devices of this run, and the machines that stood in this source and have no record in it any more. */
function listCandidates({ devices, before = [] }: GroupInput): Candidate[] {
  const listed = new Set(devices.map(({ facts }) => facts.id));
  const elsewhere = before.filter(({ standingId }) => standingId === undefined);
  const statuses = new Map(elsewhere.map(({ entry }) => [entry.standing.id, entry.status]));
  // The machine that a record stands for now comes before one for which it stood.
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

/** A device that the platform's group has and that is neither listed nor in the ledger. */
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

/** No row where the device is, was and is listed elsewhere. */
function compareMember(
  { source, rules, before: stood }: GroupInput,
  group: Group,
  { facts, device, before }: Candidate,
): GroupMember[] {
  const inPicture = device?.judgement.status === group.holds;
  const inPlatformGroup = group.members?.has(facts.id);
  const wasMember = before === group.holds;
  // A record that does not stand is named, and neither joins nor leaves.
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
      // One that only the platform lists is no member of the picture: it neither joins nor leaves.
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

/** Why the documented criterion (managed, value exactly the word) does not hold this device; undefined when it does. */
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
