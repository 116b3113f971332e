/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */

import type { DeviceFacts, GroupFacts, Platform, Status } from './facts.ts';
import type { GroupMember, JudgedDevice } from './judged.ts';
import { wasInBaseline } from './match-devices.ts';
import { compareCodePoints } from './order.ts';
import type { SourceState } from './state.ts';
import type { Soundness } from './vocabulary.ts';

export interface GroupInput {
  readonly source: string;
  readonly platform: Platform;
  readonly soundness: Soundness;
  readonly platformGroups: boolean;
  /** The groups as read tonight; they say nothing of rows that are not tonight's. */
  readonly groups: readonly GroupFacts[];
  readonly devices: readonly JudgedDevice[];
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

export function compareGroups(question: GroupInput): GroupMember[] {
  return groupStatuses
    .flatMap((holds) => compareGroup(question, buildGroup(question, holds)))
    .sort(
      (left, right) => compareCodePoints(left.device.id, right.device.id) || compareCodePoints(left.group, right.group),
    );
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

function compareGroup(question: GroupInput, group: Group): GroupMember[] {
  const { devices, compareWith } = question;
  const listed = new Set(devices.map((device) => device.facts.id));
  const rows: GroupMember[] = [];
  for (const device of devices) {
    const inPicture = device.status === group.holds;
    const inPlatformGroup = group.members?.has(device.facts.id);
    const wasMember = compareWith !== undefined && wasGroupMember(question, group, device, listed);
    if (!inPicture && !inPlatformGroup && !wasMember) {
      continue;
    }
    rows.push({
      ...identifyMember(question, group, device.facts),
      inPlatformGroup,
      inPicture,
      ...(group.verdict ?? judgeMembership(group, device, inPlatformGroup === true)),
      // One that only the platform lists is no member of the picture: it neither joins nor leaves.
      change: compareWith === undefined || inPicture === wasMember ? 'stayed' : inPicture ? 'joined' : 'left',
    });
  }
  const departed = listDepartedMembers(question, group, listed);
  for (const known of departed) {
    rows.push(toAbsentMember(question, group, known, 'left'));
  }
  const gone = new Set(departed.map((known) => known.id));
  for (const id of group.members ?? []) {
    if (!listed.has(id) && !gone.has(id)) {
      rows.push(toAbsentMember(question, group, { id, platform: question.platform, answers: [] }, 'stayed'));
    }
  }
  return rows;
}

function identifyMember({ source }: GroupInput, group: Group, facts: DeviceFacts) {
  return { source, platform: facts.platform, group: group.name, device: facts };
}

/** Against this source's baseline. A new id takes the place of an old one only where the old one is not listed too. */
function wasGroupMember(
  { source }: GroupInput,
  group: Group,
  device: JudgedDevice,
  listed: ReadonlySet<string>,
): boolean {
  const { match } = device;
  if (!wasInBaseline(source, match) || match.known.status !== group.holds) {
    return false;
  }
  return match.how === 'same' || !listed.has(match.known.facts.id);
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
  if (device.value === undefined || device.value.trim() === '') {
    return 'it has no value';
  }
  return 'its value is another text';
}

/** Devices of the baseline's group that are nowhere tonight, under no other id of this source either. */
function listDepartedMembers(question: GroupInput, group: Group, listed: ReadonlySet<string>): DeviceFacts[] {
  const { source, devices, compareWith } = question;
  const renamed = new Set<string>();
  for (const { match } of devices) {
    if (wasInBaseline(source, match)) {
      renamed.add(match.known.facts.id);
    }
  }
  return (compareWith?.baseline?.devices ?? [])
    .filter((known) => known.status === group.holds && !listed.has(known.facts.id) && !renamed.has(known.facts.id))
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
