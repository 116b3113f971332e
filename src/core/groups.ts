/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */

import type { DeviceFacts, GroupFacts, Platform, Status } from './facts.ts';
import type { GroupMember, JudgedDevice } from './judged.ts';
import { type Ancestor, wasIn } from './match-devices.ts';
import { byCodePoint } from './order.ts';
import type { SourceState } from './state.ts';
import type { Soundness } from './vocabulary.ts';

export interface GroupQuestion {
  readonly source: string;
  readonly platform: Platform;
  readonly soundness: Soundness;
  readonly platformGroups: boolean;
  /** The groups as read tonight; they say nothing of rows that are not tonight's. */
  readonly groups: readonly GroupFacts[];
  readonly devices: readonly JudgedDevice[];
  readonly ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>;
  /** Undefined on a source's first night, and while it is carried: everybody stayed. */
  readonly compareWith: SourceState | undefined;
}

/** One of the two groups, with what the platform says of it. */
interface Group {
  readonly holds: Status;
  readonly name: string;
  readonly members: ReadonlySet<string> | undefined;
  /** The same for every row, where nothing can be compared. */
  readonly verdict: Verdict | undefined;
}

type Verdict = Pick<GroupMember, 'verdict' | 'why'>;

const statuses: readonly Status[] = ['Installed', 'Not Installed'];

export function drawGroups(question: GroupQuestion): GroupMember[] {
  return statuses
    .flatMap((holds) => drawGroup(question, groupOf(question, holds)))
    .sort((left, right) => byCodePoint(left.deviceId, right.deviceId) || byCodePoint(left.group, right.group));
}

function groupOf(question: GroupQuestion, holds: Status): Group {
  const { soundness, platformGroups } = question;
  const facts = question.groups.find((candidate) => candidate.holds === holds);
  const tonight = soundness !== 'carried' && soundness !== 'missing';
  const members = tonight && facts?.members ? new Set(facts.members) : undefined;
  const group = { holds, name: facts?.name ?? holds, members };
  if (soundness !== 'complete') {
    return { ...group, verdict: { verdict: 'unknown', why: `the source is ${soundness}` } };
  }
  if (!platformGroups || facts === undefined) return { ...group, verdict: { verdict: 'derived', why: '' } };
  if (members !== undefined) return { ...group, verdict: undefined };
  return { ...group, verdict: { verdict: 'unknown', why: facts.problem ?? 'the group could not be read' } };
}

function drawGroup(question: GroupQuestion, group: Group): GroupMember[] {
  const { devices, compareWith } = question;
  const listed = new Set(devices.map((device) => device.facts.id));
  const rows: GroupMember[] = [];
  for (const device of devices) {
    const inPicture = device.status === group.holds;
    const inPlatformGroup = group.members?.has(device.facts.id);
    const wasMember = compareWith !== undefined && wasMemberOf(question, group, device, listed);
    if (!inPicture && !inPlatformGroup && !wasMember) continue;
    rows.push({
      ...place(question, group, device.facts),
      inPlatformGroup,
      inPicture,
      ...(group.verdict ?? verdictOf(group, device, inPlatformGroup === true)),
      // One that only the platform lists is no member of the picture: it neither joins nor leaves.
      change: compareWith === undefined || inPicture === wasMember ? 'stayed' : inPicture ? 'joined' : 'left',
    });
  }
  const departed = departedOf(question, group, listed);
  for (const known of departed) rows.push(absent(question, group, known, 'left'));
  const gone = new Set(departed.map((known) => known.id));
  for (const id of group.members ?? []) {
    if (!listed.has(id) && !gone.has(id))
      rows.push(absent(question, group, { id, platform: question.platform, answers: [] }, 'stayed'));
  }
  return rows;
}

function place({ source }: GroupQuestion, group: Group, facts: DeviceFacts) {
  return { source, platform: facts.platform, group: group.name, deviceId: facts.id, deviceName: facts.name };
}

/** Against this source's baseline. A new id takes the place of an old one only where the old one is not listed too. */
function wasMemberOf(
  { source, ancestorOf }: GroupQuestion,
  group: Group,
  device: JudgedDevice,
  listed: ReadonlySet<string>,
): boolean {
  const ancestor = ancestorOf.get(device);
  if (!wasIn(source, ancestor) || ancestor.known.status !== group.holds) return false;
  return ancestor.how === 'same' || !listed.has(ancestor.known.facts.id);
}

function verdictOf({ holds }: Group, device: JudgedDevice, inPlatformGroup: boolean): Verdict {
  const why = whyNotSelected(device, holds);
  if (why === undefined) {
    if (inPlatformGroup) return { verdict: 'agrees', why: '' };
    return { verdict: 'missing', why: 'managed and has the word, but the platform does not list it' };
  }
  if (inPlatformGroup) return { verdict: 'unexpected', why: `listed by the platform, but ${why}` };
  return device.status === holds ? { verdict: 'outside', why } : { verdict: 'agrees', why: '' };
}

/** Why the documented criterion (managed, value exactly the word) does not hold this device; undefined when it does. */
function whyNotSelected(device: JudgedDevice, holds: Status): string | undefined {
  if (device.facts.managementState !== 'managed') return 'it is unmanaged';
  if (device.value === holds) return undefined;
  if (device.value === undefined || device.value.trim() === '') return 'it has no value';
  return 'its value is another text';
}

/** Devices of the baseline's group that are nowhere tonight, under no other id of this source either. */
function departedOf(question: GroupQuestion, group: Group, listed: ReadonlySet<string>): DeviceFacts[] {
  const { source, ancestorOf, devices, compareWith } = question;
  const renamed = new Set<string>();
  for (const device of devices) {
    const ancestor = ancestorOf.get(device);
    if (wasIn(source, ancestor)) renamed.add(ancestor.known.facts.id);
  }
  return (compareWith?.baseline?.devices ?? [])
    .filter((known) => known.status === group.holds && !listed.has(known.facts.id) && !renamed.has(known.facts.id))
    .map((known) => known.facts);
}

/** A row of a device that the inventory does not know tonight. */
function absent(question: GroupQuestion, group: Group, facts: DeviceFacts, change: GroupMember['change']): GroupMember {
  const inPlatformGroup = group.members?.has(facts.id);
  const verdict: Verdict = inPlatformGroup
    ? { verdict: 'unexpected', why: 'listed by the platform, but not in its inventory' }
    : { verdict: 'agrees', why: '' };
  return { ...place(question, group, facts), inPlatformGroup, inPicture: false, ...(group.verdict ?? verdict), change };
}
