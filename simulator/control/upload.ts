/**
 * Stores objects that an administrator would create by hand or upload: scripts, Classic XML, profiles, a Graph body.
 * Keeps of them what real servers keep.
 */
import { parseString } from 'xml2js';
import { company } from '../platforms/company.ts';
import { type AppRule, createAssignment, type MobileApp } from '../platforms/graph/graph-objects.ts';
import {
  createAttribute,
  createCriterion,
  createGroup,
  createPolicy,
  createProfile,
  createScript,
} from '../platforms/jamf/jamf-objects.ts';
import type { PlatformContext } from '../platforms/platform-context.ts';
import type { PlatformRequest } from '../platforms/request.ts';
import { type PlatformResponse, respondJson } from '../platforms/response.ts';

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
  const store = uploadHandlers[request.path.replace('/sandbox/upload/', '')];
  return store && respondJson(201, { id: String(store(context, request)) });
}

function storeAttribute({ jamf, jamfOptions }: PlatformContext, { query, body }: PlatformRequest): number {
  const name = query.get('name') ?? company.attributeName;
  return addOrReplace(
    jamf.attributes,
    createAttribute({ name, displayType: jamfOptions.attributeSection, script: body }),
  );
}

function storeScript({ jamf }: PlatformContext, { query, body }: PlatformRequest): number {
  const name = query.get('name') ?? '';
  return addOrReplace(jamf.scripts, createScript({ name, contents: body }));
}

type XmlText = Readonly<Record<string, string>>;

/** An uploaded smart group, which has one criterion. */
interface UploadedGroup {
  readonly computer_group: {
    readonly name: string;
    readonly criteria: { readonly criterion: Readonly<Record<'name' | 'search_type' | 'value', string>> };
  };
}

function storeGroup({ jamf }: PlatformContext, { body }: PlatformRequest): number {
  const { name, criteria } = parseXml<UploadedGroup>(body).computer_group;
  const { name: attribute, search_type: searchType, value } = criteria.criterion;
  return addOrReplace(jamf.groups, createGroup({ name, criteria: [createCriterion(attribute, searchType, value)] }));
}

interface UploadedPolicy {
  readonly policy: {
    readonly general: Readonly<Record<'name' | 'enabled' | 'trigger_checkin', string>>;
    readonly scope: { readonly computer_groups: { readonly computer_group: XmlText } };
    readonly scripts: { readonly script: XmlText };
    readonly maintenance: XmlText;
  };
}

/** Stores a policy for one group, with one script. */
function storePolicy({ jamf }: PlatformContext, { body }: PlatformRequest): number {
  const { general, scope, scripts, maintenance } = parseXml<UploadedPolicy>(body).policy;
  const group = jamf.groups.find(({ name }) => name === scope.computer_groups.computer_group.name);
  const script = jamf.scripts.find(({ name }) => name === scripts.script.name);
  const parameters = Array.from({ length: 8 }, (_, index) => scripts.script[`parameter${index + 4}`] ?? '');
  const policy = createPolicy({
    name: general.name,
    enabled: general.enabled === 'true',
    frequency: 'Once per computer',
    trigger: general.trigger_checkin === 'true' ? 'CHECKIN' : 'EVENT',
    groupIds: group === undefined ? [] : [group.id],
    scripts: script === undefined ? [] : [{ id: script.id, parameters }],
    updateInventory: maintenance.recon === 'true',
  });
  return addOrReplace(jamf.policies, policy);
}

/**
 * Stores a profile. The web page takes the name and the description from the property list, and drops spaces and line
 * ends between elements.
 */
function storeProfile({ jamf }: PlatformContext, { body }: PlatformRequest): number {
  const payloads = body.replace(/>\s+</g, '><').trim();
  const profile = payloads.replace(/<key>PayloadContent<\/key><array>.*<\/array>/s, '');
  const uploaded = createProfile({
    name: readTopLevelText(profile, 'PayloadDisplayName'),
    description: readTopLevelText(profile, 'PayloadDescription'),
    level: readTopLevelText(profile, 'PayloadScope') === 'User' ? 'User' : 'System',
    payloads,
  });
  return addOrReplace(jamf.profiles, uploaded);
}

function readTopLevelText(profile: string, key: string): string {
  const [, text = ''] = new RegExp(`<key>${key}</key><string>([^<]*)</string>`).exec(profile) ?? [];
  return parseXml<XmlText>(`<text>${text}</text>`).text ?? '';
}

/** Parses elements into properties: text, or an object of inner elements. */
function parseXml<Document>(text: string): Document {
  let document: unknown;
  parseString(text, { explicitArray: false }, (error, result: unknown) => {
    if (error !== null) {
      throw error;
    }
    document = result;
  });
  return document as Document;
}

/** Replaces the object of that name, or adds a new one; returns its id. */
function addOrReplace<Item extends { id: number; name: string }>(items: Item[], uploaded: Item): number {
  const index = items.findIndex((candidate) => candidate.name === uploaded.name);
  const id = items[index]?.id ?? Math.max(0, ...items.map((candidate) => candidate.id)) + 1;
  items.splice(index < 0 ? items.length : index, 1, { ...uploaded, id });
  return id;
}

function storeApp({ graph }: PlatformContext, { query, body }: PlatformRequest): string {
  const uploaded = JSON.parse(body) as Readonly<Record<string, string>> & { readonly rules: AppRule[] };
  const id = query.get('id') ?? '';
  const app: MobileApp = {
    id,
    displayName: uploaded.displayName ?? '',
    type: uploaded['@odata.type'] ?? '',
    installCommandLine: uploaded.installCommandLine ?? '',
    uninstallCommandLine: uploaded.uninstallCommandLine ?? '',
    setupFile: uploaded.setupFilePath ?? '',
    rules: uploaded.rules,
    assignments: [],
  };
  graph.apps = [app, ...graph.apps.filter((candidate) => candidate.id !== id)];
  return id;
}

function storeAssignment({ graph }: PlatformContext, { query }: PlatformRequest): string {
  const id = query.get('id') ?? '';
  const app = graph.apps.find((candidate) => candidate.id === id);
  app?.assignments.push(createAssignment(id, query.get('group') ?? ''));
  return id;
}
