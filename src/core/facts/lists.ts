/**
 * Types of the two lists that no platform can replace: machines that should exist, and machines that the agent's own
 * console has seen. Their facts, and the judgement of them.
 */

import type { ListSoundness, Problem } from './vocabulary.ts';

/** The columns of each list with their content. Settings, rows and their types follow from it. */
export const listColumns = {
  expected: {
    serial: 'the serial number',
    owner: 'who has the machine',
    site: 'where it should be',
    department: 'the department that has it',
    bought: 'when it was bought',
    until: 'the last day on which it is expected, such as `2027-12-31`',
    note: 'a note',
  },
  reporting: {
    serial: 'the serial number',
    name: 'the machine’s name, which is used where there is no serial number',
    seen_at:
      'when the console saw it last: a date, with its time if there is one, or seconds or milliseconds since 1970',
  },
} as const;

export type ListName = keyof typeof listColumns;

export const listNames = Object.keys(listColumns) as readonly ListName[];

type ListColumn = { [Name in ListName]: keyof (typeof listColumns)[Name] }[ListName];

/** The cells of a machine as written; `owner` and `note` as `privacy.users` says. */
export type ListRow = Readonly<Partial<Record<ListColumn, string>>>;

/** One file of a list as it was read. */
export interface ListFile {
  /** Its name, without the folder. */
  readonly name: string;
  /** Number of rows below the header; the list's rows are those of its files in order. */
  readonly rows: number;
  /** The number of rows that are not understood, and the first ones, by line and with the reason. */
  readonly notUnderstood?: { readonly rows: number; readonly first: readonly string[] };
  /** The columns that were used, by their names in the file. */
  readonly columns: readonly string[];
  /** Time at which it was last written, by its folder or bucket; missing where that is not known. */
  readonly date?: string;
  readonly maxAgeDays: number;
  /** The reason why it could not be read, or not to its end: `list-unreadable` or `list-incomplete`. */
  readonly problem?: Problem;
}

export interface ListFacts {
  /** ISO 8601 UTC. */
  readonly readAt: string;
  readonly files: readonly ListFile[];
  /** Rows of the files without a problem. */
  readonly rows: readonly ListRow[];
}

/** Missing where the settings name none. */
export type ListsFacts = Readonly<Partial<Record<ListName, ListFacts>>>;

/** The soundness of a list in a run, and figures of its rows. */
export interface JudgedList {
  readonly soundness: ListSoundness;
  /** A sentence that says why it is not sound. */
  readonly problem: Problem | undefined;
  readonly files: readonly ListFile[];
  /** The oldest date of its files; undefined where one is not known. */
  readonly date: string | undefined;
  readonly rows: number;
  /** Rows without effect: they name no machine, or have a date that cannot be read. */
  readonly ignored: { readonly machine: number; readonly date: number };
  /** Rows that repeat a machine of another row. */
  readonly doubled: number;
  /** Distinct machines that its rows name. */
  readonly machines: number;
}

/** A machine on the list that is enrolled in no source. */
export interface UnenrolledMachine extends Pick<ListRow, 'owner' | 'site' | 'bought' | 'until' | 'note'> {
  /** The serial number as written. */
  readonly serialNumber: string;
  /** The file that names it. */
  readonly file: string;
}

export interface JudgedExpectedList extends JudgedList {
  /** Number of machines that are expected at the slot's date: those of the list without the ones past their `until`. */
  readonly expected: number;
  /** In the order of the list; undefined while the list is not sound, or a source is missing. */
  readonly unenrolled: readonly UnenrolledMachine[] | undefined;
  /** Sources whose devices are not known: they have not answered, and have no baseline. */
  readonly heldBy: readonly string[];
  /** Counted devices without a serial number that identifies them: machines on the list may be among them. */
  readonly unidentified: number;
}

/** Missing where the settings name no such list. */
export interface JudgedLists {
  readonly expected?: JudgedExpectedList;
  /** The list of machines that report; `notJudged` counts the Installed devices of which it cannot say whether they report. */
  readonly reporting?: JudgedList & { readonly notJudged: number | undefined };
}

/** The lists' statements about a device; all are missing where the list is not sound. */
export interface DeviceLists {
  /** Whether it is on the list of expected machines; undefined where its serial number identifies no machine. */
  readonly expected?: boolean;
  /** Time at which its console saw it last, ISO 8601 UTC. */
  readonly reportingAt?: string;
  /** Counted and Installed, and not seen by its console for `policy.reportingWithinDays` before the list's date. */
  readonly silent?: boolean;
  /** True where its console has seen it within `policy.reportingWithinDays` while its platform says Not Installed: not proven. */
  readonly isContradicted?: true;
}

/** The part of a sound list that the next run is compared with. */
export interface ListMemory {
  readonly slot: string;
  readonly machines: number;
}
