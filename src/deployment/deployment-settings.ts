/** The block `deployment` of the settings; a check whose setting is missing is not made. */
import type { Canary } from '../core/facts.ts';
import { type AttestationId, type IdentityMode, macosFiles, windows } from './definition.ts';

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
    /** The agent's own files on a Mac. */
    readonly agentFile: string;
    readonly toolsFile: string;
  };
  readonly windows: {
    readonly vendorFolder?: string | undefined;
    readonly platformFolder?: string | undefined;
    readonly circleId?: string | undefined;
    readonly memberRoleId?: string | undefined;
    readonly groups?: readonly string[] | undefined;
    /** The whole path; without it, the documented one below `vendorFolder`. */
    readonly uninstallFile?: string | undefined;
    /** The file that exists where the agent is installed. */
    readonly detection: DetectionPlace;
  };
  /** Machines that are kept on purpose with and without the agent. */
  readonly canaries: readonly Canary[];
  /** Dates, YYYY-MM-DD, by the id of what a person attested. */
  readonly attested: Attested;
  /** Scripts and detection rules that a person has read. */
  readonly accepted: readonly Acceptance[];
}

export interface DetectionPlace {
  readonly path: string;
  readonly file: string;
}

export type Attested = { readonly [Id in AttestationId]?: string | undefined };

export interface Acceptance {
  readonly sha256: string;
  readonly by: string;
  /** YYYY-MM-DD. */
  readonly on: string;
}

export const emptyDeploymentSettings: DeploymentSettings = {
  macos: { profiles: {}, tools: false, agentFile: macosFiles.agent, toolsFile: macosFiles.tools },
  windows: { detection: windows.detection },
  canaries: [],
  attested: {},
  accepted: [],
};
