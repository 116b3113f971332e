/**
 * A source kind's rules as data: which word means what, which date is the age, what is not counted. The core interprets
 * them, so that a third kind is a new table and not new code.
 */
import type { Policy } from './company.ts';
import type { OperatingSystem } from './device-places.ts';
import type { DeviceFacts, SourceKindName } from './facts.ts';
import type { ExcludedBecause, Reason, Status } from './vocabulary.ts';

export interface Verdict<Given extends Reason = Reason> {
  readonly status: Status;
  readonly reason: Given;
  /** Whether the word can be proof at all. */
  readonly provable: boolean;
}

/** A reason not to count a device that can be read off its own record. */
export interface ExclusionRule {
  readonly because: Extract<ExcludedBecause, 'unmanaged' | 'retiring' | 'not-manageable' | 'personal'>;
  readonly field: 'managementState' | 'managementAgent' | 'ownership';
  readonly is: readonly string[];
  /** Holds only where the source's population is `company`. */
  readonly onlyCompany?: boolean;
}

/** `Given` are the reasons that the rules can give, `System` the operating systems. */
export interface SourceRules<Given extends Reason = Reason, System extends OperatingSystem = OperatingSystem> {
  readonly kind: SourceKindName;
  /** Where the platform's own console shows a device, below the server's address; `{id}` stands for its id. */
  readonly devicePath: string;
  /** The operating systems that such a source lists, each with the name that people read. */
  readonly operatingSystems: Readonly<Record<System, string>>;
  /** Exact words (after trimming) and what they mean. */
  readonly words: ReadonlyMap<string, Verdict<Given>>;
  /** No answer at all. */
  readonly silent: Verdict<Given>;
  /** An answer that is empty or blank. */
  readonly blank: Verdict<Given>;
  /** Any other answer. */
  readonly other: Verdict<Given>;
  /** No answer from a device whose apps another service delivers: the platform never asked it. */
  readonly elsewhere?: { readonly workload: string; readonly verdict: Verdict<Given> };
  /** Words by how much they say, the outcomes first: the newest of the best decides. Any other word is below them. */
  readonly ranks: readonly (readonly string[])[];
  /** The dates whose oldest says how old a device's answer is, and which of two records of one machine is newer. */
  readonly ageDates: readonly (keyof Pick<DeviceFacts, 'reportedAt' | 'lastSeenAt'>)[];
  /**
   * Where an answer has a date of its own, apart from the device's: the limits of the policy, in days, that count it
   * against proof. An older one than `maximumAge` proves nothing; one from before a repair is believed again by a contact
   * that is at least `repair` later.
   */
  readonly answerLimits?: {
    readonly maximumAge: keyof Pick<Policy, 'windowsStateMaxAgeDays'>;
    readonly repair: keyof Pick<Policy, 'windowsRepairDays'>;
  };
  /** What brings a newer answer, in the words of people who use the platform. */
  readonly nextAnswer: string;
  readonly exclusions: readonly ExclusionRule[];
  /** Places that such a platform does not know, so that the list of expected machines says them. */
  readonly listPlaces: readonly ('site' | 'department')[];
  /**
   * True where the server keeps groups of its own whose documented criterion is "managed, and the value is exactly
   * that word"; false where the groups are ours alone.
   */
  readonly hasServerGroups: boolean;
}

/** One text where it is the same whatever the operating system; otherwise one for each that the kind lists. */
export type Step<System extends string> = string | Readonly<Record<System, string>>;

/**
 * What a person does next about a device that needs action. `Given` are the reasons that the rules of the kind can give.
 * Whatever the kind, a device may also be unread, or not have been seen for long.
 */
export interface NextSteps<Given extends Reason = never, System extends string = string> {
  readonly byReason: Readonly<Record<Given | 'unread', Step<System>>>;
  /** The platform has not heard from the device for so long that whatever it sends will not arrive either. */
  readonly notSeen: Step<System>;
  /** Where the platform dates the instrument: its device has no answer, and was last in contact before. */
  readonly beforeInstrument?: Step<System>;
  /** What an error code in the detail of an answer means. */
  readonly byCode?: Readonly<Record<string, Step<System>>>;
}

/** The rules of every kind there is. */
export interface RulesTable {
  /** Throws where there is no such kind. */
  rulesFor(kind: SourceKindName): SourceRules;
  /** Names that people read, by operating system. */
  readonly operatingSystemTitles: Readonly<Record<string, string>>;
}

/** What reports print as the platform of a source as a whole. */
export function findSourceOperatingSystem(rules: Pick<SourceRules, 'operatingSystems'>): OperatingSystem {
  const [only, ...others] = Object.keys(rules.operatingSystems);
  return only !== undefined && others.length === 0 ? only : 'mixed';
}
