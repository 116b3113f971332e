/** Objects that administrators have created on the simulated Jamf Pro server; tests may change any of them while it runs. */
import type { Mac } from '../../devices/model.ts';
import type { DisplaySection } from '../options.ts';

export interface AttributeDefinition {
  id: number;
  name: string;
  description: string;
  enabled: boolean;
  displayType: DisplaySection;
  /** Null where a person enters the value. */
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

/** The sites of the simulated Macs, and "None". */
export const jamfSites = {
  headquarters: { id: 1, name: 'Headquarters' },
  branch: { id: 2, name: 'Branch' },
  none: { id: -1, name: 'None' },
} as const;

export interface ComputerGroup {
  id: number;
  name: string;
  description: string;
  smart: boolean;
  /** The site whose Macs alone it can contain; missing where it has none. */
  site?: Mac['site'];
  criteria: Criterion[];
  /** Ids of a static group's members. */
  members: number[];
  /** Computers whose membership the server has not updated yet. */
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
  /** Names of the network segments to which it is limited. */
  networkSegments: string[];
  scripts: { id: number; parameters: string[] }[];
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

export function createAttribute(own: Partial<AttributeDefinition>): AttributeDefinition {
  const displayType = 'EXTENSION_ATTRIBUTES';
  return { id: 0, name: '', description: '', enabled: true, displayType, script: null, ...own };
}

export function createGroup(own: Partial<ComputerGroup>): ComputerGroup {
  return { id: 0, name: '', description: '', smart: true, criteria: [], members: [], ...own };
}

export function createCriterion(name: string, searchType: string, value: string, priority = 0): Criterion {
  return { name, priority, andOr: 'and', searchType, value, openingParen: false, closingParen: false };
}

export function createScript(own: Partial<JamfScript>): JamfScript {
  return { id: 0, name: '', labels: [], contents: '', ...own };
}

/** Makes a policy that is enabled, at every check-in, for Macs without the agent. */
export function createPolicy(own: Partial<JamfPolicy>): JamfPolicy {
  return {
    id: 0,
    name: '',
    enabled: true,
    frequency: 'Ongoing',
    trigger: 'CHECKIN',
    allComputers: false,
    groupIds: [102],
    excludedGroupIds: [],
    networkSegments: [],
    scripts: [],
    updateInventory: true,
    ...own,
  };
}

export function createProfile(own: Partial<ConfigurationProfile>): ConfigurationProfile {
  return {
    id: 0,
    name: '',
    payloads: '',
    description: '',
    distribution: 'Install Automatically',
    level: 'System',
    allComputers: true,
    groupIds: [],
    excludedGroupIds: [],
    ...own,
  };
}
