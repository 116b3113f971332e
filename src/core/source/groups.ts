/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */

import { readValue } from '../device/judge-device.ts';
import { wasInBaseline } from '../device/match-devices.ts';
import type { DeviceFacts, GroupFacts, OperatingSystem, Status } from '../facts/facts.ts';
import type { FindMatch, GroupMember, JudgedDevice } from '../facts/judged.ts';
import type { SourceState } from '../facts/state.ts';
import type { Soundness } from '../facts/vocabulary.ts';
import { compareCodePoints, createIdFinder } from '../text/order.ts';

export interface GroupInput {
  readonly source: string;
  readonly operatingSystem: OperatingSystem;
  readonly soundness: Soundness;
  readonly platformGroups: boolean;
  /** The groups as read tonight; they say nothing of rows that are not tonight's. */
  readonly groups: readonly GroupFacts[];
  readonly devices: readonly JudgedDevice[];
}

/** What the groups are compared with. */
interface GroupsBefore {
  /** Undefined on a source's first night, and while it is carried: everybody stayed. */
  readonly state: SourceState | undefined;
  readonly findMatch: FindMatch;
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

/** Rows by device id, then group. They are made anew each time, since those of a large fleet would take much memory. */
export function compareGroups(question: GroupInput, { state, findMatch }: GroupsBefore): Iterable<GroupMember> {
  const formerIds = listFormerIds(question, findMatch);
  const statuses = state === undefined ? undefined : listStatusesBefore(question, findMatch, formerIds);
  const absent = listAbsentMembers(question, state, formerIds);
  return {
    *[Symbol.iterator]() {
      const groups = buildGroups(question);
      let next = 0;
      for (const [index, device] of question.devices.entries()) {
        for (; next < absent.length; next += 1) {
          const row = absent[next];
          if (row === undefined || compareCodePoints(row.device.id, device.facts.id) > 0) {
            break;
          }
          yield row;
        }
        for (const group of groups) {
          const wasMember = statuses && statuses[index] === groupStatuses.indexOf(group.holds) + 1;
          yield* compareMember(question, group, device, wasMember);
        }
      }
      yield* absent.slice(next);
    },
  };
}

/** In the order of their names. */
function buildGroups(question: GroupInput): Group[] {
  return groupStatuses
    .map((holds) => buildGroup(question, holds))
    .sort((left, right) => compareCodePoints(left.name, right.name));
}

function buildGroup(question: GroupInput, holds: Status): Group {
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
  question: GroupInput,
  group: Group,
  device: JudgedDevice,
  wasMember: boolean | undefined,
): Generator<GroupMember> {
  const inPicture = device.judgement.status === group.holds;
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
    change: wasMember === undefined || inPicture === wasMember ? 'stayed' : inPicture ? 'joined' : 'left',
  };
}

/** Rows of devices that are not listed tonight, in the order of all rows. */
function listAbsentMembers(
  question: GroupInput,
  state: SourceState | undefined,
  formerIds: ReadonlySet<string>,
): GroupMember[] {
  const finder = createIdFinder(question.devices, (device) => device.facts.id);
  const isListed = (id: string) => finder.find(id) !== undefined;
  const isGone = (id: string) => !isListed(id) && !formerIds.has(id);
  return buildGroups(question)
    .flatMap((group) => {
      const departed = listDepartedMembers(state, group, isGone);
      const gone = new Set(departed.map((known) => known.id));
      const unknown = [...(group.members ?? [])].filter((id) => !isListed(id) && !gone.has(id));
      return [
        ...departed.map((known) => toAbsentMember(question, group, known, 'left')),
        ...unknown.map((id) =>
          toAbsentMember(question, group, { id, operatingSystem: question.operatingSystem, answers: [] }, 'stayed'),
        ),
      ];
    })
    .sort((left, right) => compareCodePoints(left.device.id, right.device.id));
}

/** Each device has 0 where it was in no group of its source's baseline, otherwise the group's place among the statuses, from 1. */
function listStatusesBefore(
  { source, devices }: GroupInput,
  findMatch: FindMatch,
  formerIds: ReadonlySet<string>,
): Uint8Array {
  const statuses = new Uint8Array(devices.length);
  const ids = formerIds.size === 0 ? [] : devices.map(({ facts }) => facts.id);
  const stillListed = new Set(ids.filter((id) => formerIds.has(id)));
  for (const [index, { facts }] of devices.entries()) {
    const match = findMatch(source, facts.id);
    // A new id takes the place of an old one only where the old one is not listed too.
    if (wasInBaseline(source, match) && (match.how === 'same' || !stillListed.has(match.known.facts.id))) {
      statuses[index] = groupStatuses.indexOf(match.known.status) + 1;
    }
  }
  return statuses;
}

/** In the baseline, of devices that have another id now. */
function listFormerIds({ source, devices }: GroupInput, findMatch: FindMatch): ReadonlySet<string> {
  const former = new Set<string>();
  for (const { facts } of devices) {
    const match = findMatch(source, facts.id);
    if (wasInBaseline(source, match) && match.how !== 'same') {
      former.add(match.known.facts.id);
    }
  }
  return former;
}

function identifyMember({ source }: Pick<GroupInput, 'source'>, group: Group, facts: DeviceFacts) {
  return { source, operatingSystem: facts.operatingSystem, group: group.name, device: facts };
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
  return device.judgement.status === holds ? { verdict: 'outside', why } : { verdict: 'agrees', why: '' };
}

/** Why the documented criterion (managed, value exactly the word) does not hold this device; undefined when it does. */
function explainNotSelected(device: JudgedDevice, holds: Status): string | undefined {
  if (device.facts.managementState !== 'managed') {
    return 'it is unmanaged';
  }
  const value = readValue(device);
  if (value === holds) {
    return undefined;
  }
  if (value === undefined) {
    return 'it has no value';
  }
  return 'its value is another text';
}

/** Devices of the baseline's group that are nowhere tonight, under no other id of this source either. */
function listDepartedMembers(
  state: SourceState | undefined,
  group: Group,
  isGone: (id: string) => boolean,
): DeviceFacts[] {
  return (state?.baseline?.devices ?? [])
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
