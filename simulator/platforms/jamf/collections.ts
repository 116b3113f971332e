/** The short lists of the Jamf Pro API, each with its objects by id: attributes, scripts, departments, buildings. */
import { buildings, departments, type NamedLocation } from '../../devices/locations.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { listAttributeDefinitions } from './extension-attributes.ts';
import { type Privilege, refuseMissingPrivilege, respondNotFound } from './jamf-errors.ts';
import type { AttributeDefinition, JamfScript } from './jamf-objects.ts';
import { respondPage } from './paging.ts';
import templates from './templates/collections.json' with { type: 'json' };

type CollectionRoute = (context: PlatformContext, request: PlatformRequest, id: string | undefined) => PlatformResponse;

const routes: Readonly<Record<string, CollectionRoute>> = {
  'computer-extension-attributes': createCollectionRoute(
    'Read Computer Extension Attributes',
    listAttributeDefinitions,
    toDefinitionBody,
  ),
  scripts: createCollectionRoute('Read Scripts', ({ jamf }) => jamf.scripts, toScriptBody),
  departments: createCollectionRoute('Read Departments', () => departments, toLocationBody),
  buildings: createCollectionRoute('Read Buildings', () => buildings, toLocationBody),
};

export function routeCollections(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const [, name = '', id] = /^\/api\/v1\/([a-z-]+)(?:\/(\d+))?$/.exec(request.path) ?? [];
  return Object.hasOwn(routes, name) ? routes[name]?.(context, request, id) : undefined;
}

function createCollectionRoute<Item extends { readonly id: number; readonly name: string }>(
  privilege: Privilege,
  list: (context: PlatformContext) => readonly Item[],
  toBody: (item: Item) => unknown,
): CollectionRoute {
  return (context, request, id) => {
    const refusal = refuseMissingPrivilege(context, request, privilege);
    if (refusal !== undefined) {
      return refusal;
    }
    if (id === undefined) {
      return respondPage(context, request, list(context), toBody, { id: (item) => item.id, name: (item) => item.name });
    }
    const found = list(context).find((item) => String(item.id) === id);
    return found === undefined ? respondNotFound() : respondJson(200, toBody(found));
  };
}

function toDefinitionBody(definition: AttributeDefinition): Record<string, unknown> {
  return {
    ...templates.attribute,
    id: String(definition.id),
    name: definition.name,
    description: definition.description,
    dataType: definition.dataType,
    enabled: definition.enabled,
    inventoryDisplayType: definition.displayType,
    inputType: definition.inputType,
    scriptContents: definition.script,
    popupMenuChoices: definition.choices,
  };
}

function toScriptBody(script: JamfScript): Record<string, unknown> {
  const labels = script.labels.map((label, index) => [`parameter${index + 4}`, label]);
  return {
    ...templates.script,
    id: String(script.id),
    name: script.name,
    priority: script.priority,
    ...Object.fromEntries(labels),
    scriptContents: script.contents,
  };
}

function toLocationBody({ id, name }: NamedLocation): Record<string, unknown> {
  return { id: String(id), name };
}
