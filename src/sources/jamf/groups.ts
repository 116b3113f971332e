/** Reads the two smart groups and their members: ids where the server supports it, Classic XML otherwise. */

import type { GroupFacts, Status } from '../../core/facts.ts';
import { pluralize } from '../../core/pluralize.ts';
import { findByName, type LookupResult } from '../../deployment/finding.ts';
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { readId, readRecord } from '../read.ts';
import { findChild, listChildren, readChildText, type XmlElement } from './classic.ts';
import { callFirstSupported, type JamfClient, readEveryEntry } from './client.ts';
import { toJamfReadFailure } from './read-failure.ts';

export interface ListedGroup {
  readonly id: string;
  readonly name: unknown;
  readonly smart: boolean;
}

export const groupPermission = 'Read Smart Computer Groups';
const permission = groupPermission;

/** Checks a group before its members are read. Returns why its members cannot be trusted, or undefined. */
export type GroupInspector = (holds: Status, found: LookupResult<ListedGroup>) => Promise<string | undefined>;
/** v3 since 11.28, v2 since 11.9. */
const groupVersions = ['v3', 'v2'];

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
      await listed.catch((failure) => inspect(holds, toJamfReadFailure(failure, permission)));
    }
  }
  return groups;
}

function listGroups(jamf: JamfClient): Promise<readonly ListedGroup[]> {
  return callFirstSupported([
    ...groupVersions.map(
      (version) => () =>
        readEveryEntry(jamf, { path: `/api/${version}/computer-groups/smart-groups`, permission }, (entry) => {
          const { id, name } = readRecord(entry) ?? {};
          return { id: readId(id) ?? '', name, smart: true };
        }),
    ),
    () =>
      jamf.xml({ path: '/JSSResource/computergroups', permission, root: 'computer_groups' }, (root) =>
        listChildren(root, 'computer_group').map((group) => ({
          id: readChildText(group, 'id') ?? '',
          name: readChildText(group, 'name'),
          smart: readChildText(group, 'is_smart') === 'true',
        })),
      ),
  ]);
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
  const members = await callFirstSupported([
    ...groupVersions.map(
      (version) => () =>
        jamf.json({ path: `/api/${version}/computer-groups/smart-group-membership/${id}`, permission }, (body) =>
          parseMemberIds(body, jamf.who),
        ),
    ),
    () =>
      jamf.xml({ path: `/JSSResource/computergroups/id/${id}`, permission, root: 'computer_group' }, (root) =>
        parseClassicMemberIds(root, jamf.who),
      ),
  ]);
  // By code point: digits sort the same way by code unit.
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
