/** How the simulated platforms can be set up, and how they are by default. */

/** The section of a computer's inventory in which an extension attribute is shown. */
export type DisplaySection =
  | 'GENERAL'
  | 'HARDWARE'
  | 'OPERATING_SYSTEM'
  | 'USER_AND_LOCATION'
  | 'PURCHASING'
  | 'EXTENSION_ATTRIBUTES';

/** How fast a platform answers, and how many requests at once are too many. */
export interface PlatformPace {
  readonly latencyMilliseconds: number;
  /** More are a violation. Each run of Muster may make five to Jamf Pro, four to Graph. */
  readonly requestsAtOnce: number;
}

export interface JamfOptions extends PlatformPace {
  /** A server of version 11.20: no v4 inventory, no v3 groups, only the unversioned OAuth path. */
  readonly older: boolean;
  /** The origin is the gateway of the Jamf Platform API, and the server's own address is nowhere. */
  readonly gateway: boolean;
  /** Where the server stands on its host, such as `/jamf`; everything beside it is other software. */
  readonly contextPath: string;
  readonly pageCap: number;
  readonly tokenSeconds: number;
  readonly attributeSection: DisplaySection;
  /** The account is scoped to one site and sees half the Macs. */
  readonly site: boolean;
  /** Where the limit to one site shows: in the access level, the privileges, or a group. */
  readonly siteForm: 'access-level' | 'privileges' | 'group';
  /** How the printed settings sign in. */
  readonly signIn: 'client' | 'account';
  readonly withoutPrivileges: readonly string[];
  /** Privileges of the account besides those for reading. */
  readonly withPrivileges: readonly string[];
  /** Which of the deployment document's two ways the server is set up for. */
  readonly identity: 'email' | 'directory';
}

export interface GraphOptions extends PlatformPace {
  readonly tokenSeconds: number;
  readonly pageSize: number;
  /** States never change their date, and devices whose user never requested the app have no row. */
  readonly frozenStates: boolean;
  /** So many polls find a job in progress before one finds it completed without url; 0: complete at once. */
  readonly exportPolls: number;
  readonly population: 'all' | 'company';
  /** The agent's app was replaced by a new one: a third of the devices report for that, and the settings name both. */
  readonly upgradedApp: boolean;
  /** Each Windows device has a date of enrollment. */
  readonly datesKnown: boolean;
  readonly withoutPermissions: readonly string[];
  /** Tokens do not say what they permit. */
  readonly opaqueTokens: boolean;
  /** Permissions granted besides the two that reading takes. */
  readonly withPermissions: readonly string[];
}

export const defaultJamfOptions: JamfOptions = {
  older: false,
  gateway: false,
  contextPath: '',
  pageCap: 2000,
  tokenSeconds: 1800,
  attributeSection: 'EXTENSION_ATTRIBUTES',
  site: false,
  siteForm: 'access-level',
  signIn: 'client',
  withoutPrivileges: [],
  withPrivileges: [],
  identity: 'email',
  latencyMilliseconds: 0,
  requestsAtOnce: 5,
};

export const defaultGraphOptions: GraphOptions = {
  tokenSeconds: 3599,
  pageSize: 1000,
  frozenStates: false,
  exportPolls: 1,
  population: 'all',
  upgradedApp: false,
  datesKnown: false,
  withoutPermissions: [],
  opaqueTokens: false,
  withPermissions: [],
  latencyMilliseconds: 0,
  requestsAtOnce: 4,
};
