/** Invariants of the log, which no schedule of honest runs may break. */
import {
  checkCommit,
  findCommitKey,
  findFolder,
  findSlot,
  type Head,
  isDamage,
  listNumbers,
  parseLatest,
  parseState,
  toHead,
} from './commit.ts';
import { isMoreComplete } from './decide.ts';
import { checkEnds, isDisturbed } from './end-invariants.ts';
import { labelRun, type Moment, playSchedule } from './play.ts';
import type { Memory } from './requests.ts';
import { type LogRules, writtenRules } from './rules.ts';
import type { Group, Schedule } from './schedule.ts';
import { findCurrentRuns, verify } from './verify.ts';

/** A sentence that begins with the name of the invariant that is broken. */
export type Violation = string;

export interface Findings {
  readonly violations: readonly Violation[];
  /**
   * Violations that the text allows, as `readings.md` describes: a put of `latest.json` or a copy was under way while
   * a rival published, and came too late.
   */
  readonly gaps: readonly Violation[];
}

export function findViolations(schedule: Schedule, rules: LogRules = writtenRules): Findings {
  const violations = new Set<Violation>();
  const gaps = new Set<Violation>();
  let seen: readonly string[] = [];
  let changes = -1;
  let isLate = false;
  const drafted: ReadonlySet<string>[] = [];
  const outcomes = playSchedule(schedule, rules, (moment) => {
    if (moment.changes === changes && !moment.isEnd) {
      return;
    }
    changes = moment.isEnd ? -1 : moment.changes;
    isLate ||= moment.isLate;
    const found = [...checkMoment(moment, schedule), ...checkLogGrows(moment.memory, seen)];
    if (moment.isEnd) {
      drafted.push(listDrafted(moment.memory));
      found.push(...checkQuietRun(moment, schedule));
    }
    for (const violation of found) {
      (isLate && /^(reader|stale): /.test(violation) ? gaps : violations).add(violation);
    }
    seen = listTexts(moment.memory);
  });
  for (const [index, outcome] of outcomes.entries()) {
    const group = schedule.groups[index] as Group;
    const played = { group, index, outcome, before: outcomes[index - 1], drafted: drafted[index] ?? new Set<string>() };
    for (const violation of checkEnds(played)) {
      violations.add(violation);
    }
  }
  return { violations: [...violations], gaps: [...gaps] };
}

/** Holds at every pause, whoever is under way; what only grows is checked at the end of a group. */
function checkMoment({ memory, isEnd }: Moment, schedule: Schedule): Violation[] {
  const damage = verify(memory, schedule).damage.map((name) => `verify cries: ${name}`);
  const newest = memory.store.get(findCommitKey(Math.max(0, ...listNumbers(memory.store.keys()))));
  const state = newest === undefined ? [] : checkHeadState(memory, toHead(newest));
  if (!isEnd) {
    return [...damage, ...state, ...checkReader(memory)];
  }
  const { log, problem } = readLog(memory, schedule);
  return [
    ...damage,
    ...state,
    ...checkReader(memory),
    ...checkLeftOvers(memory, log),
    ...checkRetractedSlots(log, schedule),
    ...(problem === undefined ? [] : [`chain: ${problem}`]),
    ...checkAudit(memory, log),
    ...log.flatMap(({ commit }, index) => checkStep(commit, log[index - 1]?.commit, log)),
  ];
}

function checkHeadState({ store }: Memory, { commit }: Head): Violation[] {
  const text = store.get(`${findFolder(commit)}/state.json.gz`);
  if (text === undefined) {
    return ['retention: the run of the head is removed'];
  }
  const { kept } = parseState(text);
  const slots = kept.map(({ slot }) => slot);
  const folders = new Set<string>();
  for (const key of store.keys()) {
    if (key.startsWith('runs/')) {
      folders.add(findSlot(key));
    }
  }
  return [
    ...(new Set(slots).size < slots.length ? ['kept: a slot is kept twice'] : []),
    ...(slots.includes(commit.slot) ? [] : ['kept: the slot of the head is let go']),
    ...slots.filter((slot) => !folders.has(slot)).map((slot) => `retention: the kept slot ${slot} is removed`),
    ...(commit.keptFrom !== undefined && slots[0] !== commit.keptFrom ? ['keptFrom: not the oldest kept slot'] : []),
  ];
}

/** A reader that follows `latest.json` to the commit and its files finds them all. */
function checkReader({ store }: Memory): Violation[] {
  const latest = store.get('latest.json');
  const text = latest === undefined ? undefined : store.get(findCommitKey(parseLatest(latest).number));
  return text === undefined || toHead(text).commit.files.every(({ key }) => store.has(key))
    ? []
    : ['reader: latest.json names a run that is removed'];
}

/** Published runs below `keptFrom` that are still there are owed by the head's state; retracted ones go with attempts. */
function checkLeftOvers({ store }: Memory, log: readonly Head[]): Violation[] {
  const head = log.at(-1)?.commit;
  const text = head && store.get(`${findFolder(head)}/state.json.gz`);
  const owed = text === undefined ? [] : parseState(text).owed.map(({ run }) => run.slot);
  const current = findCurrentRuns(log);
  return log.flatMap(({ commit: { slot, files } }) =>
    slot < (head?.keptFrom ?? '') &&
    !owed.includes(slot) &&
    current.get(slot) !== undefined &&
    files.some(({ key }) => store.has(key))
      ? [`retention: ${slot} is left over, and no run will remove it`]
      : [],
  );
}

/** Only `muster run --slot` publishes a retracted slot again. */
function checkRetractedSlots(log: readonly Head[], { groups }: Schedule): Violation[] {
  return log.flatMap(({ commit }, index) => {
    const current = findCurrentRuns(log.slice(0, index));
    const [, group, run] = /g(\d+)r(\d+)-/.exec(commit.attempt) ?? [];
    const kind = groups[Number(group)]?.runs[Number(run)]?.kind;
    const isRetracted = current.has(commit.slot) && current.get(commit.slot) === undefined;
    return isRetracted && kind !== 'run' ? [`retract: ${commit.number} publishes a retracted slot unasked`] : [];
  });
}

function listDrafted({ store }: Memory): ReadonlySet<string> {
  return new Set([...store.keys()].flatMap((key) => /\.([^/.]+)-\d+\/state\.json\.gz$/.exec(key)?.[1] ?? []));
}

type Logged = Head['commit'];

function checkStep(commit: Logged, before: Logged | undefined, log: readonly Head[]): Violation[] {
  const { number, slot } = commit;
  if (before === undefined) {
    return [];
  }
  const violations = (commit.keptFrom ?? '') < (before.keptFrom ?? '') ? [`keptFrom: goes back at ${number}`] : [];
  if (commit.retracts !== undefined) {
    const older = log.filter((one) => one.commit.number < number && one.commit.slot < before.slot).at(-1)?.commit;
    const isRunBefore = commit.retracts === before.slot && older?.slot === slot;
    return isRunBefore && older.completeness === commit.completeness
      ? violations
      : [...violations, `retract: ${number} does not make the run before current`];
  }
  if (slot < before.slot) {
    violations.push(`slots: ${number} goes back to an older slot`);
  }
  if (slot === before.slot) {
    const isAgain = commit.accepts === true || commit.prunes === true;
    const isBetter = isMoreComplete(commit, before) || (isAgain && commit.replaces === before.attempt);
    return isBetter && commit.replaces !== undefined
      ? violations
      : [...violations, `slots: ${number} publishes a slot again, and no better`];
  }
  return violations;
}

function checkAudit({ audit }: Memory, log: readonly Head[]): Violation[] {
  const numbers = listNumbers(audit.keys());
  const isPrefix = numbers.every(
    (number, index) => number === index + 1 && audit.get(findCommitKey(number)) === log[index]?.text,
  );
  return isPrefix ? [] : ['audit: no prefix of the log'];
}

/** No commit is changed or removed. */
function checkLogGrows(memory: Memory, seen: readonly string[]): Violation[] {
  const texts = listTexts(memory);
  return seen.every((text, index) => texts[index] === text) ? [] : ['chain: a commit was changed or removed'];
}

/** A run alone, undisturbed and not refused, leaves nothing behind but what retention takes one by one. */
function checkQuietRun({ memory, group: index }: Moment, schedule: Schedule): Violation[] {
  const group = schedule.groups[index];
  if (group === undefined || group.runs.length !== 1 || isDisturbed(group, 0) || isRefused(group, index, memory)) {
    return [];
  }
  return verify(memory, schedule)
    .behind.filter((name) => !name.endsWith('is left over'))
    .map((name) => `${isCopyOfOlderSlot(name, memory) ? 'stale' : 'behind'}: ${name} is behind after a quiet run`);
}

function isCopyOfOlderSlot(name: string, { store }: Memory): boolean {
  const { commit } = toHead(store.get(findCommitKey(Math.max(...listNumbers(store.keys())))) ?? '');
  return name.includes('/date=') && !name.includes(`/date=${commit.slot}/`);
}

/** What is refused leaves all as it is: a slot later than the clock, and a person's decision that does not fit the head. */
function isRefused({ runs: [run] }: Group, group: number, { store }: Memory): boolean {
  if (run === undefined || run.kind === 'heal') {
    return false;
  }
  if (run.kind === 'run' || run.kind === 'scheduled') {
    return run.slot > run.clockDay;
  }
  const newest = store.get(findCommitKey(Math.max(0, ...listNumbers(store.keys()))));
  return newest === undefined || !toHead(newest).commit.attempt.includes(`.${labelRun(group, 0)}-`);
}

function readLog(
  { store }: Memory,
  { isSigned }: Schedule,
): { readonly log: readonly Head[]; readonly problem?: string } {
  const log: Head[] = [];
  for (const number of listNumbers(store.keys())) {
    const place = { number: log.length + 1, previous: log.at(-1), isSigned };
    const found = number === place.number ? checkCommit(store.get(findCommitKey(number)), place) : undefined;
    if (found === undefined || isDamage(found)) {
      return { log, problem: found?.damage ?? `commit ${place.number} is missing` };
    }
    log.push(found);
  }
  return { log };
}

function listTexts({ store }: Memory): string[] {
  return listNumbers(store.keys()).map((number) => store.get(findCommitKey(number)) ?? '');
}
