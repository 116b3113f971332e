/** Makes a schedule from a seed: nights, heals, retractions, acceptances and prunings, alone and as rivals. */
import { makeRandom, type Random } from '../model/random.ts';
import { type Commit, findCommitKey, listNumbers, toHead } from './commit.ts';
import { playGroup } from './play.ts';
import { type Memory, makeMemory } from './requests.ts';
import { writtenRules } from './rules.ts';
import {
  type Fault,
  type Group,
  parseDay,
  type RunKind,
  type RunPlan,
  type Schedule,
  type Turn,
  type Unwritable,
} from './schedule.ts';
import { findCurrentRuns } from './verify.ts';

/** The state of the model's own store before a group, so that its runs have something to do. */
interface Standing {
  readonly head: Commit | undefined;
  readonly retracted: readonly number[];
  /** Whether the audit lacks several commits. */
  readonly isBehind: boolean;
}

export function generateSchedule(seed: number): Schedule {
  const random = makeRandom(seed);
  const retention = random.pick([1, 2, 3, 3, 4]);
  const settings = { isSigned: random.chance(0.3), hasAudit: random.chance(0.6) };
  const memory = makeMemory();
  const groups: Group[] = [];
  for (let count = random.between(3, 7); count > 0; count -= 1) {
    const before = groups.at(-1)?.unwritable ?? [];
    const made = generateGroup(random, findStanding(memory, settings.hasAudit), retention);
    // A place that cannot be written often stays so for a second group.
    const group = before.length > 0 && random.chance(0.4) ? { ...made, unwritable: before } : made;
    playGroup(memory, { schedule: settings, group, index: groups.length, rules: writtenRules }, () => undefined);
    groups.push(group);
  }
  return { ...settings, groups };
}

function findStanding({ store, audit }: Memory, hasAudit: boolean): Standing {
  const log = listNumbers(store.keys()).map((number) => toHead(store.get(findCommitKey(number)) ?? ''));
  const retracted = [...findCurrentRuns(log)].filter(([, head]) => head === undefined).map(([slot]) => slot);
  const isBehind = hasAudit && audit.size + 1 < log.length;
  return { head: log.at(-1)?.commit, retracted: retracted.map(parseDay), isBehind };
}

/** Schedules end with runs that nothing disturbs, so that what was left undone is seen to be finished. */
export function addQuietEnd(schedule: Schedule): Schedule {
  const last = Math.max(...schedule.groups.flatMap(({ runs }) => runs.map(({ slot }) => slot)));
  const quiet = [1, 2].map(
    (days): Group => ({
      runs: [
        {
          kind: 'run',
          slot: last + days,
          clockDay: last + days,
          completeness: 3,
          isSuspect: false,
          retention: schedule.groups.at(-1)?.runs[0]?.retention ?? 2,
        },
      ],
      turns: [],
      unwritable: [],
    }),
  );
  return { ...schedule, groups: [...schedule.groups, ...quiet] };
}

function generateGroup(random: Random, standing: Standing, retention: number): Group {
  const { isBehind } = standing;
  const count = random.pick([1, 1, 2, 2, 3, 3]);
  const first = generateRun(random, standing, retention);
  const runs = [first];
  while (runs.length < count) {
    runs.push(random.chance(0.4) ? { ...first, ...generateReading(random) } : generateRun(random, standing, retention));
  }
  return {
    runs: runs.map((plan) => (random.chance(0.3) ? { ...plan, fault: generateFault(random, isBehind) } : plan)),
    turns: count === 1 ? [] : generateTurns(random, count),
    unwritable: random.chance(0.15) ? [random.pick(unwritable)] : [],
  };
}

const unwritable: readonly Unwritable[] = [
  ...(['commits', 'latest', 'latest', 'audit', 'audit', 'audit', 'copies', 'copies', 'removals'] as const),
];

const kinds: readonly RunKind[] = [
  ...(['run', 'run', 'scheduled', 'scheduled', 'scheduled', 'heal', 'heal'] as const),
  ...(['retract', 'retract', 'accept', 'prune'] as const),
];

function generateRun(random: Random, standing: Standing, retention: number): RunPlan {
  const kind = generateKind(random, standing);
  const slot = generateSlot(random, standing, kind);
  return {
    kind: kind === 'accept' && standing.head?.isSuspect !== true && random.chance(0.8) ? 'retract' : kind,
    slot,
    clockDay: slot + random.pick([0, 0, 0, 1, 2, 5, random.chance(0.2) ? -1 : 0]),
    ...generateReading(random),
    retention: random.chance(kind === 'prune' ? 0.6 : 0.15) ? random.between(1, kind === 'prune' ? 2 : 5) : retention,
  };
}

/** A suspect run is there to be accepted. */
function generateKind(random: Random, { head }: Standing): RunKind {
  if (head === undefined) {
    return random.pick(['run', 'scheduled', 'heal'] as const);
  }
  return head.isSuspect && random.chance(0.3) ? 'accept' : random.pick(kinds);
}

function generateReading(random: Random): Pick<RunPlan, 'completeness' | 'isSuspect'> {
  return { completeness: random.pick([0, 1, 2, 3, 3, 3, 3]), isSuspect: random.chance(0.2) };
}

function generateSlot(random: Random, { head, retracted }: Standing, kind: RunKind): number {
  const newest = head === undefined ? 1 : parseDay(head.slot);
  if (kind === 'retract' || kind === 'accept' || kind === 'prune') {
    return random.chance(0.1) ? newest + random.pick([-1, 1]) : newest;
  }
  if (retracted.length > 0 && random.chance(0.5)) {
    return random.pick(retracted);
  }
  const isSame = kind === 'heal' ? random.chance(0.7) : random.chance((head?.completeness ?? 3) < 3 ? 0.4 : 0.1);
  return isSame ? newest : newest + random.pick([1, 1, 1, 1, 1, 1, 2, -1]);
}

const landmarks = ['attempt', 'commit', 'commit', 'commit', 'latest', 'copies', 'copies', 'audit', 'removal'] as const;

function generateFault(random: Random, isBehind: boolean): Fault {
  if (isBehind && random.chance(0.5)) {
    return { outcome: 'lose', isDone: false, landmark: 'audit', section: 0, request: random.between(0, 1) };
  }
  return {
    outcome: random.pick(['kill', 'kill', 'kill', 'lose', 'lose', 'cut-off']),
    isDone: random.chance(0.6),
    landmark: random.pick(landmarks),
    section: random.pick([0, 0, 0, 1]),
    request: random.pick([0, 0, 1, 2]),
  };
}

const pauses = [...landmarks, 'read-latest', 'read-log', 'after-commit', 'after-commit', 'end'] as const;

/** Turns of rivals. Often all are brought to the create of their commits first, so that they race for one number. */
function generateTurns(random: Random, count: number): Turn[] {
  const start = random.pick(['commit', 'commit', 'attempt', undefined] as const);
  const together = start === undefined ? [] : Array.from({ length: count }, (_, run): Turn => ({ run, until: start }));
  const others = Array.from({ length: random.between(count, 4 * count) }, (): Turn => {
    return { run: random.between(0, count - 1), until: random.pick(pauses) };
  });
  return [...together, ...others];
}
