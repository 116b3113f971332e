/** What administrators have created on the simulated Jamf Pro server; tests may change any of it while it runs. */
import {
  attributeName,
  circleId,
  directoryScriptName,
  extensionProfileName,
  fileAccessProfileName,
  policyName,
  scriptName,
} from '../company.ts';
import type { DisplaySection, JamfOptions } from '../options.ts';
import type { OriginName } from '../request.ts';
import type { Secrets } from '../secrets.ts';
import { extensionPayload, fileAccessPayload } from './profile-payloads.ts';
import { attributeScript, enrollScript, renderDirectoryScript, toStoredScript } from './scripts.ts';

export interface AttributeDefinition {
  id: number;
  name: string;
  description: string;
  dataType: 'STRING' | 'INTEGER' | 'DATE';
  enabled: boolean;
  displayType: DisplaySection;
  inputType: 'SCRIPT' | 'TEXT' | 'POPUP';
  script: string | null;
  choices: string[];
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
  priority: 'BEFORE' | 'AFTER' | 'AT_REBOOT';
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
  excludedComputerIds: number[];
  /** Names of the network segments that it is limited to. */
  networkSegments: string[];
  scripts: { id: number; priority: 'Before' | 'After' | 'At Reboot'; parameters: string[] }[];
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

const scriptParameterLabels = ['mdmUser', 'mdmPass', 'mdmHost', 'serviceHost', 'apiKey', 'circleId', '', ''];

/** Called once the origins listen, since the policy names their hosts. */
export function createJamfObjects(
  { attributeSection, identity }: Pick<JamfOptions, 'attributeSection' | 'identity'>,
  secrets: Secrets,
  urls: Readonly<Record<OriginName, string>>,
): JamfObjects {
  const isEmail = identity === 'email';
  const parameters = [
    secrets.jamfUser,
    secrets.policyPassword,
    new URL(urls.jamf).host,
    new URL(urls.service).host,
    secrets.serviceApiKey,
    circleId,
  ];
  return {
    attributes: createAttributes(attributeSection),
    groups: createGroups(),
    scripts: [
      { id: 4, name: 'cleanup.sh', priority: 'AFTER', labels: [], contents: toStoredScript('#!/bin/sh\ntrue\n') },
      isEmail
        ? { id: 12, name: scriptName, priority: 'AFTER', labels: scriptParameterLabels, contents: enrollScript }
        : {
            id: 12,
            name: directoryScriptName,
            priority: 'AFTER',
            labels: [],
            contents: renderDirectoryScript(urls.service),
          },
    ],
    policies: [
      { ...createPolicy(6, 'Install browser'), allComputers: true, groupIds: [], updateInventory: false },
      {
        ...createPolicy(14, policyName),
        scripts: [{ id: 12, priority: 'After', parameters: isEmail ? parameters : [] }],
        packages: isEmail ? ['fhfs.pkg'] : [],
      },
    ],
    profiles: [
      createProfile(2, 'Passcode Policy', ''),
      { ...createProfile(31, extensionProfileName, extensionPayload), description: 'Approves the kernel extension' },
      createProfile(32, fileAccessProfileName, fileAccessPayload),
    ],
  };
}

function createAttributes(section: DisplaySection): AttributeDefinition[] {
  return [
    createAttribute(1, 'Local Password', 'GENERAL'),
    createAttribute(2, 'Battery Cycle Count', 'HARDWARE'),
    createAttribute(3, 'Usage Policy Violation', 'USER_AND_LOCATION'),
    createAttribute(4, 'Kernel Panics', 'OPERATING_SYSTEM'),
    createAttribute(5, 'Order Number', 'PURCHASING'),
    createAttribute(6, 'Agent Version', 'EXTENSION_ATTRIBUTES'),
    createAttribute(8, 'Agent Status Old', 'EXTENSION_ATTRIBUTES'),
    { ...createAttribute(12, 'Firewall', 'GENERAL'), enabled: false },
    {
      ...createAttribute(23, attributeName, section),
      description: 'Whether the endpoint agent is there',
      inputType: 'SCRIPT',
      script: attributeScript,
    },
    { ...createAttribute(31, 'Ownership', 'GENERAL'), inputType: 'POPUP', script: null, choices: ['Company', 'Loan'] },
  ];
}

function createAttribute(id: number, name: string, displayType: DisplaySection): AttributeDefinition {
  const script = id % 2 === 0 ? toStoredScript(`#!/bin/sh\necho "<result>${id}</result>"\n`) : null;
  const inputType = script === null ? 'TEXT' : 'SCRIPT';
  return { id, name, description: '', dataType: 'STRING', enabled: true, displayType, inputType, script, choices: [] };
}

function createGroups(): ComputerGroup[] {
  return [
    createSmartGroup(1, 'All Managed Clients'),
    createSmartGroup(
      7,
      'Recent macOS',
      createCriterion('Operating System Version', 'like', '15.'),
      createCriterion('Model', 'is not', 'Mac mini', 1),
    ),
    createSmartGroup(101, 'Agent Installed', createCriterion(attributeName, 'is', 'Installed')),
    createSmartGroup(102, 'Agent Not Installed', createCriterion(attributeName, 'is', 'Not Installed')),
    { id: 18, name: 'Pilot', description: '', smart: false, criteria: [], members: [1, 2] },
  ];
}

function createSmartGroup(id: number, name: string, ...criteria: Criterion[]): ComputerGroup {
  return { id, name, description: '', smart: true, criteria, members: [] };
}

function createCriterion(name: string, searchType: string, value: string, priority = 0): Criterion {
  return { name, priority, andOr: 'and', searchType, value, openingParen: false, closingParen: false };
}

function createProfile(id: number, name: string, payloads: string): ConfigurationProfile {
  return {
    ...{ id, name, payloads, description: '', distribution: 'Install Automatically', level: 'System' },
    ...{ allComputers: true, groupIds: [], excludedGroupIds: [] },
  };
}

function createPolicy(id: number, name: string): JamfPolicy {
  return {
    id,
    name,
    enabled: true,
    frequency: 'Ongoing',
    trigger: 'CHECKIN',
    allComputers: false,
    groupIds: [102],
    excludedGroupIds: [],
    excludedComputerIds: [],
    networkSegments: [],
    scripts: [],
    packages: [],
    updateInventory: true,
  };
}
