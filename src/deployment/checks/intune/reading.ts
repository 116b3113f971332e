/** Everything that an Intune source reads for its checks. In memory only: the install command has the service's API key. */
import type { ReadFailure } from '../verdicts.ts';

/** A reading; parts that are not read yet are missing. */
export interface IntuneReading {
  readonly apps?: AppsReading;
  /** Ids of other apps with a name in the settings, whose detection rule differs. */
  readonly appsLeftOut?: readonly string[];
  /** Groups that the settings name. */
  readonly groups?: readonly NamedGroup[] | ReadFailure;
  /** Whether assignments have filters; undefined where that is not known. */
  readonly hasFilters?: boolean | undefined;
  /** Application permissions in the token. */
  readonly roles?: readonly string[] | ReadFailure;
  readonly devices?: number;
}

/** The apps of the settings. `absent`: one does not exist, or several apps have the name and none is a Win32 app. */
export type AppsReading = readonly AppFacts[] | ReadFailure | (Omit<ReadFailure, 'kind'> & { readonly kind: 'absent' });

export interface AppFacts {
  readonly id: string;
  /** Type without the vendor's prefix: `win32LobApp`. */
  readonly type: string;
  readonly publishingState: string;
  readonly createdAt?: string | undefined;
  /** All rules except requirements. */
  readonly detectionRules: readonly Readonly<Record<string, unknown>>[];
  readonly installCommand: string;
  readonly uninstallCommand: string;
  readonly setupFile: string;
  readonly assignments: readonly AssignmentFacts[] | ReadFailure;
}

export interface AssignmentFacts {
  readonly intent: string;
  /** Type of the target, such as `groupAssignmentTarget`. */
  readonly target: string;
  readonly groupId: string | undefined;
}

/** A group in the settings, with the ids of all groups of this name; an id is used as it is. */
export interface NamedGroup {
  readonly named: string;
  readonly ids: readonly string[];
}
