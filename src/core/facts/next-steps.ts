/** What a person does next about a device that needs action: each kind of source says it for each reason. */
import type { Reason } from './vocabulary.ts';

/** `Given` are the reasons that the rules of the kind can give. Whatever the kind, a device may also be unread. */
export interface NextSteps<Given extends Reason = never> {
  readonly byReason: Readonly<Record<Given | 'unread', string>>;
  /** Where the platform dates the instrument: its device has no answer, and was last in contact before. */
  readonly beforeInstrument?: string;
  /** What an error code in the detail of an answer means. */
  readonly byCode?: Readonly<Record<string, string>>;
}
