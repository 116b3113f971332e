/** What is remembered of an instrument's readings. Types only. */

export interface InstrumentMemory {
  /** As last read, sound or not; `since` is the slot, `readAt` the time from which it was read like this. */
  readonly last?: { readonly fingerprint: string; readonly since: string; readonly readAt: string };
  /** What the last sound reading that showed a fingerprint showed. */
  readonly soundFingerprint?: string;
  /** From the first reading that showed another or a wrong instrument until one that shows it sound. */
  readonly broken?: {
    readonly since: string;
    /** What every reading since then showed; missing where they differ, or where one showed none. */
    readonly fingerprint?: string;
  };
  /** Values taken before this time were taken while it was broken. */
  readonly repairedAt?: string;
}
