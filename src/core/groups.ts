/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */

import type { DeviceFacts, GroupFacts, Platform, Status } from './facts.ts';
import type { GroupMember, JudgedDevice, MatchedDevice } from './judged.ts';
import { wasInBaseline } from './match-devices.ts';
import { compareCodePoints, createIdFinder } from './order.ts';
import type { SourceState } from './state.ts';
import type { Soundness } from './vocabulary.ts';

export interface GroupInput {
  readonly source: string;
  readonly platform: Platform;
  readonly soundness: Soundness;
  readonly platformGroups: boolean;
  /** The groups as read tonight; they say nothing of rows that are not tonight's. */
  readonly groups: readonly GroupFacts[];
  readonly devices: readonly MatchedDevice[];
  /** Undefined on a source's first night, and while it is carried: everybody stayed. */
  readonly compareWith: SourceState | undefined;
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

const groupStatuses: readonly Status[] = ['Installed', 'Not Installed'];

/** By device id, then group. Each time it is gone through, its rows are made anew: of a large fleet they would take much memory. */
export function compareGroups({ compareWith, ...question }: GroupInput): Iterable<GroupMember> {
  const formerIds = listFormerIds(question);
  const before = listStatusesBefore({ ...question, compareWith }, formerIds);
  const absent = listAbsentMembers({ ...question, compareWith }, formerIds);
  const context = { ...question, isCompared: compareWith !== undefined };
  return {
    *[Symbol.iterator]() {
      const groups = buildGroups(context);
      let next = 0;
      for (const [index, device] of context.devices.entries()) {
        for (; next < absent.length; next += 1) {
          const row = absent[next];
          if (row === undefined || compareCodePoints(row.device.id, device.facts.id) > 0) {
            break;
          }
          yield row;
        }
        for (const group of groups) {
          yield* compareMember(context, group, device, before[index] === groupStatuses.indexOf(group.holds) + 1);
        }
      }
      yield* absent.slice(next);
    },
  };
}

type GroupQuestion = Omit<GroupInput, 'compareWith' | 'devices'>;

type GroupContext = GroupQuestion & {
  readonly devices: readonly JudgedDevice[];
  readonly isCompared: boolean;
};

/** In the order of their names. */
function buildGroups(question: GroupQuestion): Group[] {
  return groupStatuses
    .map((holds) => buildGroup(question, holds))
    .sort((left, right) => compareCodePoints(left.name, right.name));
}

function buildGroup(question: GroupQuestion, holds: Status): Group {
  const { soundness, platformGroups } = question;
  const facts = question.groups.find((candidate) => candidate.holds === holds);
  const tonight = soundness !== 'carried' && soundness !== 'missing';
  const members = tonight && facts?.members ? new Set(facts.members) : undefined;
  const group = { holds, name: facts?.name ?? holds, members };
  if (soundness !== 'complete') {
    return { ...group, verdict: { verdict: 'unknown', why: `the source is ${soundness}` } };
  }
  if (!platformGroups || facts === undefined) {
    return { ...group, verdict: { verdict: 'derived', why: '' } };
  }
  if (members !== undefined) {
    return { ...group, verdict: undefined };
  }
  return { ...group, verdict: { verdict: 'unknown', why: facts.problem ?? 'the group could not be read' } };
}

function* compareMember(
  question: GroupContext,
  group: Group,
  device: JudgedDevice,
  wasMember: boolean,
): Generator<GroupMember> {
  const inPicture = device.status === group.holds;
  const inPlatformGroup = group.members?.has(device.facts.id);
  if (!inPicture && !inPlatformGroup && !wasMember) {
    return;
  }
  yield {
    ...identifyMember(question, group, device.facts),
    inPlatformGroup,
    inPicture,
    ...(group.verdict ?? judgeMembership(group, device, inPlatformGroup === true)),
    // One that only the platform lists is no member of the picture: it neither joins nor leaves.
    change: !question.isCompared || inPicture === wasMember ? 'stayed' : inPicture ? 'joined' : 'left',
  };
}

/** Rows of devices that are not listed tonight, in the order of all rows. */
function listAbsentMembers(question: GroupInput, formerIds: ReadonlySet<string>): GroupMember[] {
  const finder = createIdFinder(question.devices, (device) => device.facts.id);
  const isListed = (id: string) => finder.find(id) !== undefined;
  const isGone = (id: string) => !isListed(id) && !formerIds.has(id);
  return buildGroups(question)
    .flatMap((group) => {
      const departed = listDepartedMembers(question, group, isGone);
      const gone = new Set(departed.map((known) => known.id));
      const unknown = [...(group.members ?? [])].filter((id) => !isListed(id) && !gone.has(id));
      return [
        ...departed.map((known) => toAbsentMember(question, group, known, 'left')),
        ...unknown.map((id) =>
          toAbsentMember(question, group, { id, platform: question.platform, answers: [] }, 'stayed'),
        ),
      ];
    })
    .sort((left, right) => compareCodePoints(left.device.id, right.device.id));
}

/** By device: 0 where it was in no group of its source's baseline, otherwise the group's place among the statuses, from 1. */
function listStatusesBefore({ source, devices, compareWith }: GroupInput, formerIds: ReadonlySet<string>): Uint8Array {
  const statuses = new Uint8Array(devices.length);
  if (compareWith === undefined) {
    return statuses;
  }
  const ids = formerIds.size === 0 ? [] : devices.map(({ facts }) => facts.id);
  const stillListed = new Set(ids.filter((id) => formerIds.has(id)));
  for (const [index, { match }] of devices.entries()) {
    // A new id takes the place of an old one only where the old one is not listed too.
    if (wasInBaseline(source, match) && (match.how === 'same' || !stillListed.has(match.known.facts.id))) {
      statuses[index] = groupStatuses.indexOf(match.known.status) + 1;
    }
  }
  return statuses;
}

/** In the baseline, of devices that have another id now. */
function listFormerIds({ source, devices }: Pick<GroupInput, 'source' | 'devices'>): ReadonlySet<string> {
  const former = new Set<string>();
  for (const { match } of devices) {
    if (wasInBaseline(source, match) && match.how !== 'same') {
      former.add(match.known.facts.id);
    }
  }
  return former;
}

function identifyMember({ source }: Pick<GroupInput, 'source'>, group: Group, facts: DeviceFacts) {
  return { source, platform: facts.platform, group: group.name, device: facts };
}

function judgeMembership({ holds }: Group, device: JudgedDevice, inPlatformGroup: boolean): MembershipVerdict {
  const why = explainNotSelected(device, holds);
  if (why === undefined) {
    if (inPlatformGroup) {
      return { verdict: 'agrees', why: '' };
    }
    return { verdict: 'missing', why: 'managed and has the word, but the platform does not list it' };
  }
  if (inPlatformGroup) {
    return { verdict: 'unexpected', why: `listed by the platform, but ${why}` };
  }
  return device.status === holds ? { verdict: 'outside', why } : { verdict: 'agrees', why: '' };
}

/** Why the documented criterion (managed, value exactly the word) does not hold this device; undefined when it does. */
function explainNotSelected(device: JudgedDevice, holds: Status): string | undefined {
  if (device.facts.managementState !== 'managed') {
    return 'it is unmanaged';
  }
  if (device.value === holds) {
    return undefined;
  }
  if (device.value === undefined) {
    return 'it has no value';
  }
  return 'its value is another text';
}

/** Devices of the baseline's group that are nowhere tonight, under no other id of this source either. */
function listDepartedMembers(
  { compareWith }: GroupInput,
  group: Group,
  isGone: (id: string) => boolean,
): DeviceFacts[] {
  return (compareWith?.baseline?.devices ?? [])
    .filter((known) => known.status === group.holds && isGone(known.facts.id))
    .map((known) => known.facts);
}

/** A row of a device that the inventory does not know tonight. */
function toAbsentMember(
  question: GroupInput,
  group: Group,
  facts: DeviceFacts,
  change: GroupMember['change'],
): GroupMember {
  const inPlatformGroup = group.members?.has(facts.id);
  const verdict: MembershipVerdict = inPlatformGroup
    ? { verdict: 'unexpected', why: 'listed by the platform, but not in its inventory' }
    : { verdict: 'agrees', why: '' };
  return {
    ...identifyMember(question, group, facts),
    inPlatformGroup,
    inPicture: false,
    ...(group.verdict ?? verdict),
    change,
  };
}
