/** The contract of `muster init` and a kind of source: how it asks, and which settings it then writes. */
import type * as v from 'valibot';
import type { SecretProvider } from '../http/secrets.ts';
import type { ReadContext } from './source.ts';

export interface Question {
  /** The command-line option that answers the question, without its hyphens. */
  readonly option: string;
  readonly text: string;
  /** The answer of a person who only presses Enter. */
  readonly standard?: string | undefined;
  /** True where an empty answer is accepted. */
  readonly isOptional?: boolean;
}

export interface TextQuestion extends Question {
  readonly schema?: v.GenericSchema<string, string>;
}

export interface Choice {
  readonly value: string;
  /** A note about the choice, shown beside its name. */
  readonly note: string;
}

/** A script or a rule that measures something, and that a person has to read. */
export interface UnknownInstrument {
  /** Noun phrase, such as "the script of ...". */
  readonly what: string;
  /** The text that a person reads. */
  readonly text: string;
  readonly sha256: string;
}

export interface Interviewer {
  askText(question: TextQuestion): Promise<string>;
  choose(question: Question, choices: readonly Choice[]): Promise<string>;
  /** The value of an option that has no question; undefined where it is not given. */
  readOption(option: string, schema: v.GenericSchema<string, string>): Promise<string | undefined>;
  /** Shows an instrument to a person; undefined where nobody has read and accepted it. */
  review(instrument: UnknownInstrument): Promise<Acceptance | undefined>;
  tell(line: string): void;
  /** Asks again after a platform refused an answer, where a person can answer. */
  repeatUntilAccepted<Result>(work: () => Promise<Result>): Promise<Result>;
}

export type Acceptance = Readonly<Record<'sha256' | 'by' | 'on', string>>;

export interface InterviewContext extends Pick<ReadContext, 'clock' | 'signal' | 'slot' | 'moment' | 'patience'> {
  /** Turns a reference of the settings into a provider, which reads the secret only when it is used. */
  readonly secret: (reference: string) => SecretProvider;
}

/** The settings of one source, as they will be written. */
export interface SourceDraft {
  readonly source: Readonly<Record<string, unknown>>;
  /** Parts of the block `deployment`. */
  readonly deployment: Readonly<Record<string, unknown>>;
  readonly accepted: Acceptance | undefined;
}

/** Asks about a kind of source; undefined where the company has no such platform. */
export type Interview = (interviewer: Interviewer, context: InterviewContext) => Promise<SourceDraft | undefined>;
