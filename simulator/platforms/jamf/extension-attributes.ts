/** Extension attributes: their definitions, and the entries in every computer's inventory. */
import type { Mac } from '../../devices/model.ts';
import { probability } from '../../devices/probabilities.ts';
import { drawNumber } from '../../devices/random.ts';
import { company } from '../company.ts';
import type { DisplaySection } from '../options.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { AttributeDefinition } from './jamf-objects.ts';

/** The name under the fault attribute-renamed. */
const nameAfterRename = `${company.attributeName} (renamed)`;
const otherValueLimit = 40;
const defaultLargeKilobytes = 150;
const line = 'com.example.application 1.2.3\n';

/** Makes a reader of a computer's entries in a section, from the current definitions. */
export function createAttributeReader(context: PlatformContext): (mac: Mac, section: DisplaySection) => unknown[] {
  const definitions = Map.groupBy(listAttributeDefinitions(context), ({ displayType }) => displayType);
  const largeRows = context.faults.find('jamf', 'large-rows');
  return (mac, section) => {
    const entries = (definitions.get(section) ?? []).flatMap<unknown>((definition) => {
      const values = readAttributeValues(context, mac, definition);
      return values === undefined ? [] : toAttributeEntry(definition, values);
    });
    return largeRows !== undefined && section === context.jamfOptions.attributeSection
      ? [...entries, toLargeEntry(largeRows.number ?? defaultLargeKilobytes)]
      : entries;
  };
}

function toAttributeEntry(definition: AttributeDefinition, values: readonly string[] | null): unknown {
  return {
    definitionId: String(definition.id),
    name: definition.name,
    description: definition.description === '' ? null : definition.description,
    enabled: definition.enabled,
    values,
    dataType: 'STRING',
    inputType: definition.script === null ? 'TEXT' : 'SCRIPT',
  };
}

/** A large entry, like that of an attribute that lists everything installed. */
function toLargeEntry(kilobytes: number): unknown {
  const values = [line.repeat(Math.ceil((kilobytes * 1000) / line.length))];
  return { definitionId: '9000', name: 'Everything installed', enabled: true, values, inputType: 'SCRIPT' };
}

/** The values that a computer has for an attribute; undefined where it has no entry at all. */
export function readAttributeValues(
  context: PlatformContext,
  mac: Mac,
  definition: AttributeDefinition,
): readonly string[] | null | undefined {
  // The attribute keeps its id when it is renamed.
  if (definition.id === context.jamf.attributes.find(isAgentAttribute)?.id) {
    return mac.agent.attributeEntry?.values;
  }
  // Values of other attributes look like the agent's, so that a client that reads the wrong one is noticed.
  if (definition.name.startsWith(company.attributeName)) {
    return ['Installed'];
  }
  const number = drawNumber(definition.id, mac.ordinal) % otherValueLimit;
  return number < otherValueLimit * probability.otherAttributeEmpty ? [] : [String(number)];
}

/** Current definitions, under the faults attribute-renamed and attribute-disabled. */
export function listAttributeDefinitions(context: PlatformContext): AttributeDefinition[] {
  const rename = context.faults.find('jamf', 'attribute-renamed') !== undefined;
  const disable = context.faults.find('jamf', 'attribute-disabled') !== undefined;
  return context.jamf.attributes.map((definition) =>
    isAgentAttribute(definition) && (rename || disable)
      ? { ...definition, name: rename ? nameAfterRename : definition.name, enabled: definition.enabled && !disable }
      : definition,
  );
}

function isAgentAttribute(definition: AttributeDefinition): boolean {
  return definition.name === company.attributeName;
}
