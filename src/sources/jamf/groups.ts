/** Reads the two smart groups and their members: ids where the server supports it, Classic XML otherwise. */
import type { GroupFacts, GroupReading } from '../../core/facts/facts.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { JamfReading, SmartGroupFacts } from '../../deployment/checks/jamf/reading.ts';
import { type GroupCriteria, judgeSmartGroup } from '../../deployment/checks/jamf/smart-groups.ts';
import { findByName, type LookupResult } from '../../deployment/checks/verdicts.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { attempt, callFirstSupported } from '../reading/attempt.ts';
import { readId, readRecord } from '../reading/fields.ts';
import type { Recorder } from '../reading/progress.ts';
import { findChild, listChildren, readChildText, type XmlElement } from './classic.ts';
import { type ClassicList, type JamfClient, toJamfReadFailure } from './client.ts';
import { parseApiGroup, parseClassicGroup } from './deployment/parse.ts';
import type { JamfSettings } from './settings.ts';

export interface ListedGroup {
  readonly id: string;
  readonly name: unknown;
  readonly smart: boolean;
}

type GroupNames = NonNullable<JamfSettings['groups']>;

export const groupPermission = 'Read Smart Computer Groups';
const permission = groupPermission;

function listWantedGroups(names: GroupNames) {
  return [
    { holds: 'Installed', name: names.installed, part: 'installedGroup' },
    { holds: 'Not Installed', name: names.notInstalled, part: 'notInstalledGroup' },
  ] as const;
}

type WantedGroup = ReturnType<typeof listWantedGroups>[number];

export function createUnreadGroups(names: GroupNames): GroupFacts[] {
  return listWantedGroups(names).map(({ holds, name }) => ({ holds, name, problem: 'The group was not read.' }));
}

interface GroupContext extends GroupCriteria {
  readonly jamf: JamfClient;
  readonly signal: AbortSignal;
  readonly record: Recorder<JamfReading>;
}

/** Reads both groups. One that cannot be read, or is not as documented, has its own problem; the source stays complete. */
export async function readSmartGroups(names: GroupNames, context: GroupContext): Promise<GroupFacts[]> {
  const { value: listed = [], failure } = await attempt(context.signal, () => listGroups(context.jamf));
  const groups: GroupFacts[] = [];
  for (const { holds, name, part } of listWantedGroups(names)) {
    if (failure === undefined) {
      const named = findByName(listed, name);
      groups.push({ holds, name, ...(await readGroup({ holds, part }, named, context)) });
    } else {
      context.record({ [part]: toJamfReadFailure(failure, permission) });
      groups.push({ holds, name, problem: failure.message });
    }
  }
  return groups;
}

/** Reads the criteria first: the members of a group about something else do not count. */
async function readGroup(
  { holds, part }: Pick<WantedGroup, 'holds' | 'part'>,
  named: LookupResult<ListedGroup>,
  { jamf, signal, record, ...wanted }: GroupContext,
): Promise<GroupReading> {
  const found = named.kind === 'one' ? await readCriteria(jamf, named.value, signal) : named;
  record({ [part]: found });
  const { result, found: problem } = judgeSmartGroup(holds, wanted, found);
  if (named.kind !== 'one' || result !== 'pass') {
    return { problem };
  }
  const { value: members, failure } = await attempt(signal, () => readGroupMembers(jamf, named.value.id));
  return members === undefined ? { problem: failure.message } : { members };
}

/** Reads the criteria; without them, the finding for the group is `unknown`. */
export async function readCriteria(
  jamf: JamfClient,
  { id, smart }: ListedGroup,
  signal: AbortSignal,
): Promise<LookupResult<SmartGroupFacts>> {
  if (!smart) {
    return { kind: 'one', value: { smart, criteria: [] } };
  }
  const { value, failure } = await attempt(signal, () =>
    readNewest(
      (path) => jamf.json({ path: `${path}/smart-groups/${encodeURIComponent(id)}`, permission }, parseApiGroup),
      () => jamf.classicEntry(classicGroups, id, parseClassicGroup),
    ),
  );
  return failure === undefined
    ? { kind: 'one', value: await addSiteName(jamf, id, value, signal) }
    : toJamfReadFailure(failure, permission);
}

/** Adds a site's name that the Jamf Pro API omits, from the Classic API; without it, the finding shows the site's id. */
async function addSiteName(
  jamf: JamfClient,
  id: string,
  group: SmartGroupFacts,
  signal: AbortSignal,
): Promise<SmartGroupFacts> {
  if (group.site === undefined || group.site.name !== undefined) {
    return group;
  }
  const { value } = await attempt(signal, () => jamf.classicEntry(classicGroups, id, parseClassicGroup));
  return { ...group, site: value?.site ?? group.site };
}

/** Calls the newest API that the server has: v3 (11.28), v2 (11.9), otherwise the Classic API. */
function readNewest<T>(readFromApi: (path: string) => Promise<T>, readFromClassic: () => Promise<T>): Promise<T> {
  const versions = ['v3', 'v2'].map((version) => () => readFromApi(`/api/${version}/computer-groups`));
  return callFirstSupported([...versions, readFromClassic]);
}

const classicGroups: ClassicList = {
  path: '/JSSResource/computergroups',
  list: 'computer_groups',
  item: 'computer_group',
  permission,
};

export function listGroups(jamf: JamfClient): Promise<readonly ListedGroup[]> {
  return readNewest<readonly ListedGroup[]>(
    (path) =>
      jamf.entries({ path: `${path}/smart-groups`, permission }, (entry) => {
        const { id, name } = readRecord(entry) ?? {};
        return { id: readId(id) ?? '', name, smart: true };
      }),
    async () => {
      const entries = await jamf.classicEntries(classicGroups);
      return entries.map(({ element, ...named }) => ({
        ...named,
        smart: readChildText(element, 'is_smart') === 'true',
      }));
    },
  );
}

/** Ids of a group's computers. Only the Classic API knows a static group's members; the others answer 404. */
export async function readGroupMembers(jamf: JamfClient, id: string): Promise<readonly string[]> {
  const members = await readNewest(
    (path) =>
      jamf.json({ path: `${path}/smart-group-membership/${encodeURIComponent(id)}`, permission }, (body) =>
        parseMemberIds(body, jamf.who),
      ),
    () => jamf.classicEntry(classicGroups, id, (root) => parseClassicMemberIds(root, jamf.who)),
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
    const count = `${members.length} ${pluralize(members.length, 'member')}`;
    throw createUnreadableAnswerError(who, `a group of ${count} that should have ${size}`);
  }
  return members;
}

function throwMissingId(who: string): never {
  throw createUnreadableAnswerError(who, 'a group member without an id');
}
