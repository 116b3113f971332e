/** Extension attributes: their definitions, and the entries that every computer carries. */

import type { Mac } from '../../devices/model.ts';
import { draw } from '../../devices/random.ts';
import { attributeName, type DisplaySection } from '../company.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, json } from '../request.ts';
import { forbidden, notFound } from './jamf-errors.ts';
import type { AttributeDefinition } from './jamf-objects.ts';
import { pageOf } from './paging.ts';

const renamed = 'Agent Status (renamed)';

function isOurs(definition: AttributeDefinition): boolean {
  return definition.name === attributeName;
}

/** The definitions as they stand, with the faults of the instrument. */
export function definitions(world: World): AttributeDefinition[] {
  const rename = world.faults.find('jamf', 'attribute-renamed') !== undefined;
  const disable = world.faults.find('jamf', 'attribute-disabled') !== undefined;
  return world.jamf.attributes.map((definition) =>
    isOurs(definition) && (rename || disable)
      ? { ...definition, name: rename ? renamed : definition.name, enabled: definition.enabled && !disable }
      : definition,
  );
}

/** The agent's attribute keeps its id when it is renamed. */
function agentAttributeId(world: World): number | undefined {
  return world.jamf.attributes.find(isOurs)?.id;
}

/** The values a computer holds for an attribute; undefined where it has no entry at all. */
export function valuesOf(
  world: World,
  mac: Mac,
  definition: AttributeDefinition,
): readonly string[] | null | undefined {
  if (definition.id === agentAttributeId(world)) {
    return mac.answer === undefined ? undefined : mac.answer.values;
  }
  const number = draw(definition.id, mac.ordinal) % 40;
  // An attribute beside ours whose values look like ours: whoever reads the wrong one must notice.
  return definition.name.startsWith('Agent Status') ? ['Installed'] : number < 20 ? [] : [String(number)];
}

const inventoryTypes = { STRING: 'STRING', INTEGER: 'INTEGER', DATE: 'DATE_TIME' } as const;

export function entriesOf(
  world: World,
  known: readonly AttributeDefinition[],
  mac: Mac,
  section: DisplaySection,
): unknown[] {
  return known
    .filter((definition) => definition.displayType === section)
    .flatMap((definition) => {
      const values = valuesOf(world, mac, definition);
      return values === undefined
        ? []
        : {
            definitionId: String(definition.id),
            name: definition.name,
            description: definition.description === '' ? null : definition.description,
            enabled: definition.enabled,
            multiValue: false,
            values,
            dataType: inventoryTypes[definition.dataType],
            options: definition.choices,
            inputType: definition.inputType,
          };
    });
}

function definitionBody(definition: AttributeDefinition): Record<string, unknown> {
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

export function attributeRoute(world: World, exchange: Exchange): Answer | undefined {
  const match = /^\/api\/v1\/computer-extension-attributes(?:\/(\d+))?$/.exec(exchange.path);
  if (match === null) {
    return undefined;
  }
  const refusal = forbidden(world, exchange, 'Read Computer Extension Attributes');
  if (refusal !== undefined) {
    return refusal;
  }
  const known = definitions(world);
  if (match[1] !== undefined) {
    const found = known.find((definition) => String(definition.id) === match[1]);
    return found === undefined ? notFound() : json(200, definitionBody(found));
  }
  return pageOf(world, exchange, known, definitionBody, {
    id: (definition) => definition.id,
    name: (definition) => definition.name,
  });
}
