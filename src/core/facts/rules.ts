/**
 * A source kind's rules as data: the meaning of each word, the dates of an answer's age, the exclusions. The core
 * interprets them, so that a new kind is a new table rather than new code.
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
  /** True where it holds only if the source's population is `company`. */
  readonly onlyCompany?: boolean;
}

/** `Given` are the reasons that the rules can give, `System` the operating systems. */
export interface SourceRules<Given extends Reason = Reason, System extends OperatingSystem = OperatingSystem> {
  readonly kind: SourceKindName;
  /** Path of a device in the platform's own console, below the server's address; `{id}` is replaced by its id. */
  readonly devicePath: string;
  /** The operating systems that such a source lists, each with the name that people read. */
  readonly operatingSystems: Readonly<Record<System, string>>;
  /** Exact words (after trimming) with their meaning. */
  readonly words: ReadonlyMap<string, Verdict<Given>>;
  /** The verdict on a device without any answer. */
  readonly silent: Verdict<Given>;
  /** The verdict on an answer that is empty or blank. */
  readonly blank: Verdict<Given>;
  /** The verdict on any other answer. */
  readonly other: Verdict<Given>;
  /** The verdict on a device without an answer whose apps another service delivers: the platform never asked it. */
  readonly elsewhere?: { readonly workload: string; readonly verdict: Verdict<Given> };
  /** Words by their weight, outcomes first: the newest of the best rank decides. Words that are missing here rank last. */
  readonly ranks: readonly (readonly string[])[];
  /** The dates of a device. The oldest says how old its answer is, and which of two records of one machine is newer. */
  readonly ageDates: readonly (keyof Pick<DeviceFacts, 'reportedAt' | 'lastSeenAt'>)[];
  /**
   * Set where an answer has a date of its own, apart from the device's: policy settings in days that bound its proof.
   * An answer older than `maximumAge` proves nothing; one from before a repair is proven again by a contact at least
   * `repair` later.
   */
  readonly answerLimits?: {
    readonly maximumAge: keyof Pick<Policy, 'windowsStateMaxAgeDays'>;
    readonly repair: keyof Pick<Policy, 'windowsRepairDays'>;
  };
  /** The event that brings a newer answer, in the words of people who use the platform. */
  readonly nextAnswer: string;
  readonly exclusions: readonly ExclusionRule[];
  /** Places that the platform does not know, so that the list of expected machines supplies them. */
  readonly listPlaces: readonly ('site' | 'department')[];
  /**
   * True where the server keeps groups of its own whose documented criterion is "managed, and the value is exactly that
   * word"; false where only Muster makes these groups.
   */
  readonly hasServerGroups: boolean;
}

/** One text for all operating systems, or one for each that the kind lists. */
export type Step<System extends string> = string | Readonly<Record<System, string>>;

/**
 * The next step of a person for a device that needs action. `Given` are the reasons that the rules of the kind can
 * give; a device of any kind may also be unread, or not have been seen for long.
 */
export interface NextSteps<Given extends Reason = never, System extends string = string> {
  readonly byReason: Readonly<Record<Given | 'unread', Step<System>>>;
  /** The platform has not heard from the device for so long that whatever it sends will not arrive either. */
  readonly notSeen: Step<System>;
  /** The step where the device has no answer, and its last contact is older than the instrument, which the platform dates. */
  readonly beforeInstrument?: Step<System>;
  /** The step for each error code in the detail of an answer. */
  readonly byCode?: Readonly<Record<string, Step<System>>>;
}

/** The rules of all kinds. */
export interface RulesTable {
  /** Throws where there is no such kind. */
  rulesFor(kind: SourceKindName): SourceRules;
  /** Names that people read, by operating system. */
  readonly operatingSystemTitles: Readonly<Record<string, string>>;
}

/** The operating system that reports print for a source as a whole: `mixed` where its kind lists several. */
export function findSourceOperatingSystem(rules: Pick<SourceRules, 'operatingSystems'>): OperatingSystem {
  const [only, ...others] = Object.keys(rules.operatingSystems);
  return only !== undefined && others.length === 0 ? only : 'mixed';
}
