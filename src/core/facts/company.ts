/** Facts of the second kind: the settings of the company, and the files that people keep. */

import type { ListName, ListsFacts } from './lists.ts';
import type { Status } from './vocabulary.ts';

/** The settings that judgement needs, without secrets and addresses. */
export interface Policy {
  readonly staleAfterDays: number;
  readonly windowsStateMaxAgeDays?: number;
  /** Days after a repair from which a contact proves an answer whose own date has not moved. */
  readonly windowsRepairDays: number;
  readonly graceHours: number;
  readonly overdueAfterDays: number;
  readonly minimumCoverage?: number;
  /** Set only where the settings name a list of machines that report. */
  readonly reportingWithinDays?: number;
  readonly breaker: {
    readonly maximumFleetDropPercent: number;
    readonly maximumFlipPercent: number;
    readonly minimumDevices: number;
  };
}

/** The line of a row in a file that people keep; missing in facts of earlier versions. */
interface FileRow {
  readonly line?: number;
  /** The reason why the row is not understood. Its other fields are empty if its cells cannot be assigned to columns. */
  readonly problem?: string;
}

/** One row of the exemptions file, as written; judging it is the core's work. */
export interface ExemptionRow
  extends FileRow,
    Readonly<Record<'match' | 'value' | 'source' | 'reason' | 'owner' | 'expires', string>> {}

/** A person's note about a date, to explain the trend. */
export interface Note extends FileRow {
  /** YYYY-MM-DD, or as written where it is not understood. */
  readonly date: string;
  readonly text: string;
}

/** One row of the acknowledgements file, as written. */
export interface AcknowledgementRow
  extends FileRow,
    Readonly<Record<'serial' | 'by' | 'until' | 'ticket' | 'note', string>> {}

/** The person who knows of a device, until when, and their ticket. */
export type Acknowledgement = Pick<AcknowledgementRow, 'by' | 'until' | 'ticket'>;

/** A machine that is kept on purpose with or without the agent, so that its answer proves the whole chain. */
export interface Canary {
  readonly source: string;
  /** The serial number as written; compared folded. */
  readonly serial: string;
  readonly expect: Status;
}

/** A person's attestation or acceptance in the settings, and until when it counts. */
export interface Statement {
  readonly kind: 'attestation' | 'acceptance';
  /** The id of what was attested, or the SHA-256 of what was accepted. */
  readonly about: string;
  readonly by?: string;
  /** YYYY-MM-DD, as `until`. */
  readonly on: string;
  readonly until: string;
}

/** The settings of the company, and the files that people keep. */
export interface CompanyFacts {
  /** The agent's name in reports. */
  readonly agent: string;
  readonly policy: Policy;
  readonly exemptions: readonly ExemptionRow[];
  /** Missing where the settings name no such file. */
  readonly acknowledgements?: readonly AcknowledgementRow[];
  /** Lists of machines; their rows are in files beside the sources' devices. */
  readonly lists?: ListsFacts;
  readonly canaries?: readonly Canary[];
  readonly notes?: readonly Note[];
  readonly statements?: readonly Statement[];
  /** Set when a person accepted a suspect run: these sources and lists are judged without the breaker. */
  readonly accepted?: {
    readonly by: string;
    readonly at: string;
    readonly sources: readonly string[];
    readonly lists?: readonly ListName[];
  };
}
