/** The contract of `muster init` and a kind of source: how it asks, and what it then writes into the settings. */
import type * as v from 'valibot';
import type { SecretProvider } from '../http/secrets.ts';
import type { ReadContext } from './source.ts';

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

export type Acceptance = Readonly<Record<'sha256' | 'by' | 'on', string>>;

export interface InterviewContext extends Pick<ReadContext, 'clock' | 'signal' | 'slot' | 'moment' | 'patience'> {
  /** Turns a reference into a provider, which reads the secret only when it is used. */
  readonly secret: (reference: string) => SecretProvider;
}

/** What the settings say of one source, in their own shape. */
export interface SourceDraft {
  readonly source: Readonly<Record<string, unknown>>;
  /** Parts of the block `deployment`. */
  readonly deployment: Readonly<Record<string, unknown>>;
  readonly accepted: Acceptance | undefined;
}

/** Undefined where the company has no such platform. */
export type Interview = (interviewer: Interviewer, context: InterviewContext) => Promise<SourceDraft | undefined>;
