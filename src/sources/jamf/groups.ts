/** Reads the two smart groups and their members: ids where the server supports it, Classic XML otherwise. */
import { MusterError } from '../../base/errors.ts';
import type { GroupFacts, Status } from '../../core/facts/facts.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { SmartGroupFacts } from '../../deployment/checks/jamf/reading.ts';
import { findByName, type LookupResult } from '../../deployment/checks/lookup.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { callFirstSupported } from '../reading/attempt.ts';
import { readId, readRecord } from '../reading/fields.ts';
import { findChild, listChildren, readChildText, type XmlElement } from './classic.ts';
import { type JamfClient, toJamfReadFailure } from './client.ts';
import { parseApiGroup, parseClassicGroup } from './deployment/parse.ts';

export interface ListedGroup {
  readonly id: string;
  readonly name: unknown;
  readonly smart: boolean;
}

export const groupPermission = 'Read Smart Computer Groups';

/** Checks a group before its members are read. Returns why its members cannot be trusted, or undefined. */
export type GroupInspector = (holds: Status, found: LookupResult<ListedGroup>) => Promise<string | undefined>;

interface GroupNames {
  readonly installed: string;
  readonly notInstalled: string;
}

function listWantedGroups(names: GroupNames): readonly (readonly [Status, string])[] {
  return [
    ['Installed', names.installed],
    ['Not Installed', names.notInstalled],
  ];
}

/** The groups of a server before they are read. */
export function createUnreadGroups(names: GroupNames): GroupFacts[] {
  return listWantedGroups(names).map(([holds, name]) => ({ holds, name, problem: 'The group was not read.' }));
}

/** A group that cannot be read has a problem of its own; the source stays complete. */
export async function readSmartGroups(
  jamf: JamfClient,
  names: GroupNames,
  signal: AbortSignal,
  inspect: GroupInspector,
): Promise<GroupFacts[]> {
  const listed = listGroups(jamf);
  const groups: GroupFacts[] = [];
  for (const [holds, name] of listWantedGroups(names)) {
    try {
      const problem = await inspect(holds, findByName(await listed, name));
      if (problem === undefined) {
        groups.push({ holds, name, members: await readGroupMembers(jamf, requireSmartGroup(await listed, name)) });
      } else {
        groups.push({ holds, name, problem });
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof MusterError)) {
        throw error;
      }
      groups.push({ holds, name, problem: error.message });
      await listed.catch((failure) => inspect(holds, toJamfReadFailure(failure, groupPermission)));
    }
  }
  return groups;
}

const permission = groupPermission;

/** Asks the versions of the API (v3 since 11.28, v2 since 11.9), and the Classic API where the server has neither. */
function readNewest<T>(readFromApi: (path: string) => Promise<T>, readFromClassic: () => Promise<T>): Promise<T> {
  const versions = ['v3', 'v2'].map((version) => () => readFromApi(`/api/${version}/computer-groups`));
  return callFirstSupported([...versions, readFromClassic]);
}

const classicPath = '/JSSResource/computergroups';

function readClassicGroup<T>(jamf: JamfClient, id: string, read: (root: XmlElement) => T): Promise<T> {
  return jamf.xml({ path: `${classicPath}/id/${id}`, permission, root: 'computer_group' }, read);
}

function listGroups(jamf: JamfClient): Promise<readonly ListedGroup[]> {
  return readNewest<readonly ListedGroup[]>(
    (path) =>
      jamf.entries({ path: `${path}/smart-groups`, permission }, (entry) => {
        const { id, name } = readRecord(entry) ?? {};
        return { id: readId(id) ?? '', name, smart: true };
      }),
    async () => {
      const resource = { path: classicPath, permission, list: 'computer_groups', item: 'computer_group' };
      const entries = await jamf.classicEntries(resource);
      return entries.map(({ id, name, element }) => ({
        id,
        name,
        smart: readChildText(element, 'is_smart') === 'true',
      }));
    },
  );
}

export async function readCriteria(jamf: JamfClient, group: ListedGroup): Promise<SmartGroupFacts> {
  if (!group.smart) {
    return { smart: false, criteria: [] };
  }
  const id = encodeURIComponent(group.id);
  return readNewest(
    (path) => jamf.json({ path: `${path}/smart-groups/${id}`, permission }, parseApiGroup),
    () => readClassicGroup(jamf, id, parseClassicGroup),
  );
}

function requireSmartGroup(listed: readonly ListedGroup[], name: string): ListedGroup {
  const found = listed.filter((group) => group.name === name);
  const [one] = found;
  if (found.length > 1) {
    throw new MusterError('not-found', `There are ${found.length} groups called "${name}".`);
  }
  if (one === undefined) {
    throw new MusterError('not-found', `There is no smart group called "${name}".`);
  }
  if (!one.smart) {
    throw new MusterError('not-found', `The group "${name}" is not a smart group.`);
  }
  return one;
}

/** Ids of a group's computers. Only Classic knows the members of a static group; the others answer 404. */
export async function readGroupMembers(jamf: JamfClient, group: Pick<ListedGroup, 'id'>): Promise<readonly string[]> {
  const id = encodeURIComponent(group.id);
  const members = await readNewest(
    (path) =>
      jamf.json({ path: `${path}/smart-group-membership/${id}`, permission }, (body) => parseMemberIds(body, jamf.who)),
    () => readClassicGroup(jamf, id, (root) => parseClassicMemberIds(root, jamf.who)),
  );
  // The order is by code point: digits sort the same way by code unit.
  return [...new Set(members)].toSorted();
}

function parseMemberIds(body: unknown, who: string): readonly string[] {
  const members = readRecord(body)?.members;
  if (!Array.isArray(members)) {
    throw createUnreadableAnswerError(who, 'a group without a list of members');
  }
  return members.map((member: unknown) => readId(member) ?? throwMissingId(who));
}

export function parseClassicMemberIds(root: XmlElement, who: string): readonly string[] {
  const computers = findChild(root, 'computers');
  const members = listChildren(computers, 'computer').map(
    (computer) => readChildText(computer, 'id') ?? throwMissingId(who),
  );
  const size = readChildText(computers, 'size');
  if (size !== undefined && Number(size) !== members.length) {
    throw createUnreadableAnswerError(
      who,
      `a group of ${members.length} ${pluralize(members.length, 'member')} that should have ${size}`,
    );
  }
  return members;
}

function throwMissingId(who: string): never {
  throw createUnreadableAnswerError(who, 'a group member without an id');
}
