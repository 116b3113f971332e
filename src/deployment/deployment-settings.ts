/** The block `deployment` of the settings; a check whose setting is missing is not made. */

export interface DeploymentSettings {
  readonly identity?: IdentityMode | undefined;
  /** The service's address, `{base_url}` of the deployment interface. */
  readonly service?: string | undefined;
  readonly macos: {
    readonly applicationFolder?: string | undefined;
    readonly applicationIdentifier?: string | undefined;
    readonly teamIdentifier?: string | undefined;
    readonly policy?: string | undefined;
    readonly script?: string | undefined;
    readonly profiles: { readonly extension?: string | undefined; readonly fileAccess?: string | undefined };
    readonly tools: boolean;
  };
  readonly windows: {
    readonly vendorFolder?: string | undefined;
    readonly platformFolder?: string | undefined;
    readonly circleId?: string | undefined;
    readonly memberRoleId?: string | undefined;
    readonly groups?: readonly string[] | undefined;
    /** Assignments that are meant besides those to `groups`. */
    readonly alsoAssigned?: readonly MeantAssignment[] | undefined;
  };
  /** Dates, YYYY-MM-DD, by the id of what a person attested. */
  readonly attested: Readonly<Record<string, string>>;
  /** Scripts and detection rules that a person has read. */
  readonly accepted: readonly Acceptance[];
}

export interface MeantAssignment {
  readonly target: 'group' | 'allDevices' | 'allUsers';
  /** Id or exact name; only where the target is a group. */
  readonly group?: string | undefined;
  /** Without it, `available`; of an exclusion, any. */
  readonly intent?: 'available' | 'required' | 'availableWithoutEnrollment' | undefined;
  /** The group is left out. */
  readonly exclude: boolean;
}

export type IdentityMode = 'email' | 'directory';

export interface Acceptance {
  readonly sha256: string;
  readonly by: string;
  /** YYYY-MM-DD. */
  readonly on: string;
}

export const emptyDeploymentSettings: DeploymentSettings = {
  macos: { profiles: {}, tools: false },
  windows: {},
  attested: {},
  accepted: [],
};
