/**
 * Stores what an administrator would create by hand or upload: scripts, Classic XML, profiles, a Graph body. Real
 * servers accept them through their pages and APIs; what those keep of them is kept here.
 */
import { company } from '../platforms/company.ts';
import type { AppRule, MobileApp } from '../platforms/graph/graph-objects.ts';
import type {
  AttributeDefinition,
  ComputerGroup,
  ConfigurationProfile,
  Criterion,
  JamfPolicy,
  JamfScript,
} from '../platforms/jamf/jamf-objects.ts';
import objects from '../platforms/jamf/templates/objects.json' with { type: 'json' };
import type { PlatformContext } from '../platforms/platform-context.ts';
import { type PlatformRequest, toText } from '../platforms/request.ts';
import { type PlatformResponse, respondJson, respondOrRefuse } from '../platforms/response.ts';
import { createFromTemplate } from '../platforms/templates.ts';
import { findDescendant, listChildElements, parseUploadedXml, readDescendantText } from './parse-xml.ts';

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
  const store = uploadHandlers[kind];
  return store === undefined
    ? respondJson(404, { error: `nothing of the kind ${kind} can be uploaded` })
    : respondOrRefuse(() => respondJson(201, { id: String(store(context, request)) }));
}

function storeAttribute(context: PlatformContext, request: PlatformRequest): number {
  return addOrReplace<AttributeDefinition>(context.jamf.attributes, objects.attribute, {
    name: request.query.get('name') ?? company.attributeName,
    displayType: context.jamfOptions.attributeSection,
    inputType: 'SCRIPT',
    script: request.body,
  });
}

function storeScript(context: PlatformContext, request: PlatformRequest): number {
  return addOrReplace<JamfScript>(context.jamf.scripts, objects.script, {
    name: request.query.get('name') ?? '',
    labels: (request.query.get('labels') ?? '').split(','),
    contents: request.body,
  });
}

function storeGroup(context: PlatformContext, request: PlatformRequest): number {
  const root = parseUploadedXml(request.body, 'computer_group');
  const criteria = listChildElements(findDescendant(root, 'criteria'), 'criterion').map(
    (criterion, index): Criterion => ({
      name: readDescendantText(criterion, 'name'),
      priority: Number(readDescendantText(criterion, 'priority') || index),
      andOr: readDescendantText(criterion, 'and_or') === 'or' ? 'or' : 'and',
      searchType: readDescendantText(criterion, 'search_type'),
      value: readDescendantText(criterion, 'value'),
      openingParen: readDescendantText(criterion, 'opening_paren') === 'true',
      closingParen: readDescendantText(criterion, 'closing_paren') === 'true',
    }),
  );
  return addOrReplace<ComputerGroup>(context.jamf.groups, objects.group, {
    name: readDescendantText(root, 'name'),
    smart: readDescendantText(root, 'is_smart') === 'true',
    criteria,
  });
}

function storePolicy(context: PlatformContext, request: PlatformRequest): number {
  const root = parseUploadedXml(request.body, 'policy');
  const scope = findDescendant(root, 'scope');
  return addOrReplace<JamfPolicy>(context.jamf.policies, objects.policy, {
    name: readDescendantText(root, 'general', 'name'),
    enabled: readDescendantText(root, 'general', 'enabled') === 'true',
    frequency: readDescendantText(root, 'general', 'frequency') || 'Once per computer',
    trigger: readDescendantText(root, 'general', 'trigger_checkin') === 'true' ? 'CHECKIN' : 'EVENT',
    allComputers: readDescendantText(scope, 'all_computers') === 'true',
    groupIds: findScopedGroupIds(context, scope),
    excludedGroupIds: findScopedGroupIds(context, findDescendant(scope, 'exclusions')),
    scripts: listChildElements(findDescendant(root, 'scripts'), 'script').map((script) =>
      toPolicyScript(context, script),
    ),
    packages: listChildElements(findDescendant(root, 'package_configuration', 'packages'), 'package').map((element) =>
      readDescendantText(element, 'name'),
    ),
    updateInventory: readDescendantText(root, 'maintenance', 'recon') === 'true',
  });
}

function findScopedGroupIds(context: PlatformContext, scope: unknown): number[] {
  const named = listChildElements(findDescendant(scope, 'computer_groups'), 'computer_group').map((group) =>
    readDescendantText(group, 'name'),
  );
  return context.jamf.groups.filter((group) => named.includes(group.name)).map((group) => group.id);
}

function toPolicyScript(context: PlatformContext, element: unknown): JamfPolicy['scripts'][number] {
  const name = readDescendantText(element, 'name');
  const script = context.jamf.scripts.find((candidate) => candidate.name === name);
  if (script === undefined) {
    throw new Error(`no script ${name}`);
  }
  const parameters = Array.from({ length: 8 }, (_, index) => readDescendantText(element, `parameter${index + 4}`));
  const priority = readDescendantText(element, 'priority') === 'Before' ? 'Before' : 'After';
  return { id: script.id, priority, parameters };
}

/**
 * The web page takes the name and the description from the property list. Spaces and line ends between elements are not
 * stored.
 */
function storeProfile(context: PlatformContext, request: PlatformRequest): number {
  parseUploadedXml(request.body, 'plist');
  const payloads = request.body.replace(/>\s+</g, '><').trim();
  const profile = payloads.replace(/<key>PayloadContent<\/key><array>.*<\/array>/s, '');
  return addOrReplace<ConfigurationProfile>(context.jamf.profiles, objects.profile, {
    name: readTopLevelText(profile, 'PayloadDisplayName'),
    description: readTopLevelText(profile, 'PayloadDescription'),
    level: readTopLevelText(profile, 'PayloadScope') === 'User' ? 'User' : 'System',
    payloads,
  });
}

function readTopLevelText(profile: string, key: string): string {
  const [, text = ''] = new RegExp(`<key>${key}</key><string>([^<]*)</string>`).exec(profile) ?? [];
  return toText(parseUploadedXml(`<text>${text}</text>`, 'text'));
}

/** Replaces the object of that name, or adds a new one; returns its id. */
function addOrReplace<Item extends { id: number; name: string }>(
  items: Item[],
  template: object,
  uploaded: Partial<Item>,
): number {
  const index = items.findIndex((candidate) => candidate.name === uploaded.name);
  const id = items[index]?.id ?? Math.max(0, ...items.map((candidate) => candidate.id)) + 1;
  items.splice(index < 0 ? items.length : index, 1, createFromTemplate<Item>(template, { ...uploaded, id }));
  return id;
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
