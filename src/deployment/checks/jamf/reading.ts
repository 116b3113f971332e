/** Everything that a Jamf Pro source reads for its checks, in memory only: scripts and parameters are never stored. */
import type { LookupResult, ReadFailure } from '../verdicts.ts';
import type { ScopeFacts } from './scope.ts';

/** A reading; parts that are not read yet are missing. */
export interface JamfReading {
  /** The display name of the extension attribute in the settings. */
  readonly attributeName: string;
  /** The server's own address; undefined where only a gateway in front of it is known. */
  readonly server: string | undefined;
  /** The site that the account is meant to see; empty for the whole fleet. */
  readonly site: string;
  readonly attribute?: LookupResult<AttributeFacts>;
  readonly installedGroup?: LookupResult<SmartGroupFacts>;
  readonly notInstalledGroup?: LookupResult<SmartGroupFacts>;
  readonly policy?: LookupResult<PolicyFacts>;
  readonly script?: LookupResult<ScriptFacts>;
  readonly extensionProfile?: LookupResult<ProfileFacts>;
  readonly fileAccessProfile?: LookupResult<ProfileFacts>;
  readonly package?: Download;
  readonly bundle?: Download;
  /** The account with which Muster signed in. */
  readonly account?: JamfAccount | ReadFailure;
  /** Number of managed computers. */
  readonly devices?: number;
  /** Ids of managed computers; undefined where the inventory was not read in full. */
  readonly managed?: readonly string[] | undefined;
}

export interface AttributeFacts {
  readonly enabled: boolean;
  /** STRING, INTEGER or DATE. */
  readonly dataType: string;
  /** SCRIPT, TEXT, POPUP or DIRECTORY_SERVICE_ATTRIBUTE_MAPPING. */
  readonly inputType: string;
  readonly script: string;
}

export interface SmartGroupFacts {
  readonly smart: boolean;
  readonly criteria: readonly Criterion[];
  /** The object's site; missing where it has none. */
  readonly site?: SiteReference;
}

/** A site; its name is missing where only the Jamf Pro API was read, which returns the id. */
export interface SiteReference {
  readonly id: string;
  readonly name?: string;
}

export type Criterion = Readonly<Record<'name' | 'searchType' | 'value', string>>;

export interface PolicyFacts {
  readonly enabled: boolean;
  readonly scope: ScopeFacts;
  readonly updatesInventory: boolean;
  readonly scripts: readonly PolicyScript[];
}

export interface PolicyScript {
  readonly name: string;
  /** Parameters 4 to 11, by number. */
  readonly parameters: ReadonlyMap<number, string>;
}

export interface ScriptFacts {
  /** The labels of parameters 4 to 11 on the server, by number. */
  readonly labels: ReadonlyMap<number, string>;
  readonly contents: string;
}

export interface ProfileFacts {
  readonly scope: ScopeFacts;
  readonly description: string;
  /** `Install Automatically` or `Make Available in Self Service`; undefined where the server omits it. */
  readonly distribution: string | undefined;
  /** `System` or `computer` for the whole computer, `user` for one user. */
  readonly level: string | undefined;
  /** The property list as the server stores it. */
  readonly payloads: string;
}

/** The account with which Muster signed in, as the server describes it; an API client may have none. */
export interface JamfAccount {
  readonly username: string | undefined;
  /** Privileges by Jamf Pro's names; undefined where the server does not list them. */
  readonly privileges: readonly string[] | undefined;
}

/** A file that the service hosts. */
export type Download =
  | { readonly kind: 'found'; readonly file: DownloadedFile }
  | { readonly kind: 'refused'; readonly why: string }
  | ReadFailure;

export interface DownloadedFile {
  /** Bytes; undefined where the service does not send the length. */
  readonly length: number | undefined;
  /** The service's identifier of this version. */
  readonly etag: string | undefined;
  readonly firstBytes: Buffer;
}
