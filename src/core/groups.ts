/** The membership picture: who is in which group, who joined and left, and whether the platform's own group agrees. */
import type { DeviceFacts, GroupFacts, Platform, Status } from './facts.ts';
import type { Soundness } from './figures.ts';
import type { GroupMember, JudgedDevice } from './judged.ts';
import { type Ancestor, deviceKey } from './lineage.ts';
import { byCodePoint } from './order.ts';
import type { SourceState } from './state.ts';

export interface GroupQuestion {
  readonly source: string;
  readonly platform: Platform;
  readonly soundness: Soundness;
  readonly platformGroups: boolean;
  /** The groups as read tonight; a carried source's are not used. */
  readonly groups: readonly GroupFacts[];
  readonly devices: readonly JudgedDevice[];
  readonly ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>;
  readonly movedAway: ReadonlySet<string>;
  /** Undefined on a source's first night, and while it is carried: everybody stayed. */
  readonly compareWith: SourceState | undefined;
}

const statuses: readonly Status[] = ['Installed', 'Not Installed'];

export function drawGroups(question: GroupQuestion): GroupMember[] {
  return statuses
    .flatMap((holds) => drawGroup(question, holds))
    .sort((left, right) => byCodePoint(left.deviceId, right.deviceId) || byCodePoint(left.group, right.group));
}

function drawGroup(question: GroupQuestion, holds: Status): GroupMember[] {
  const group = question.groups.find((candidate) => candidate.holds === holds);
  const carried = question.soundness === 'carried';
  const members = group?.members === undefined || carried ? undefined : new Set(group.members);
  const name = group?.name ?? holds;
  const rows: GroupMember[] = [];
  const listed = new Set<string>();
  for (const device of question.devices) {
    listed.add(device.facts.id);
    const inPicture = device.status === holds;
    const inPlatformGroup = members?.has(device.facts.id);
    const wasIn = question.compareWith && question.ancestorOf.get(device)?.known.status === holds;
    if (!inPicture && !inPlatformGroup && !wasIn) continue;
    rows.push({
      ...place(question, name, device.facts),
      inPlatformGroup,
      inPicture,
      ...judge(question, group, device, holds, inPlatformGroup),
      change: changeOf(question, inPicture, wasIn),
    });
  }
  rows.push(...departed(question, name, group, holds, members, listed));
  for (const id of members ?? []) if (!listed.has(id)) rows.push(stranger(question, name, id));
  return rows;
}

function place(question: GroupQuestion, group: string, facts: DeviceFacts) {
  const { source, platform } = question;
  return { source, platform, group, deviceId: facts.id, deviceName: facts.name };
}

/** Against the baseline. A member that only the platform's group has is no member of the picture: it neither joins nor leaves. */
function changeOf(question: GroupQuestion, inPicture: boolean, wasIn: boolean | undefined): GroupMember['change'] {
  if (question.compareWith === undefined || inPicture === wasIn) return 'stayed';
  if (inPicture) return 'joined';
  return wasIn ? 'left' : 'stayed';
}

function judge(
  question: GroupQuestion,
  group: GroupFacts | undefined,
  device: JudgedDevice,
  holds: Status,
  inPlatformGroup: boolean | undefined,
): Pick<GroupMember, 'verdict' | 'why'> {
  const silent = withoutComparison(question, group);
  if (silent) return silent;
  const inPicture = device.status === holds;
  const why = whyNotSelected(device, holds);
  const selected = why === undefined;
  if (selected === inPlatformGroup) {
    if (inPicture && !selected) return { verdict: 'outside', why };
    return { verdict: 'agrees', why: '' };
  }
  if (selected) return { verdict: 'missing', why: 'managed and has the word, but the platform does not list it' };
  return { verdict: 'unexpected', why: `listed by the platform, but ${why}` };
}

function withoutComparison(
  question: GroupQuestion,
  group: GroupFacts | undefined,
): Pick<GroupMember, 'verdict' | 'why'> | undefined {
  if (!question.platformGroups || group === undefined) return { verdict: 'derived', why: '' };
  if (question.soundness !== 'complete') return { verdict: 'unknown', why: `the source is ${question.soundness}` };
  if (group.members === undefined) return { verdict: 'unknown', why: group.problem ?? 'the group could not be read' };
  return undefined;
}

/** Why the documented criterion (managed, value exactly the word) does not hold this device; undefined when it does. */
function whyNotSelected(device: JudgedDevice, holds: Status): string | undefined {
  if (device.facts.managementState !== 'managed') return 'it is unmanaged';
  if (device.value === holds) return undefined;
  if (device.value === undefined || device.value.trim() === '') return 'it has no value';
  return 'its value is another text';
}

/** Devices of the baseline's group that are nowhere tonight. */
function departed(
  question: GroupQuestion,
  name: string,
  group: GroupFacts | undefined,
  holds: Status,
  members: ReadonlySet<string> | undefined,
  listed: Set<string>,
): GroupMember[] {
  const rows: GroupMember[] = [];
  for (const known of question.compareWith?.baseline?.devices ?? []) {
    const { id } = known.facts;
    if (known.status !== holds || listed.has(id)) continue;
    if (question.movedAway.has(deviceKey(question.source, id)) && !members?.has(id)) continue;
    listed.add(id);
    const inPlatformGroup = members?.has(id);
    const verdict = withoutComparison(question, group) ?? {
      verdict: inPlatformGroup ? ('unexpected' as const) : ('agrees' as const),
      why: inPlatformGroup ? 'listed by the platform, but not in its inventory' : '',
    };
    rows.push({ ...place(question, name, known.facts), inPlatformGroup, inPicture: false, ...verdict, change: 'left' });
  }
  return rows;
}

/** A member that the inventory does not know. */
function stranger(question: GroupQuestion, name: string, id: string): GroupMember {
  const sound = question.soundness === 'complete';
  return {
    ...place(question, name, { id, answers: [] }),
    inPlatformGroup: true,
    inPicture: false,
    verdict: sound ? 'unexpected' : 'unknown',
    why: sound ? 'listed by the platform, but not in its inventory' : `the source is ${question.soundness}`,
    change: 'stayed',
  };
}
