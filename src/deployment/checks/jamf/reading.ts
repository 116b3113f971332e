/** What a Jamf Pro source reads for its checks. In memory only: scripts and parameters are never stored. */
import type { LookupResult, ReadFailure } from '../verdicts.ts';
import type { ScopeFacts } from './scope.ts';

/** What has not been read yet is absent. */
export interface JamfReading {
  /** The display name of the extension attribute, as the settings have it. */
  readonly attributeName: string;
  /** The server's own address; undefined where only a gateway in front of it is known. */
  readonly server: string | undefined;
  /** The site that the account is meant to see; '' where that is the whole fleet. */
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
  /** With which Muster signed in. */
  readonly account?: JamfAccount | ReadFailure;
  /** How many managed computers were listed. */
  readonly devices?: number;
  /** Their ids; undefined where the inventory was not read in full. */
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
  /** The site that it belongs to; missing where that is none. */
  readonly site?: SiteReference;
}

/** The Jamf Pro API says the id of an object's site, and only the Classic API its name. */
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
  /** `Install Automatically` or `Make Available in Self Service`; undefined where the server does not say. */
  readonly distribution: string | undefined;
  /** `System` or `computer` for the whole computer, `user` for one user. */
  readonly level: string | undefined;
  /** The property list as the server stores it. */
  readonly payloads: string;
}

/** The account with which Muster signed in, as the server describes it; an API client may have none. */
export interface JamfAccount {
  readonly username: string | undefined;
  /** As Jamf Pro calls them; undefined where the server does not list them. */
  readonly privileges: readonly string[] | undefined;
}

/** A file that the service hosts. */
export type Download =
  | { readonly kind: 'found'; readonly file: DownloadedFile }
  | { readonly kind: 'refused'; readonly why: string }
  | ReadFailure;

export interface DownloadedFile {
  /** In bytes; undefined where the service does not send it. */
  readonly length: number | undefined;
  /** The service's identifier of this version. */
  readonly etag: string | undefined;
  readonly firstBytes: Buffer;
}
