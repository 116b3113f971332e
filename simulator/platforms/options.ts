/** Options of the simulated platforms, with their defaults. */

/** The section of a computer's inventory that shows an extension attribute. */
export type DisplaySection =
  | 'GENERAL'
  | 'HARDWARE'
  | 'OPERATING_SYSTEM'
  | 'USER_AND_LOCATION'
  | 'PURCHASING'
  | 'EXTENSION_ATTRIBUTES';

/** The speed of a platform's answers, and its limit of requests at once. */
export interface PlatformPace {
  readonly latencyMilliseconds: number;
  /** More are a violation. Each run of Muster may make five to Jamf Pro, four to Graph. */
  readonly requestsAtOnce: number;
}

export interface JamfOptions extends PlatformPace {
  /** A server of version 11.20: no v4 inventory, no v3 groups, only the unversioned OAuth path. */
  readonly older: boolean;
  /** True where the origin is the gateway of the Jamf Platform API, without the server's own address. */
  readonly gateway: boolean;
  /** Path of the server on its host, such as `/jamf`; everything beside it is other software. */
  readonly contextPath: string;
  readonly pageCap: number;
  readonly tokenSeconds: number;
  readonly attributeSection: DisplaySection;
  /** True where the account is scoped to one site and sees half the Macs. */
  readonly site: boolean;
  /** Place where the limit to one site shows: the access level, the privileges, or a group. */
  readonly siteForm: 'access-level' | 'privileges' | 'group';
  /** Kind of sign-in in the printed settings. */
  readonly signIn: 'client' | 'account';
  readonly withoutPrivileges: readonly string[];
  /** Privileges of the account besides those for reading. */
  readonly withPrivileges: readonly string[];
  /** The one of the deployment document's two ways for which the server is set up. */
  readonly identity: 'email' | 'directory';
}

export interface GraphOptions extends PlatformPace {
  readonly tokenSeconds: number;
  readonly pageSize: number;
  /** True where states never change their date, and devices whose user did not request the app have no row. */
  readonly frozenStates: boolean;
  /** Polls that find a job in progress before one finds it completed without url; 0 completes at once. */
  readonly exportPolls: number;
  readonly population: 'all' | 'company';
  /** True where a new app replaced the agent's: a third of the devices report for that, and the settings name both. */
  readonly upgradedApp: boolean;
  /** True where each Windows device has a date of enrollment. */
  readonly datesKnown: boolean;
  readonly withoutPermissions: readonly string[];
  /** True where tokens do not show their permissions. */
  readonly opaqueTokens: boolean;
  /** Permissions besides the two that reading requires. */
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
