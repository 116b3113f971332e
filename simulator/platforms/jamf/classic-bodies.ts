/** The Classic API's long bodies: attributes, scripts, policies and profiles. */
import type { PlatformContext } from '../platform-context.ts';
import type { AttributeDefinition, ConfigurationProfile, JamfPolicy, JamfScript } from './jamf-objects.ts';
import templates from './templates/classic.json' with { type: 'json' };
import { createXmlList, type XmlNode } from './xml.ts';

const inputTypes: Readonly<Record<AttributeDefinition['inputType'], (definition: AttributeDefinition) => XmlNode>> = {
  SCRIPT: ({ script }) => ({ type: 'script', platform: 'Mac', script }),
  POPUP: ({ choices }) => ({ type: 'Pop-up Menu', popup_choices: { choice: choices } }),
  TEXT: () => ({ type: 'Text Field' }),
};

export function toAttributeXml(definition: AttributeDefinition): XmlNode {
  const { dataTypes, sections } = templates.attributeWords;
  return {
    ...templates.attribute,
    id: definition.id,
    name: definition.name,
    enabled: definition.enabled,
    description: definition.description,
    data_type: dataTypes[definition.dataType],
    input_type: inputTypes[definition.inputType](definition),
    inventory_display: sections[definition.displayType],
    recon_display: sections[definition.displayType],
  };
}

export function toScriptXml(script: JamfScript): XmlNode {
  return {
    ...templates.script,
    id: script.id,
    name: script.name,
    filename: script.name,
    priority: templates.scriptPriorities[script.priority],
    parameters: toParametersXml(script.labels),
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
  const packages = policy.packages.map((name, index) => ({ ...templates.policyPackage, id: index + 1, name }));
  return {
    ...templates.policy,
    general: {
      ...templates.policy.general,
      id: policy.id,
      name: policy.name,
      enabled: policy.enabled,
      trigger: policy.trigger,
      trigger_checkin: policy.trigger === 'CHECKIN',
      frequency: policy.frequency,
    },
    scope: toScopeXml(context, policy),
    package_configuration: { packages: createXmlList('package', packages) },
    scripts: createXmlList('script', scripts),
    maintenance: { ...templates.policy.maintenance, recon: policy.updateInventory },
  };
}

function toParametersXml(values: readonly string[]): XmlNode {
  return Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`parameter${index + 4}`, values[index] ?? '']));
}

/** Real responses have the notification twice, as the template has it. */
export function toProfileXml(context: PlatformContext, profile: ConfigurationProfile): XmlNode {
  return {
    ...templates.profile,
    general: {
      ...templates.profile.general,
      id: profile.id,
      name: profile.name,
      description: profile.description,
      distribution_method: profile.distribution,
      level: profile.level,
      uuid: `7D2512AD-BFCE-4CDF-A9BA-${String(profile.id).padStart(12, '0')}`,
      payloads: profile.payloads,
    },
    scope: { ...toScopeXml(context, profile), all_jss_users: false, jss_users: '', jss_user_groups: '' },
  };
}

function toScopeXml(
  context: PlatformContext,
  object: Pick<JamfPolicy, 'allComputers' | 'groupIds' | 'excludedGroupIds'> &
    Partial<Pick<JamfPolicy, 'excludedComputerIds' | 'networkSegments'>>,
): XmlNode {
  const { limitations, exclusions } = templates.scope;
  const segments = (object.networkSegments ?? []).map((name, index) => ({ id: index + 1, uid: '', name }));
  const excluded = (object.excludedComputerIds ?? []).map((id) => ({ id, name: `MAC-${id}`, udid: '' }));
  return {
    ...templates.scope,
    all_computers: object.allComputers,
    computer_groups: toGroupsXml(context, object.groupIds),
    limitations: { ...limitations, network_segments: { network_segment: segments } },
    exclusions: {
      ...exclusions,
      computers: { computer: excluded },
      computer_groups: toGroupsXml(context, object.excludedGroupIds),
    },
  };
}

function toGroupsXml(context: PlatformContext, ids: readonly number[]): XmlNode {
  const groups = context.jamf.groups.filter((group) => ids.includes(group.id));
  return { computer_group: groups.map((group) => ({ id: group.id, name: group.name })) };
}
