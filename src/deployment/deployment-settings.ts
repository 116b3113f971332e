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
  };
  /** Dates, YYYY-MM-DD, by the id of what a person attested. */
  readonly attested: Readonly<Record<string, string>>;
  /** Scripts and detection rules that a person has read. */
  readonly accepted: readonly Acceptance[];
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
