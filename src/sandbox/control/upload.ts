/**
 * Takes in what an administrator would create by hand or upload: scripts, Classic XML, profiles, a Graph body. Real
 * servers take them through their pages and APIs; what they keep of them is what is kept here.
 */
import { parseString } from 'xml2js';
import { attributeName } from '../platforms/company.ts';
import type { AppRule, MobileApp } from '../platforms/graph/graph-objects.ts';
import type { Criterion, Policy } from '../platforms/jamf/jamf-objects.ts';
import type { PlatformContext } from '../platforms/platform-context.ts';
import { type PlatformRequest, type PlatformResponse, respondJson, toText } from '../platforms/request.ts';

type XmlElement = Readonly<Record<string, unknown>>;

const uploadHandlers: Readonly<
  Record<string, (context: PlatformContext, request: PlatformRequest) => number | string>
> = {
  attribute: storeAttribute,
  script: storeScript,
  group: storeGroup,
  policy: storePolicy,
  profile: storeProfile,
  app: storeApp,
  assignment: storeAssignment,
};

export function routeUpload(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const kind = /^\/sandbox\/upload\/([a-z]+)$/.exec(request.path)?.[1];
  if (kind === undefined || request.method !== 'POST') {
    return undefined;
  }
  const take = uploadHandlers[kind];
  if (take === undefined) {
    return respondJson(404, { error: `nothing of the kind ${kind} can be uploaded` });
  }
  try {
    return respondJson(201, { id: String(take(context, request)) });
  } catch (error) {
    return respondJson(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function storeAttribute(context: PlatformContext, request: PlatformRequest): number {
  const name = request.query.get('name') ?? attributeName;
  const displayType = context.jamfOptions.attributeSection;
  return addOrReplace(context.jamf.attributes, {
    ...{ name, displayType, description: '', dataType: 'STRING', enabled: true, inputType: 'SCRIPT', choices: [] },
    script: request.body,
  });
}

/** Takes the place of the object of that name, or comes new. */
function addOrReplace<Item extends { id: number; name: string }>(items: Item[], item: Omit<Item, 'id'>): number {
  const at = items.findIndex((candidate) => candidate.name === item.name);
  const id = items[at]?.id ?? Math.max(0, ...items.map((candidate) => candidate.id)) + 1;
  items.splice(at < 0 ? items.length : at, at < 0 ? 0 : 1, { ...item, id } as Item);
  return id;
}

function storeScript(context: PlatformContext, request: PlatformRequest): number {
  const name = request.query.get('name') ?? '';
  const labels = (request.query.get('labels') ?? '').split(',');
  return addOrReplace(context.jamf.scripts, { name, labels, priority: 'AFTER', contents: request.body });
}

function storeGroup(context: PlatformContext, request: PlatformRequest): number {
  const root = parseXmlBody(request.body, 'computer_group');
  const criteria = listChildren(findDescendant(root, 'criteria'), 'criterion').map(
    (one, index): Criterion => ({
      name: readDescendantText(one, 'name'),
      priority: Number(readDescendantText(one, 'priority') || index),
      andOr: readDescendantText(one, 'and_or') === 'or' ? 'or' : 'and',
      searchType: readDescendantText(one, 'search_type'),
      value: readDescendantText(one, 'value'),
      openingParen: readDescendantText(one, 'opening_paren') === 'true',
      closingParen: readDescendantText(one, 'closing_paren') === 'true',
    }),
  );
  const smart = readDescendantText(root, 'is_smart') === 'true';
  return addOrReplace(context.jamf.groups, {
    name: readDescendantText(root, 'name'),
    description: '',
    smart,
    criteria,
    members: [],
  });
}

function parseXmlBody(body: string, root: string): unknown {
  let value: unknown;
  parseString(body, { explicitRoot: true }, (error, result: unknown) => {
    if (error !== null) {
      throw error;
    }
    value = result;
  });
  const found = typeof value === 'object' && value !== null ? (value as XmlElement)[root] : undefined;
  if (found === undefined) {
    throw new Error(`no <${root}>`);
  }
  return found;
}

function listChildren(parent: unknown, name: string): unknown[] {
  const found = typeof parent === 'object' && parent !== null ? (parent as XmlElement)[name] : undefined;
  return Array.isArray(found) ? found : [];
}

function findDescendant(parent: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => listChildren(inner, name)[0], parent);
}

function readDescendantText(parent: unknown, ...names: string[]): string {
  return toText(findDescendant(parent, ...names)).trim();
}

function storePolicy(context: PlatformContext, request: PlatformRequest): number {
  const root = parseXmlBody(request.body, 'policy');
  const scope = findDescendant(root, 'scope');
  return addOrReplace(context.jamf.policies, {
    name: readDescendantText(root, 'general', 'name'),
    enabled: readDescendantText(root, 'general', 'enabled') === 'true',
    frequency: readDescendantText(root, 'general', 'frequency'),
    trigger: readDescendantText(root, 'general', 'trigger_checkin') === 'true' ? 'CHECKIN' : 'EVENT',
    allComputers: readDescendantText(scope, 'all_computers') === 'true',
    groupIds: findScopedGroupIds(context, scope),
    excludedGroupIds: findScopedGroupIds(context, findDescendant(scope, 'exclusions')),
    scripts: listChildren(findDescendant(root, 'scripts'), 'script').map((one) => toPolicyScript(context, one)),
    packages: listChildren(findDescendant(root, 'package_configuration', 'packages'), 'package').map((one) =>
      readDescendantText(one, 'name'),
    ),
    updateInventory: readDescendantText(root, 'maintenance', 'recon') === 'true',
  });
}

function findScopedGroupIds(context: PlatformContext, scope: unknown): number[] {
  const named = listChildren(findDescendant(scope, 'computer_groups'), 'computer_group').map((group) =>
    readDescendantText(group, 'name'),
  );
  return context.jamf.groups.filter((group) => named.includes(group.name)).map((group) => group.id);
}

function toPolicyScript(context: PlatformContext, one: unknown): Policy['scripts'][number] {
  const name = readDescendantText(one, 'name');
  const script = context.jamf.scripts.find((candidate) => candidate.name === name);
  if (script === undefined) {
    throw new Error(`no script ${name}`);
  }
  const parameters = Array.from({ length: 8 }, (_, index) => readDescendantText(one, `parameter${index + 4}`));
  const priority = readDescendantText(one, 'priority') === 'Before' ? 'Before' : 'After';
  return { id: script.id, priority, parameters };
}

/** Spaces and line ends between elements do not survive being stored. */
function storeProfile(context: PlatformContext, request: PlatformRequest): number {
  parseXmlBody(request.body, 'plist');
  const name = request.query.get('name') ?? '';
  const payloads = request.body.replace(/>\s+</g, '><').trim();
  return addOrReplace(context.jamf.profiles, { name, description: '', allComputers: true, groupIds: [], payloads });
}

function storeApp(context: PlatformContext, request: PlatformRequest): string {
  const body = JSON.parse(request.body) as Readonly<Record<string, unknown>>;
  const id = request.query.get('id') ?? '';
  const app: MobileApp = {
    id,
    displayName: toText(body.displayName),
    type: toText(body['@odata.type']),
    installCommandLine: toText(body.installCommandLine),
    uninstallCommandLine: toText(body.uninstallCommandLine),
    setupFile: toText(body.setupFilePath),
    publishingState: 'published',
    rules: Array.isArray(body.rules) ? (body.rules as AppRule[]) : [],
    assignments: [],
  };
  context.graph.apps = [app, ...context.graph.apps.filter((candidate) => candidate.id !== id)];
  return id;
}

function storeAssignment(context: PlatformContext, request: PlatformRequest): string {
  const app = context.graph.apps.find((candidate) => candidate.id === request.query.get('id'));
  const groupId = request.query.get('group') ?? '';
  app?.assignments.push({
    id: `${groupId}_0_0_${app.id}`,
    intent: 'available',
    settings: null,
    target: { '@odata.type': '#microsoft.graph.groupAssignmentTarget', groupId },
  });
  return app?.id ?? '';
}
