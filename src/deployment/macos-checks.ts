/** Makes every check of a Jamf Pro source from what was read so far; called again after each further read. */
import type { Finding } from '../core/facts.ts';
import { reportMacosPlaces } from './agent-places.ts';
import { type AttributeFacts, checkAttribute } from './checks/attribute.ts';
import { checkGroup, type SmartGroupFacts } from './checks/groups.ts';
import { checkAccess, checkPolicyAccount, type JamfAccount } from './checks/permissions.ts';
import {
  checkPolicy,
  checkPolicyParameters,
  checkUpdateInventory,
  findPolicyParameter,
  type PolicyFacts,
} from './checks/policy.ts';
import { checkPrerequisites, type PrerequisiteProofs } from './checks/prerequisites.ts';
import { checkExtensionProfile, checkFileAccessProfile, type ProfileFacts } from './checks/profiles.ts';
import { checkScript, type ScriptFacts } from './checks/script.ts';
import { checkDownload, type Download } from './checks/service.ts';
import type { SlotTime } from './checks/statement.ts';
import type { DeploymentSettings } from './deployment-settings.ts';
import { type LookupResult, notReadYet, type ReadFailure } from './finding.ts';

/** In memory only: scripts and parameters are never stored. */
export interface MacosReading {
  readonly attribute: LookupResult<AttributeFacts>;
  readonly installedGroup: LookupResult<SmartGroupFacts>;
  readonly notInstalledGroup: LookupResult<SmartGroupFacts>;
  readonly policy: LookupResult<PolicyFacts>;
  readonly script: LookupResult<ScriptFacts>;
  readonly extensionProfile: LookupResult<ProfileFacts>;
  readonly fileAccessProfile: LookupResult<ProfileFacts>;
  /** With which Muster signed in. */
  readonly account: JamfAccount | ReadFailure;
  readonly package: Download;
  readonly bundle: Download;
  /** How many managed computers were listed. */
  readonly devices: number;
  /** Their ids; undefined where the inventory was not read in full. */
  readonly managed: readonly string[] | undefined;
}

export interface MacosCheckInput extends SlotTime {
  readonly settings: DeploymentSettings;
  /** The attribute's display name. */
  readonly attribute: string;
  /** The server's own address. */
  readonly server: string;
}

export const emptyMacosReading: MacosReading = {
  attribute: notReadYet,
  installedGroup: notReadYet,
  notInstalledGroup: notReadYet,
  policy: notReadYet,
  script: notReadYet,
  extensionProfile: notReadYet,
  fileAccessProfile: notReadYet,
  account: notReadYet,
  package: notReadYet,
  bundle: notReadYet,
  devices: 0,
  managed: undefined,
};

export function checkMacos(input: MacosCheckInput, read: MacosReading): Finding[] {
  const { settings, server, slot, moment } = input;
  const at = { slot, moment };
  const acceptances = { accepted: settings.accepted, ...at };
  return [
    checkAttribute(read.attribute, settings, acceptances),
    checkGroup('Installed', input.attribute, read.installedGroup),
    checkGroup('Not Installed', input.attribute, read.notInstalledGroup),
    checkPolicy(settings, read.policy, read.managed),
    checkPolicyParameters(settings, server, read.policy),
    checkUpdateInventory(settings, read.policy),
    checkScript(settings, read.script, acceptances),
    checkExtensionProfile(settings, read.extensionProfile, read.managed),
    checkFileAccessProfile(settings, read.fileAccessProfile, read.managed),
    checkPolicyAccount(settings, read.policy, read.account, at),
    checkAccess(settings, read.account, at),
    reportMacosPlaces(settings),
    checkDownload(settings, 'package', read.package),
    checkDownload(settings, 'bundle', read.bundle),
    ...checkPrerequisites(settings, collectMacosProofs(settings, read), at),
  ];
}

function collectMacosProofs(settings: DeploymentSettings, read: MacosReading): PrerequisiteProofs {
  const hasGroup = read.installedGroup.is === 'one' || read.notInstalledGroup.is === 'one';
  const policy = read.policy.is === 'one' ? read.policy.value : undefined;
  return {
    'group-exists': hasGroup ? 'the server has a smart group for it' : undefined,
    'device-enrolled': read.devices > 0 ? 'the server lists enrolled computers' : undefined,
    'api-key': policy && findPolicyParameter(settings, policy, 8) ? 'parameter 8 of the policy is set' : undefined,
    'circle-id': policy && findPolicyParameter(settings, policy, 9) ? 'parameter 9 of the policy is set' : undefined,
  };
}
