/** What administrators have created on the simulated Jamf Pro server; tests may change any of it while it runs. */
import { company } from '../company.ts';
import type { DisplaySection, JamfOptions } from '../options.ts';
import type { OriginName } from '../platforms.ts';
import type { Secrets } from '../secrets.ts';
import { createFromTemplate, fillTemplate } from '../templates.ts';
import { extensionPayloads, fileAccessPayloads } from './profiles.ts';
import { attributeScript, enrollScript, renderDirectoryScript } from './scripts.ts';
import objects from './templates/objects.json' with { type: 'json' };

export interface AttributeDefinition {
  id: number;
  name: string;
  description: string;
  enabled: boolean;
  displayType: DisplaySection;
  inputType: 'SCRIPT' | 'TEXT';
  script: string | null;
}

export interface Criterion {
  name: string;
  priority: number;
  andOr: 'and' | 'or';
  searchType: string;
  value: string;
  openingParen: boolean;
  closingParen: boolean;
}

export interface ComputerGroup {
  id: number;
  name: string;
  description: string;
  smart: boolean;
  criteria: Criterion[];
  /** Ids of a static group's members. */
  members: number[];
  /** Computers whose membership the server has not updated: still members, or not yet. */
  lagging?: readonly number[];
}

export interface JamfScript {
  id: number;
  name: string;
  /** Labels of parameters 4 to 11. */
  labels: string[];
  contents: string;
}

export interface JamfPolicy {
  id: number;
  name: string;
  enabled: boolean;
  frequency: string;
  trigger: string;
  allComputers: boolean;
  groupIds: number[];
  excludedGroupIds: number[];
  /** Names of the network segments that it is limited to. */
  networkSegments: string[];
  scripts: { id: number; parameters: string[] }[];
  /** Names of the packages it installs. */
  packages: string[];
  updateInventory: boolean;
}

export interface ConfigurationProfile {
  id: number;
  name: string;
  description: string;
  distribution: 'Install Automatically' | 'Make Available in Self Service';
  /** Written as "Computer" or "User"; the first is read back as "System". */
  level: 'System' | 'User';
  allComputers: boolean;
  groupIds: number[];
  excludedGroupIds: number[];
  payloads: string;
}

export interface JamfObjects {
  attributes: AttributeDefinition[];
  groups: ComputerGroup[];
  scripts: JamfScript[];
  policies: JamfPolicy[];
  profiles: ConfigurationProfile[];
}

/** Called once the origins listen, since the policy names their hosts. */
export function createJamfObjects(
  { attributeSection, identity }: Pick<JamfOptions, 'attributeSection' | 'identity'>,
  secrets: Secrets,
  urls: Readonly<Record<OriginName, string>>,
): JamfObjects {
  const filled = fillTemplate(objects, {
    ...company,
    attributeSection,
    attributeScript,
    enrollScript,
    directoryScript: renderDirectoryScript(urls.service),
    jamfUser: secrets.jamf.user,
    policyPassword: secrets.policyPassword,
    jamfHost: new URL(urls.jamf).host,
    serviceHost: new URL(urls.service).host,
    serviceApiKey: secrets.serviceApiKey,
    extensionPayloads,
    fileAccessPayloads,
  });
  return {
    attributes: filled.attributes.map((own) => createFromTemplate<AttributeDefinition>(filled.attribute, own)),
    groups: filled.groups.map((own) =>
      createFromTemplate<ComputerGroup>(filled.group, {
        ...own,
        criteria: (own.criteria ?? []).map((criterion) => createFromTemplate<Criterion>(filled.criterion, criterion)),
      }),
    ),
    scripts: [filled.scripts.cleanup, filled.scripts[identity]].map((own) =>
      createFromTemplate<JamfScript>(filled.script, own),
    ),
    policies: [filled.policies.browser, filled.policies[identity]].map((own) =>
      createFromTemplate<JamfPolicy>(filled.policy, own),
    ),
    profiles: filled.profiles.map((own) => createFromTemplate<ConfigurationProfile>(filled.profile, own)),
  };
}
