/** The two smart groups and who is in them: ids only where the server can, whole Classic XML otherwise. */

import type { GroupFacts, Status } from '../../core/facts.ts';
import { pluralize } from '../../core/pluralize.ts';
import { byName, type Found } from '../../deployment/finding.ts';
import { MusterError } from '../../errors.ts';
import { unreadable } from '../../http/body.ts';
import { idOf, recordOf } from '../read.ts';
import { child, children, type Element, textIn } from './classic.ts';
import { everyEntry, firstKnown, type Jamf } from './client.ts';
import { unreadOf } from './unread.ts';

export interface Listed {
  readonly id: string;
  readonly name: unknown;
  readonly smart: boolean;
}

export const groupPermission = 'Read Smart Computer Groups';
const permission = groupPermission;

/** Looks at a group before its members are read, and says why they would mean nothing; undefined where all is well. */
export type Inspect = (holds: Status, found: Found<Listed>) => Promise<string | undefined>;
/** v3 since 11.28, v2 since 11.9. */
const versions = ['v3', 'v2'];

interface Names {
  readonly installed: string;
  readonly notInstalled: string;
}

function wanted(names: Names): readonly (readonly [Status, string])[] {
  return [
    ['Installed', names.installed],
    ['Not Installed', names.notInstalled],
  ];
}

/** The groups of a server that has not been asked for them. */
export function unread(names: Names): GroupFacts[] {
  return wanted(names).map(([holds, name]) => ({ holds, name, problem: 'It was not read.' }));
}

/** A group that cannot be read is a problem of the group, not of the source. */
export async function readGroups(
  jamf: Jamf,
  names: Names,
  signal: AbortSignal,
  inspect: Inspect,
): Promise<GroupFacts[]> {
  const listed = listGroups(jamf);
  const groups: GroupFacts[] = [];
  for (const [holds, name] of wanted(names)) {
    try {
      const problem = await inspect(holds, byName(await listed, name));
      if (problem === undefined) {
        groups.push({ holds, name, members: await membersOf(jamf, theGroup(await listed, name)) });
      } else groups.push({ holds, name, problem });
    } catch (error) {
      if (signal.aborted || !(error instanceof MusterError)) throw error;
      groups.push({ holds, name, problem: error.message });
      await listed.catch((failure) => inspect(holds, unreadOf(failure, permission)));
    }
  }
  return groups;
}

function listGroups(jamf: Jamf): Promise<readonly Listed[]> {
  return firstKnown([
    ...versions.map(
      (version) => () =>
        everyEntry(jamf, { path: `/api/${version}/computer-groups/smart-groups`, permission }, (entry) => {
          const { id, name } = recordOf(entry) ?? {};
          return { id: idOf(id) ?? '', name, smart: true };
        }),
    ),
    () =>
      jamf.xml({ path: '/JSSResource/computergroups', permission, root: 'computer_groups' }, (root) =>
        children(root, 'computer_group').map((group) => ({
          id: textIn(group, 'id') ?? '',
          name: textIn(group, 'name'),
          smart: textIn(group, 'is_smart') === 'true',
        })),
      ),
  ]);
}

function theGroup(listed: readonly Listed[], name: string): Listed {
  const found = listed.filter((group) => group.name === name);
  const [one] = found;
  if (found.length > 1) throw new MusterError('not-found', `There are ${found.length} groups called "${name}".`);
  if (one === undefined) throw new MusterError('not-found', `There is no smart group called "${name}".`);
  if (!one.smart) throw new MusterError('not-found', `The group "${name}" is not a smart group.`);
  return one;
}

async function membersOf(jamf: Jamf, group: Listed): Promise<readonly string[]> {
  const id = encodeURIComponent(group.id);
  const members = await firstKnown([
    ...versions.map(
      (version) => () =>
        jamf.json({ path: `/api/${version}/computer-groups/smart-group-membership/${id}`, permission }, (body) =>
          memberIds(body, jamf.who),
        ),
    ),
    () =>
      jamf.xml({ path: `/JSSResource/computergroups/id/${id}`, permission, root: 'computer_group' }, (root) =>
        classicMemberIds(root, jamf.who),
      ),
  ]);
  // By code point: digits sort the same way by code unit.
  return [...new Set(members)].toSorted();
}

function memberIds(body: unknown, who: string): readonly string[] {
  const members = recordOf(body)?.members;
  if (!Array.isArray(members)) throw unreadable(who, 'a group without members');
  return members.map((member: unknown) => idOf(member) ?? raise(who));
}

export function classicMemberIds(root: Element, who: string): readonly string[] {
  const computers = child(root, 'computers');
  const members = children(computers, 'computer').map((computer) => textIn(computer, 'id') ?? raise(who));
  const size = textIn(computers, 'size');
  if (size !== undefined && Number(size) !== members.length) {
    throw unreadable(
      who,
      `a group of ${members.length} ${pluralize(members.length, 'member')} that should have ${size}`,
    );
  }
  return members;
}

function raise(who: string): never {
  throw unreadable(who, 'a group member without an id');
}
