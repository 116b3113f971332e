/** What a Microsoft Intune source reads for its checks. In memory only: the install command holds the service's API key. */
import type { ReadFailure } from '../verdicts.ts';

/** What has not been read yet is absent. */
export interface IntuneReading {
  readonly apps?: AppsReading;
  /** Ids of apps that a name in the settings means too, and that have another detection rule. */
  readonly appsLeftOut?: readonly string[];
  /** The groups that the settings name. */
  readonly groups?: readonly NamedGroup[] | ReadFailure;
  /** Whether assignments have filters; undefined where that is not known. */
  readonly hasFilters?: boolean | undefined;
  /** Application permissions, as the token lists them. */
  readonly roles?: readonly string[] | ReadFailure;
  readonly devices?: number;
}

/** `absent`: the settings name an app that does not exist, or a name that several apps have of which none is a Win32 app. */
export type AppsReading = readonly AppFacts[] | ReadFailure | (Omit<ReadFailure, 'kind'> & { readonly kind: 'absent' });

export interface AppFacts {
  readonly id: string;
  /** Without the vendor's prefix: `win32LobApp`. */
  readonly type: string;
  readonly publishingState: string;
  readonly createdAt?: string | undefined;
  /** Every rule that is not a requirement. */
  readonly detectionRules: readonly Readonly<Record<string, unknown>>[];
  readonly installCommand: string;
  readonly uninstallCommand: string;
  readonly setupFile: string;
  readonly assignments: readonly AssignmentFacts[] | ReadFailure;
}

export interface AssignmentFacts {
  readonly intent: string;
  /** `groupAssignmentTarget` and so on. */
  readonly target: string;
  readonly groupId: string | undefined;
}

/** A group in the settings, with the ids of the groups that have this name; an id is used as it is. */
export interface NamedGroup {
  readonly named: string;
  readonly ids: readonly string[];
}
