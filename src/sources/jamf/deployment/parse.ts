/** Parses policies, scripts, profiles and group criteria of Jamf Pro into facts for checks. */

import { omitUndefined } from '../../../base/omit-undefined.ts';
import type {
  PolicyFacts,
  ProfileFacts,
  ScriptFacts,
  SiteReference,
  SmartGroupFacts,
} from '../../../deployment/checks/jamf/reading.ts';
import type { ScopeEntry, ScopeFacts } from '../../../deployment/checks/jamf/scope.ts';
import { readId, readList, readRecord, readString, readText } from '../../reading/fields.ts';
import { findChild, listChildren, readChildText, type XmlElement } from '../classic.ts';

export function parsePolicy(root: XmlElement): PolicyFacts {
  return {
    enabled: readChildText(findChild(root, 'general'), 'enabled') === 'true',
    scope: parseScope(findChild(root, 'scope')),
    // The web page calls it "Update Inventory".
    updatesInventory: readChildText(findChild(root, 'maintenance'), 'recon') === 'true',
    scripts: listChildren(findChild(root, 'scripts'), 'script').map((script) => ({
      name: readChildText(script, 'name') ?? '',
      parameters: readParameters((number) => readChildText(script, `parameter${number}`)),
    })),
  };
}

export function parseProfile(root: XmlElement): ProfileFacts {
  const general = findChild(root, 'general');
  return {
    scope: parseScope(findChild(root, 'scope')),
    description: readChildText(general, 'description') ?? '',
    distribution: readChildText(general, 'distribution_method')?.trim() || undefined,
    level: readChildText(general, 'level')?.trim() || undefined,
    payloads: readChildText(general, 'payloads') ?? '',
  };
}

/** Types that a scope can name: https://developer.jamf.com/jamf-pro/reference (Classic, policies and profiles). */
const scopeTargets = ['computers', 'computer_groups', 'buildings', 'departments', 'jss_users', 'jss_user_groups'];
const scopeExclusions = [...scopeTargets, 'users', 'user_groups', 'network_segments', 'ibeacons'];
const scopeLimitations = ['users', 'user_groups', 'network_segments', 'ibeacons'];

function parseScope(scope: XmlElement): ScopeFacts {
  const everyUser = { type: 'user', id: '', name: 'all' };
  return {
    allComputers: readChildText(scope, 'all_computers') === 'true',
    targets: [
      ...(readChildText(scope, 'all_jss_users') === 'true' ? [everyUser] : []),
      ...parseScopeEntries(scope, scopeTargets),
    ],
    exclusions: parseScopeEntries(findChild(scope, 'exclusions'), scopeExclusions),
    limitations: [
      ...parseScopeEntries(findChild(scope, 'limitations'), scopeLimitations),
      ...parseScopeEntries(findChild(scope, 'limit_to_users'), ['user_groups']),
    ],
  };
}

/** Each list has a size and entries of one type; an entry is an id and a name, or a name alone. */
function parseScopeEntries(parent: XmlElement, lists: readonly string[]): readonly ScopeEntry[] {
  return lists.flatMap((list) =>
    Object.keys(readRecord(findChild(parent, list)) ?? {})
      .filter((type) => type !== 'size')
      .flatMap((type) => listChildren(findChild(parent, list), type).map((entry) => parseScopeEntry(type, entry))),
  );
}

function parseScopeEntry(type: string, entry: XmlElement): ScopeEntry {
  const id = readChildText(entry, 'id') ?? '';
  const name = readChildText(entry, 'name') ?? readString(entry);
  return { type, id, name, ...omitUndefined({ computers: type === 'computer' ? [id] : undefined }) };
}

export function parseClassicScript(root: XmlElement): ScriptFacts {
  const labels = findChild(root, 'parameters');
  return {
    contents: readChildText(root, 'script_contents') ?? '',
    labels: readParameters((number) => readChildText(labels, `parameter${number}`)),
  };
}

export function parseApiScript(entry: Readonly<Record<string, unknown>>): ScriptFacts {
  return {
    contents: readString(entry.scriptContents),
    labels: readParameters((number) => readString(entry[`parameter${number}`])),
  };
}

/** Parameters 4 to 11; one that is not set may be missing or empty. */
function readParameters(read: (number: number) => string | undefined): ReadonlyMap<number, string> {
  return new Map(Array.from({ length: 8 }, (_, index) => [index + 4, read(index + 4) ?? '']));
}

export function parseApiGroup(body: unknown): SmartGroupFacts {
  const group = readRecord(body);
  const id = readId(group?.siteId);
  const criteria = readList(group?.criteria).map((entry) => {
    const { name, searchType, value } = readRecord(entry) ?? {};
    return { name: String(name ?? ''), searchType: String(searchType ?? ''), value: String(value ?? '') };
  });
  return { smart: true, criteria, ...omitUndefined({ site: readSite(id) }) };
}

export function parseClassicGroup(root: XmlElement): SmartGroupFacts {
  const site = findChild(root, 'site');
  return {
    smart: readChildText(root, 'is_smart') === 'true',
    criteria: listChildren(findChild(root, 'criteria'), 'criterion').map((entry) => ({
      name: readChildText(entry, 'name') ?? '',
      searchType: readChildText(entry, 'search_type') ?? '',
      value: readChildText(entry, 'value') ?? '',
    })),
    ...omitUndefined({ site: readSite(readId(readChildText(site, 'id')), readText(readChildText(site, 'name'))) }),
  };
}

/** The site of an object; undefined for the id -1, which means none. */
function readSite(id: string | undefined, name?: string): SiteReference | undefined {
  return id === undefined || id === '-1' ? undefined : { id, ...omitUndefined({ name }) };
}
