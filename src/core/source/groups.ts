/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */

import { readValue } from '../device/judge-device.ts';
import { wasInBaseline } from '../device/match-devices.ts';
import type { DeviceFacts, Status } from '../facts/facts.ts';
import type { FindMatch, GroupMember, JudgedDevice } from '../facts/judged.ts';
import { findSourceOperatingSystem } from '../facts/rules.ts';
import type { SourceState } from '../facts/state.ts';
import { isWhole, type Soundness } from '../facts/vocabulary.ts';
import { compareCodePoints } from '../text/order.ts';
import type { SourceInput } from './source-input.ts';

/** The groups of the source are as read tonight; they say nothing of rows that are not tonight's. */
interface GroupInput extends Pick<SourceInput, 'source' | 'rules'> {
  readonly soundness: Soundness;
  readonly devices: readonly JudgedDevice[];
  /** Undefined on a source's first night, and while it is carried: everybody stayed. */
  readonly compared: SourceState | undefined;
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

/** A device, listed tonight or not, and its status in its source's baseline: undefined where it was not in it. */
interface Candidate {
  readonly facts: DeviceFacts;
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

/** The devices of tonight, and those of the baseline that are nowhere tonight, under no other id of this source either. */
function listCandidates({ source, devices, compared, findMatch }: GroupInput): Candidate[] {
  const listed = new Set(devices.map(({ facts }) => facts.id));
  const formerIds = new Set<string>();
  const current = devices.map((device): Candidate => {
    const match = findMatch(source.name, device.facts.id);
    if (!wasInBaseline(source.name, match)) {
      return { facts: device.facts, device, before: undefined };
    }
    formerIds.add(match.known.facts.id);
    // A new id takes the place of an old one only where the old one is not listed too.
    const isReplaced = match.how === 'same' || !listed.has(match.known.facts.id);
    return { facts: device.facts, device, before: isReplaced ? match.known.status : undefined };
  });
  const departed = (compared?.baseline?.devices ?? [])
    .filter(({ facts }) => !listed.has(facts.id) && !formerIds.has(facts.id))
    .map(({ facts, status }): Candidate => ({ facts, device: undefined, before: status }));
  return [...current, ...departed];
}

/** The platform's group has a device that is neither listed tonight nor in the baseline. */
function toUnlisted(id: string, { rules }: GroupInput): Candidate {
  const facts = { id, operatingSystem: findSourceOperatingSystem(rules), answers: [] };
  return { facts, device: undefined, before: undefined };
}

function buildGroup({ source, rules, soundness }: GroupInput, holds: Status): Group {
  const facts = source.groups.find((candidate) => candidate.holds === holds);
  const tonight = soundness !== 'carried' && soundness !== 'missing';
  const members = tonight && facts?.members ? new Set(facts.members) : undefined;
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
  { source, rules, compared }: GroupInput,
  group: Group,
  { facts, device, before }: Candidate,
): GroupMember[] {
  const inPicture = device?.judgement.status === group.holds;
  const inPlatformGroup = group.members?.has(facts.id);
  const wasMember = compared !== undefined && before === group.holds;
  const isCompared = compared !== undefined && device?.judgement.unread !== 'blank';
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
