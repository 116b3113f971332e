/**
 * Takes in what an administrator would create by hand or upload: scripts, Classic XML, profiles, a Graph body. Real
 * servers take them through their pages and APIs; what they keep of them is what is kept here.
 */
import { parseString } from 'xml2js';
import { attributeName } from '../platforms/company.ts';
import type { App, Rule } from '../platforms/graph/graph-objects.ts';
import type { Criterion, Policy } from '../platforms/jamf/jamf-objects.ts';
import type { World } from '../platforms/platform-context.ts';
import { type Answer, type Exchange, json, text } from '../platforms/request.ts';

type Node = Readonly<Record<string, unknown>>;

function nodes(parent: unknown, name: string): unknown[] {
  const found = typeof parent === 'object' && parent !== null ? (parent as Node)[name] : undefined;
  return Array.isArray(found) ? found : [];
}

function node(parent: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => nodes(inner, name)[0], parent);
}

function word(parent: unknown, ...names: string[]): string {
  return text(node(parent, ...names)).trim();
}

function xmlOf(body: string, root: string): unknown {
  let value: unknown;
  parseString(body, { explicitRoot: true }, (error, result: unknown) => {
    if (error !== null) {
      throw error;
    }
    value = result;
  });
  const found = typeof value === 'object' && value !== null ? (value as Node)[root] : undefined;
  if (found === undefined) {
    throw new Error(`no <${root}>`);
  }
  return found;
}

/** Takes the place of the object of that name, or comes new. */
function place<Item extends { id: number; name: string }>(items: Item[], item: Omit<Item, 'id'>): number {
  const at = items.findIndex((candidate) => candidate.name === item.name);
  const id = items[at]?.id ?? Math.max(0, ...items.map((candidate) => candidate.id)) + 1;
  items.splice(at < 0 ? items.length : at, at < 0 ? 0 : 1, { ...item, id } as Item);
  return id;
}

function groupIdsOf(world: World, scope: unknown): number[] {
  const named = nodes(node(scope, 'computer_groups'), 'computer_group').map((group) => word(group, 'name'));
  return world.jamf.groups.filter((group) => named.includes(group.name)).map((group) => group.id);
}

function takeAttribute(world: World, exchange: Exchange): number {
  const name = exchange.query.get('name') ?? attributeName;
  const displayType = world.jamfOptions.attributeSection;
  return place(world.jamf.attributes, {
    ...{ name, displayType, description: '', dataType: 'STRING', enabled: true, inputType: 'SCRIPT', choices: [] },
    script: exchange.body,
  });
}

function takeScript(world: World, exchange: Exchange): number {
  const name = exchange.query.get('name') ?? '';
  const labels = (exchange.query.get('labels') ?? '').split(',');
  return place(world.jamf.scripts, { name, labels, priority: 'AFTER', contents: exchange.body });
}

function takeGroup(world: World, exchange: Exchange): number {
  const root = xmlOf(exchange.body, 'computer_group');
  const criteria = nodes(node(root, 'criteria'), 'criterion').map(
    (one, index): Criterion => ({
      name: word(one, 'name'),
      priority: Number(word(one, 'priority') || index),
      andOr: word(one, 'and_or') === 'or' ? 'or' : 'and',
      searchType: word(one, 'search_type'),
      value: word(one, 'value'),
      openingParen: word(one, 'opening_paren') === 'true',
      closingParen: word(one, 'closing_paren') === 'true',
    }),
  );
  const smart = word(root, 'is_smart') === 'true';
  return place(world.jamf.groups, { name: word(root, 'name'), description: '', smart, criteria, members: [] });
}

function usedScript(world: World, one: unknown): Policy['scripts'][number] {
  const name = word(one, 'name');
  const script = world.jamf.scripts.find((candidate) => candidate.name === name);
  if (script === undefined) {
    throw new Error(`no script ${name}`);
  }
  const parameters = Array.from({ length: 8 }, (_, index) => word(one, `parameter${index + 4}`));
  const priority = word(one, 'priority') === 'Before' ? 'Before' : 'After';
  return { id: script.id, priority, parameters };
}

function takePolicy(world: World, exchange: Exchange): number {
  const root = xmlOf(exchange.body, 'policy');
  const scope = node(root, 'scope');
  return place(world.jamf.policies, {
    name: word(root, 'general', 'name'),
    enabled: word(root, 'general', 'enabled') === 'true',
    frequency: word(root, 'general', 'frequency'),
    trigger: word(root, 'general', 'trigger_checkin') === 'true' ? 'CHECKIN' : 'EVENT',
    allComputers: word(scope, 'all_computers') === 'true',
    groupIds: groupIdsOf(world, scope),
    excludedGroupIds: groupIdsOf(world, node(scope, 'exclusions')),
    scripts: nodes(node(root, 'scripts'), 'script').map((one) => usedScript(world, one)),
    packages: nodes(node(root, 'package_configuration', 'packages'), 'package').map((one) => word(one, 'name')),
    updateInventory: word(root, 'maintenance', 'recon') === 'true',
  });
}

/** Spaces and line ends between elements do not survive being stored. */
function takeProfile(world: World, exchange: Exchange): number {
  xmlOf(exchange.body, 'plist');
  const name = exchange.query.get('name') ?? '';
  const payloads = exchange.body.replace(/>\s+</g, '><').trim();
  return place(world.jamf.profiles, { name, description: '', allComputers: true, groupIds: [], payloads });
}

function takeApp(world: World, exchange: Exchange): string {
  const body = JSON.parse(exchange.body) as Readonly<Record<string, unknown>>;
  const id = exchange.query.get('id') ?? '';
  const app: App = {
    id,
    displayName: text(body.displayName),
    type: text(body['@odata.type']),
    installCommandLine: text(body.installCommandLine),
    uninstallCommandLine: text(body.uninstallCommandLine),
    setupFile: text(body.setupFilePath),
    publishingState: 'published',
    rules: Array.isArray(body.rules) ? (body.rules as Rule[]) : [],
    assignments: [],
  };
  world.graph.apps = [app, ...world.graph.apps.filter((candidate) => candidate.id !== id)];
  return id;
}

function assign(world: World, exchange: Exchange): string {
  const app = world.graph.apps.find((candidate) => candidate.id === exchange.query.get('id'));
  const groupId = exchange.query.get('group') ?? '';
  app?.assignments.push({
    id: `${groupId}_0_0_${app.id}`,
    intent: 'available',
    settings: null,
    target: { '@odata.type': '#microsoft.graph.groupAssignmentTarget', groupId },
  });
  return app?.id ?? '';
}

const takers: Readonly<Record<string, (world: World, exchange: Exchange) => number | string>> = {
  attribute: takeAttribute,
  script: takeScript,
  group: takeGroup,
  policy: takePolicy,
  profile: takeProfile,
  app: takeApp,
  assignment: assign,
};

export function uploadRoute(world: World, exchange: Exchange): Answer | undefined {
  const kind = /^\/sandbox\/upload\/([a-z]+)$/.exec(exchange.path)?.[1];
  if (kind === undefined || exchange.method !== 'POST') {
    return undefined;
  }
  const take = takers[kind];
  if (take === undefined) {
    return json(404, { error: `nothing of the kind ${kind} can be uploaded` });
  }
  try {
    return json(201, { id: String(take(world, exchange)) });
  } catch (error) {
    return json(400, { error: error instanceof Error ? error.message : String(error) });
  }
}
