/** Extension attributes: their definitions, and the entries in every computer's inventory. */
import type { Mac } from '../../devices/model.ts';
import { probability } from '../../devices/probabilities.ts';
import { drawNumber } from '../../devices/random.ts';
import { attributeName } from '../company.ts';
import type { DisplaySection } from '../options.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { refuseMissingPrivilege, respondNotFound } from './jamf-errors.ts';
import type { AttributeDefinition } from './jamf-objects.ts';
import { respondPage } from './paging.ts';

/** The name under the fault attribute-renamed. */
const nameAfterRename = `${attributeName} (renamed)`;
const otherValueLimit = 40;
const defaultLargeKilobytes = 150;
const line = 'com.example.application 1.2.3\n';
const inventoryDataTypes = { STRING: 'STRING', INTEGER: 'INTEGER', DATE: 'DATE_TIME' } as const;

export function toAttributeEntries(
  context: PlatformContext,
  known: readonly AttributeDefinition[],
  mac: Mac,
  section: DisplaySection,
): unknown[] {
  const entries = known
    .filter((definition) => definition.displayType === section)
    .flatMap<unknown>((definition) => {
      const values = readAttributeValues(context, mac, definition);
      return values === undefined
        ? []
        : {
            definitionId: String(definition.id),
            name: definition.name,
            description: definition.description === '' ? null : definition.description,
            enabled: definition.enabled,
            multiValue: false,
            values,
            dataType: inventoryDataTypes[definition.dataType],
            options: definition.choices,
            inputType: definition.inputType,
          };
    });
  const large =
    section === context.jamfOptions.attributeSection ? context.faults.find('jamf', 'large-rows') : undefined;
  return large === undefined ? entries : [...entries, toLargeEntry(large.number ?? defaultLargeKilobytes)];
}

/** As of an attribute that lists everything that is installed. */
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
  if (definition.id === findAgentAttributeId(context)) {
    return mac.agent.attributeEntry?.values;
  }
  // The values of another attribute look like the agent's, so that a client that reads the wrong one shows it.
  if (definition.name.startsWith(attributeName)) {
    return ['Installed'];
  }
  const number = drawNumber(definition.id, mac.ordinal) % otherValueLimit;
  return number < otherValueLimit * probability.otherAttributeEmpty ? [] : [String(number)];
}

/** The agent's attribute keeps its id when it is renamed. */
function findAgentAttributeId(context: PlatformContext): number | undefined {
  return context.jamf.attributes.find(isAgentAttribute)?.id;
}

export function routeExtensionAttributes(
  context: PlatformContext,
  request: PlatformRequest,
): PlatformResponse | undefined {
  const match = /^\/api\/v1\/computer-extension-attributes(?:\/(\d+))?$/.exec(request.path);
  if (match === null) {
    return undefined;
  }
  const refusal = refuseMissingPrivilege(context, request, 'Read Computer Extension Attributes');
  if (refusal !== undefined) {
    return refusal;
  }
  const known = listAttributeDefinitions(context);
  if (match[1] !== undefined) {
    const found = known.find((definition) => String(definition.id) === match[1]);
    return found === undefined ? respondNotFound() : respondJson(200, toDefinitionBody(found));
  }
  return respondPage(context, request, known, toDefinitionBody, {
    id: (definition) => definition.id,
    name: (definition) => definition.name,
  });
}

/** The definitions as they are under the faults attribute-renamed and attribute-disabled. */
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
  return definition.name === attributeName;
}

function toDefinitionBody(definition: AttributeDefinition): Record<string, unknown> {
  return {
    id: String(definition.id),
    name: definition.name,
    description: definition.description,
    dataType: definition.dataType,
    enabled: definition.enabled,
    inventoryDisplayType: definition.displayType,
    inputType: definition.inputType,
    scriptContents: definition.script,
    popupMenuChoices: definition.choices,
    ldapAttributeMapping: '',
    ldapExtensionAttributeAllowed: false,
    manageExistingData: null,
  };
}
