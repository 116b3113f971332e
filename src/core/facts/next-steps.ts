/** What a person does next about a device that needs action: each kind of source says it for each reason. */
import type { Reason } from './vocabulary.ts';

/** One text where it is the same whatever the operating system; otherwise one for each that the kind lists. */
export type Step<System extends string> = string | Readonly<Record<System, string>>;

/** `Given` are the reasons that the rules of the kind can give. Whatever the kind, a device may also be unread. */
export interface NextSteps<Given extends Reason = never, System extends string = string> {
  readonly byReason: Readonly<Record<Given | 'unread', Step<System>>>;
  /** Where the platform dates the instrument: its device has no answer, and was last in contact before. */
  readonly beforeInstrument?: Step<System>;
  /** What an error code in the detail of an answer means. */
  readonly byCode?: Readonly<Record<string, Step<System>>>;
}
