/** The short lists of the Jamf Pro API: attributes, scripts, departments, buildings. */
import { buildings, departments, type NamedLocation } from '../../devices/names.ts';
import type { PlatformContext } from '../platform-context.ts';
import { listAttributeDefinitions } from './extension-attributes.ts';
import type { JamfRoute } from './jamf-errors.ts';
import type { AttributeDefinition, JamfScript } from './jamf-objects.ts';
import { respondPage } from './paging.ts';

export const collectionRoutes: readonly JamfRoute[] = [
  createCollectionRoute(
    'computer-extension-attributes',
    'Read Computer Extension Attributes',
    listAttributeDefinitions,
    toDefinitionBody,
  ),
  createCollectionRoute('scripts', 'Read Scripts', ({ jamf }) => jamf.scripts, toScriptBody),
  createCollectionRoute('departments', 'Read Departments', () => departments, toLocationBody),
  createCollectionRoute('buildings', 'Read Buildings', () => buildings, toLocationBody),
];

function createCollectionRoute<Item extends { readonly id: number; readonly name: string }>(
  name: string,
  privilege: JamfRoute['privileges'][number],
  list: (context: PlatformContext) => readonly Item[],
  toBody: (item: Item) => unknown,
): JamfRoute {
  return {
    path: new RegExp(`^/api/v1/${name}$`),
    privileges: [privilege],
    respond: (context, request) =>
      respondPage(context, request, list(context), toBody, { id: (item) => item.id, name: (item) => item.name }),
  };
}

function toDefinitionBody(definition: AttributeDefinition): Record<string, unknown> {
  return {
    id: String(definition.id),
    name: definition.name,
    description: definition.description,
    dataType: 'STRING',
    enabled: definition.enabled,
    inventoryDisplayType: definition.displayType,
    inputType: definition.script === null ? 'TEXT' : 'SCRIPT',
    scriptContents: definition.script,
  };
}

function toScriptBody({ id, name, labels, contents }: JamfScript): Record<string, unknown> {
  const parameters = Array.from({ length: 8 }, (_, index) => [`parameter${index + 4}`, labels[index] ?? '']);
  return {
    id: String(id),
    name,
    priority: 'AFTER',
    categoryId: '-1',
    categoryName: 'NONE',
    ...Object.fromEntries(parameters),
    scriptContents: contents,
  };
}

function toLocationBody({ id, name }: NamedLocation): Record<string, unknown> {
  return { id: String(id), name };
}
