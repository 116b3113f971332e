/** The Classic API's long bodies: attributes, scripts, policies and profiles. */
import type { PlatformContext } from '../platform-context.ts';
import {
  type AttributeDefinition,
  type ConfigurationProfile,
  type JamfPolicy,
  type JamfScript,
  jamfSites,
} from './jamf-objects.ts';
import { createXmlList, type XmlNode } from './xml.ts';

const sectionTitles: Readonly<Record<AttributeDefinition['displayType'], string>> = {
  GENERAL: 'General',
  HARDWARE: 'Hardware',
  OPERATING_SYSTEM: 'Operating System',
  USER_AND_LOCATION: 'User and Location',
  PURCHASING: 'Purchasing',
  EXTENSION_ATTRIBUTES: 'Extension Attributes',
};

const noCategory = { id: -1, name: 'No category assigned' };

export function toAttributeXml(definition: AttributeDefinition): XmlNode {
  const { id, name, enabled, description, script, displayType } = definition;
  return {
    id,
    name,
    enabled,
    description,
    data_type: 'String',
    input_type: script === null ? { type: 'Text Field' } : { type: 'script', platform: 'Mac', script },
    inventory_display: sectionTitles[displayType],
    recon_display: sectionTitles[displayType],
  };
}

export function toScriptXml({ id, name, labels, contents }: JamfScript): XmlNode {
  return {
    id,
    name,
    category: noCategory.name,
    priority: 'After',
    parameters: toParametersXml(labels),
    script_contents: contents,
    script_contents_encoded: Buffer.from(contents, 'utf8').toString('base64'),
  };
}

export function toPolicyXml(policy: JamfPolicy, context: PlatformContext): XmlNode {
  const scripts = policy.scripts.map((script) => ({
    id: script.id,
    name: context.jamf.scripts.find((candidate) => candidate.id === script.id)?.name ?? '',
    priority: 'After',
    ...toParametersXml(script.parameters),
  }));
  return {
    general: toPolicyGeneralXml(policy),
    scope: toScopeXml(context, policy, policy.networkSegments),
    self_service: { use_for_self_service: false },
    package_configuration: { packages: { size: 0 } },
    scripts: createXmlList('script', scripts),
    printers: { size: 0, leave_existing_default: '' },
    maintenance: { recon: policy.updateInventory, reset_name: false, heal: false, verify: false },
  };
}

function toPolicyGeneralXml({ id, name, enabled, trigger, frequency }: JamfPolicy): XmlNode {
  return {
    id,
    name,
    enabled,
    trigger,
    trigger_checkin: trigger === 'CHECKIN',
    trigger_enrollment_complete: false,
    frequency,
    category: noCategory,
    site: jamfSites.none,
  };
}

function toParametersXml(values: readonly string[]): XmlNode {
  return Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`parameter${index + 4}`, values[index] ?? '']));
}

/** Renders a profile with two notifications, like real responses. */
export function toProfileXml(profile: ConfigurationProfile, context: PlatformContext): XmlNode {
  return {
    general: {
      id: profile.id,
      name: profile.name,
      description: profile.description,
      site: jamfSites.none,
      category: noCategory,
      distribution_method: profile.distribution,
      user_removable: false,
      level: profile.level,
      uuid: `7D2512AD-BFCE-4CDF-A9BA-${String(profile.id).padStart(12, '0')}`,
      redeploy_on_update: 'Newly Assigned',
      payloads: profile.payloads,
    },
    scope: { ...toScopeXml(context, profile, []), all_jss_users: false, jss_users: '', jss_user_groups: '' },
    self_service: { feature_on_main_page: false, notification: ['false', 'Self Service'] },
  };
}

function toScopeXml(
  { jamf }: PlatformContext,
  { allComputers, groupIds, excludedGroupIds }: JamfPolicy | ConfigurationProfile,
  networkSegments: readonly string[],
): XmlNode {
  const toGroupsXml = (ids: readonly number[]) => ({
    computer_group: jamf.groups.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ id, name })),
  });
  const segments = networkSegments.map((name, index) => ({ id: index + 1, uid: '', name }));
  const nowhere = { buildings: '', departments: '' };
  return {
    all_computers: allComputers,
    computers: '',
    computer_groups: toGroupsXml(groupIds),
    ...nowhere,
    limit_to_users: { user_groups: '' },
    limitations: { users: '', user_groups: '', ibeacons: '', network_segments: { network_segment: segments } },
    exclusions: {
      computers: '',
      computer_groups: toGroupsXml(excludedGroupIds),
      ...nowhere,
      users: '',
      user_groups: '',
      network_segments: '',
      ibeacons: '',
    },
  };
}
