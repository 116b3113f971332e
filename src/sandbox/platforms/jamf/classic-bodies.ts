/** The Classic API's long bodies: attributes, scripts, policies and profiles. */
import type { DisplaySection } from '../options.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { AttributeDefinition, ConfigurationProfile, JamfPolicy, JamfScript } from './jamf-objects.ts';
import { createXmlList, type XmlNode } from './xml.ts';

const sectionDisplayNames: Readonly<Record<DisplaySection, string>> = {
  GENERAL: 'General',
  HARDWARE: 'Hardware',
  OPERATING_SYSTEM: 'Operating System',
  USER_AND_LOCATION: 'User and Location',
  PURCHASING: 'Purchasing',
  EXTENSION_ATTRIBUTES: 'Extension Attributes',
};

const noSite = { id: -1, name: 'None' };
const noCategory = { id: -1, name: 'No category assigned' };

export function toAttributeXml(definition: AttributeDefinition): XmlNode {
  const display = sectionDisplayNames[definition.displayType];
  const input =
    definition.inputType === 'SCRIPT'
      ? { type: 'script', platform: 'Mac', script: definition.script }
      : definition.inputType === 'POPUP'
        ? { type: 'Pop-up Menu', popup_choices: { choice: definition.choices } }
        : { type: 'Text Field' };
  return {
    id: definition.id,
    name: definition.name,
    enabled: definition.enabled,
    description: definition.description,
    data_type: { STRING: 'String', INTEGER: 'Integer', DATE: 'Date' }[definition.dataType],
    input_type: input,
    inventory_display: display,
    recon_display: display,
  };
}

export function toScriptXml(script: JamfScript): XmlNode {
  return {
    id: script.id,
    name: script.name,
    category: 'No category assigned',
    filename: script.name,
    info: '',
    notes: '',
    priority: { BEFORE: 'Before', AFTER: 'After', AT_REBOOT: 'At Reboot' }[script.priority],
    parameters: toParametersXml(script.labels),
    os_requirements: '',
    script_contents: script.contents,
    script_contents_encoded: Buffer.from(script.contents, 'utf8').toString('base64'),
  };
}

export function toPolicyXml(context: PlatformContext, policy: JamfPolicy): XmlNode {
  const scripts = policy.scripts.map((script) => ({
    id: script.id,
    name: context.jamf.scripts.find((candidate) => candidate.id === script.id)?.name ?? '',
    priority: script.priority,
    ...toParametersXml(script.parameters),
  }));
  return {
    general: {
      id: policy.id,
      name: policy.name,
      enabled: policy.enabled,
      trigger: policy.trigger,
      trigger_checkin: policy.trigger === 'CHECKIN',
      trigger_enrollment_complete: false,
      trigger_login: false,
      trigger_network_state_changed: false,
      trigger_startup: false,
      trigger_other: '',
      frequency: policy.frequency,
      retry_event: 'none',
      retry_attempts: -1,
      target_drive: '/',
      category: noCategory,
      date_time_limitations: {
        activation_date: '',
        activation_date_epoch: 0,
        expiration_date: '',
        expiration_date_epoch: 0,
        no_execute_on: '',
      },
      override_default_settings: { target_drive: 'default', distribution_point: '' },
      site: noSite,
    },
    scope: toScopeXml(context, policy),
    self_service: {
      use_for_self_service: false,
      self_service_display_name: '',
      self_service_icon: '',
      self_service_categories: '',
    },
    package_configuration: {
      packages: createXmlList(
        'package',
        policy.packages.map((name, index) => ({ id: index + 1, name, action: 'Install', fut: false, feu: false })),
      ),
    },
    scripts: createXmlList('script', scripts),
    printers: { size: 0, leave_existing_default: '' },
    maintenance: {
      recon: policy.updateInventory,
      reset_name: false,
      install_all_cached_packages: false,
      heal: false,
      prebindings: false,
      permissions: false,
      byhost: false,
      system_cache: false,
      user_cache: false,
      verify: false,
    },
    files_processes: { search_by_path: '', delete_file: false, run_command: '' },
    user_interaction: { message_start: '', message_finish: '' },
    disk_encryption: { action: 'none' },
  };
}

function toParametersXml(values: readonly string[]): XmlNode {
  return Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`parameter${index + 4}`, values[index] ?? '']));
}

export function toProfileXml(context: PlatformContext, profile: ConfigurationProfile): XmlNode {
  return {
    general: {
      id: profile.id,
      name: profile.name,
      description: profile.description,
      site: noSite,
      category: noCategory,
      distribution_method: profile.distribution,
      user_removable: false,
      level: profile.level,
      uuid: `7D2512AD-BFCE-4CDF-A9BA-${String(profile.id).padStart(12, '0')}`,
      redeploy_on_update: 'Newly Assigned',
      payloads: profile.payloads,
    },
    scope: { ...toScopeXml(context, profile), all_jss_users: false, jss_users: '', jss_user_groups: '' },
    // Real responses have the notification twice.
    self_service: { feature_on_main_page: false, notification: ['false', 'Self Service'] },
  };
}

function toScopeXml(
  context: PlatformContext,
  object: Pick<JamfPolicy, 'allComputers' | 'groupIds' | 'excludedGroupIds'> &
    Partial<Pick<JamfPolicy, 'excludedComputerIds' | 'networkSegments'>>,
): XmlNode {
  return {
    all_computers: object.allComputers,
    computers: '',
    computer_groups: toGroupsXml(context, object.groupIds),
    buildings: '',
    departments: '',
    limit_to_users: { user_groups: '' },
    limitations: {
      ...createEmptyElements('users', 'user_groups', 'ibeacons'),
      network_segments: {
        network_segment: (object.networkSegments ?? []).map((name, index) => ({ id: index + 1, uid: '', name })),
      },
    },
    exclusions: {
      computers: { computer: (object.excludedComputerIds ?? []).map((id) => ({ id, name: `MAC-${id}`, udid: '' })) },
      computer_groups: toGroupsXml(context, object.excludedGroupIds),
      ...createEmptyElements('buildings', 'departments', 'users', 'user_groups', 'network_segments', 'ibeacons'),
    },
  };
}

function toGroupsXml(context: PlatformContext, ids: readonly number[]): XmlNode {
  const groups = context.jamf.groups.filter((group) => ids.includes(group.id));
  return { computer_group: groups.map((group) => ({ id: group.id, name: group.name })) };
}

function createEmptyElements(...names: string[]): XmlNode {
  return Object.fromEntries(names.map((name) => [name, '']));
}
