/**
 * The contract of a kind of source: one object with everything that settings, composition, rules, checks and reports
 * need to know about it. `compose/source-kinds.ts` lists all kinds; everything else is derived from that list.
 */
import type { LimitFunction } from 'p-limit';
import type * as v from 'valibot';
import type { DevicePlace } from '../core/facts/device-places.ts';
import type { DeviceFacts, OperatingSystem } from '../core/facts/facts.ts';
import type { NextSteps, SourceRules } from '../core/facts/rules.ts';
import type { Reason } from '../core/facts/vocabulary.ts';
import type { Artifact, ServerNames } from '../deployment/artifacts/artifact.ts';
import type { CheckDescription } from '../deployment/checks/check.ts';
import type { SecretProvider } from '../http/secrets.ts';
import type { DeploymentSettings } from '../settings/deployment/deployment.ts';
import type { ReadContext, Source } from './source.ts';

export interface SecretContext {
  /** Turns a reference in the settings into a provider, which reads the secret only when it is used. */
  readonly secret: (reference: string) => SecretProvider;
}

/** What a source is opened with besides its own settings. */
export interface OpenContext extends SecretContext {
  readonly deployment: DeploymentSettings;
  /** A token that AWS signs for Muster and this audience. */
  readonly webIdentityToken: (audience: string) => Promise<string>;
  /** One limit for all sources that read the same server. */
  readonly limitRequests: (server: string, concurrency: number) => LimitFunction;
  /** Idle timeout in milliseconds, where the source's own is too long. */
  readonly idle?: number | undefined;
}

/** Fields of a device whose meaning is the platform's own. */
type PlatformField =
  | 'value'
  | 'detail'
  | 'valueAt'
  | keyof Pick<DeviceFacts, 'lastSeenAt' | 'managementState' | 'managementAgent' | 'ownership'>
  | DevicePlace;

/**
 * `System` are the operating systems that the kind lists, `Given` the reasons that its rules can give: each has a next
 * step. Readers of all kinds know none of them.
 */
export interface SourceKind<
  Kind extends string,
  Settings,
  System extends OperatingSystem,
  Given extends Reason = Reason,
  Explained extends Reason = Given,
> {
  /** The value of `platform` in the settings. */
  readonly kind: Kind;
  /** The product's name, also of its console. */
  readonly title: string;
  readonly schema: v.GenericSchema<unknown, Settings>;
  /** Keys of the settings whose values must be references to secrets. */
  readonly secretKeys: readonly string[];
  readonly rules: SourceRules<Given, System>;
  readonly nextSteps: NextSteps<Explained, System>;
  /** What the platform means by the fields that are its own; empty where it has no such thing. */
  readonly fields: Readonly<Record<PlatformField, string>>;
  /** Every check of such a source, with what it expects. They bring parsers, so that they are loaded when they are used. */
  loadChecks(): Promise<readonly CheckDescription[]>;
  /** What an administrator creates on such a server. */
  loadArtifacts(): Promise<readonly Artifact[]>;
  /** What `muster init` asks. */
  loadInterview(): Promise<Interview>;
  /** The noun for a device's answer, for sentences such as "12 have no value". */
  readonly answerNoun: string;
  /** Which secrets become visible with the permissions that the checks need; administrators must know before granting them. */
  readonly exposedSecrets: string;
  /** What artifacts name of such a source, for a kind whose platform they are created on. */
  listServerNames?(settings: Settings): ServerNames;
  /** The audiences of the tokens that it asks AWS for: a deployment allows its role no others. */
  listAudiences?(settings: Settings): readonly string[];
  /** Loads the source's parsers and checks, which nothing else does. */
  open(settings: Settings, context: OpenContext): Promise<Source>;
}

export interface Question {
  /** The option of the command line that answers it, without its hyphens. */
  readonly option: string;
  readonly text: string;
  /** The answer of somebody who only presses Enter. */
  readonly standard?: string | undefined;
  /** An empty answer is one too. */
  readonly isOptional?: boolean;
}

export interface TextQuestion extends Question {
  readonly schema?: v.GenericSchema<string, string>;
}

export interface Choice {
  readonly value: string;
  /** What is known of it, beside its name. */
  readonly note: string;
}

/** A script or a rule that measures something, and that a person has to read. */
export interface UnknownInstrument {
  /** As in "the script of ...". */
  readonly what: string;
  /** What is shown. */
  readonly text: string;
  readonly sha256: string;
}

export interface Interviewer {
  askText(question: TextQuestion): Promise<string>;
  choose(question: Question, choices: readonly Choice[]): Promise<string>;
  /** What is never asked: undefined where no option gives it. */
  readOption(option: string, schema: v.GenericSchema<string, string>): Promise<string | undefined>;
  /** Undefined where no person has read and accepted it. */
  review(instrument: UnknownInstrument): Promise<Acceptance | undefined>;
  tell(line: string): void;
  /** Asks again what a platform refused, where somebody can answer. */
  repeatUntilAccepted<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface Acceptance {
  readonly sha256: string;
  readonly by: string;
  readonly on: string;
}

export type InterviewContext = SecretContext & Pick<ReadContext, 'clock' | 'signal' | 'slot' | 'moment'>;

/** What the settings say of one source, in their own shape. */
export interface SourceDraft {
  readonly source: Readonly<Record<string, unknown>>;
  /** Parts of the block `deployment`. */
  readonly deployment: Readonly<Record<string, unknown>>;
  readonly accepted: Acceptance | undefined;
}

/** Undefined where the company has no such platform. */
export type Interview = (interviewer: Interviewer, context: InterviewContext) => Promise<SourceDraft | undefined>;
