/** Judges one record by itself: its status and reason, why they are not proven, and why it is not counted. */

import type { Policy } from '../facts/company.ts';
import type { Answer, DeviceFacts, PlatformFacts, ShownRow, SourceFacts } from '../facts/facts.ts';
import type { JudgedDevice, Judgement, Unread } from '../facts/judged.ts';
import type { ExclusionRule, SourceRules } from '../facts/rules.ts';
import type { Reason } from '../facts/vocabulary.ts';
import { parseTime } from '../time/calendar.ts';
import { isOlderThan, readAgeTime } from './ages.ts';
import { classifyDevice } from './classify.ts';
import { findFirstReason, findUnchangedProvenFrom } from './proof.ts';
import { toRecordKey } from './references.ts';

/** The facts that all records of a source have in common. */
export interface RecordContext extends Pick<PlatformFacts, 'moment'> {
  readonly source: string;
  readonly rules: SourceRules;
  readonly population: SourceFacts['population'];
  readonly policy: Policy;
  /** Whether the source answered completely in this run. */
  readonly isFresh: boolean;
  /** Whether the source measures what it should. */
  readonly isTrusted: boolean;
  /** The end of the instrument's breakage: values that were taken before it are not proven. */
  readonly repairedAt: string | undefined;
}

export type RecordAnswer = Pick<
  Judgement,
  'status' | 'reason' | 'answerIndex' | 'unprovenBecause' | 'stale' | 'isBeforeRepair'
> & {
  /** True where the rules allow the answer to be proven, whatever this run adds. */
  readonly isProvable: boolean;
};

export interface JudgedRecord {
  /** The key that `toRecordKey` makes. */
  readonly key: string;
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly rules: SourceRules;
  readonly answer: RecordAnswer;
  /** Exclusion by the record's own fields. */
  readonly exclusion: ExclusionRule['because'] | undefined;
  readonly unread: Unread | undefined;
  /** Whether its answer is of this run. */
  readonly isRead: boolean;
  readonly answeredOn: string | undefined;
}

export function judgeRecord({ facts, answeredOn, unread: isUnread }: ShownRow, context: RecordContext): JudgedRecord {
  const unread = isUnread ? (answeredOn === undefined ? 'blank' : 'kept') : undefined;
  const { source, rules, population, isFresh } = context;
  return {
    key: toRecordKey({ source, kind: rules.kind, id: facts.id }),
    source,
    facts,
    rules,
    answer: judgeAnswer(facts, unread, context),
    exclusion: findOwnExclusion(facts, rules, population),
    unread,
    isRead: isFresh && unread === undefined,
    answeredOn,
  };
}

function judgeAnswer(
  facts: DeviceFacts,
  unread: Unread | undefined,
  { rules, policy, moment, isTrusted, repairedAt }: RecordContext,
): RecordAnswer {
  const { verdict, answerIndex, contradicted } = classifyDevice(facts, rules);
  const { status, reason, provable: isProvable } = verdict;
  const age = readAgeTime(facts, rules);
  const stale = isOlderThan(age, moment, policy.staleAfterDays);
  // Values that were measured before the repair stay as they were.
  const isBeforeRepair = repairedAt !== undefined && (age === undefined || age < Date.parse(repairedAt));
  const answeredAt = parseTime(facts.answers[answerIndex]?.at);
  const unprovenBecause = findFirstReason(
    unread && 'unread',
    isTrusted ? undefined : 'method-not-sound',
    isProvable ? undefined : unansweredReasons.has(reason) ? 'no-answer' : 'not-clear',
    contradicted ? 'contradicted' : undefined,
    isBeforeRepair || isDatedBeforeRepair(answeredAt, age, rules, { policy, repairedAt }) ? 'before-repair' : undefined,
    stale || isDatedLongAgo(answeredAt, rules, { policy, moment }) ? 'old-answer' : undefined,
  );
  return {
    status,
    reason: unread === undefined ? reason : 'unread',
    answerIndex,
    unprovenBecause,
    stale,
    isBeforeRepair,
    isProvable,
  };
}

/** Reasons of devices that were not asked, or have not answered. */
const unansweredReasons: ReadonlySet<Reason> = new Set(['never-reported', 'managed-elsewhere']);

/** Whether the answer's own date is before the repair and no later contact has proven it, where answers have such dates. */
function isDatedBeforeRepair(
  answeredAt: number | undefined,
  age: number | undefined,
  rules: SourceRules,
  { policy, repairedAt }: Pick<RecordContext, 'policy' | 'repairedAt'>,
): boolean {
  if (repairedAt === undefined || (answeredAt !== undefined && answeredAt >= Date.parse(repairedAt))) {
    return false;
  }
  const unchangedProvenFrom = findUnchangedProvenFrom(repairedAt, rules, policy);
  return unchangedProvenFrom !== undefined && !(age !== undefined && age >= unchangedProvenFrom);
}

/** Whether the answer's own date is too old, although its device may have been heard from lately. */
function isDatedLongAgo(
  answeredAt: number | undefined,
  { answerLimits }: SourceRules,
  { policy, moment }: Pick<RecordContext, 'policy' | 'moment'>,
): boolean {
  const maximumAge = answerLimits && policy[answerLimits.maximumAge];
  return maximumAge !== undefined && isOlderThan(answeredAt, moment, maximumAge);
}

/** The first rule of its kind that holds for a record, as a reason not to count it. */
function findOwnExclusion(
  device: DeviceFacts,
  { exclusions }: Pick<SourceRules, 'exclusions'>,
  population: SourceFacts['population'],
): ExclusionRule['because'] | undefined {
  return exclusions.find(
    ({ field, is, onlyCompany }) => is.includes(device[field] ?? '') && (!onlyCompany || population === 'company'),
  )?.because;
}

/** Whether a rule holds for a record, whatever the population and other exclusions. */
export function fitsExclusion(
  because: ExclusionRule['because'],
  { facts, rules }: { readonly facts: DeviceFacts; readonly rules: Pick<SourceRules, 'exclusions'> },
): boolean {
  return rules.exclusions.some((rule) => rule.because === because && rule.is.includes(facts[rule.field] ?? ''));
}

/** Whether the platform says anything about the agent. */
export function hasAnswer({ answers }: DeviceFacts): boolean {
  return answers.some(({ value }) => value.trim() !== '');
}

/** The answer that decided the status, if there is one. */
export function findAnswer({ facts, judgement }: JudgedDevice): Answer | undefined {
  return facts.answers[judgement.answerIndex];
}

/** The deciding answer's value; undefined where it is blank. */
export function readValue(device: JudgedDevice): string | undefined {
  const value = findAnswer(device)?.value;
  return value?.trim() === '' ? undefined : value;
}

/** Date of the value. The date of the inventory report also dates a missing value. */
export function readValueTime(device: JudgedDevice): string | undefined {
  return findAnswer(device)?.at ?? device.facts.reportedAt;
}

/** The time by which the age of its answer is judged, in milliseconds since 1970; undefined where it is not known. */
export function readAnswerAge({ facts, judgement }: JudgedDevice): number | undefined {
  return readAgeTime(facts, judgement.rules);
}
