/**
 * Reads what administrators created on the server to deploy the agent. Nothing here can make the source incomplete:
 * what could not be read is recorded as such, with the missing privilege.
 */

import type { ScopeEntry, ScopeFacts } from '../../deployment/checks/scope.ts';
import type { DeploymentSettings } from '../../deployment/deployment-settings.ts';
import { findByName, type LookupResult, type ReadFailure } from '../../deployment/finding.ts';
import type { MacosReading } from '../../deployment/macos-checks.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { readList, readRecord } from '../read.ts';
import { listChildren, readChildText, type XmlElement } from './classic.ts';
import { callFirstSupported, hasCode, type JamfClient } from './client.ts';
import { groupPermission, readGroupMembers } from './groups.ts';
import { parseApiScript, parseClassicScript, parsePolicy, parseProfile } from './objects.ts';
import { toJamfReadFailure } from './read-failure.ts';

export type MacosRecorder = (part: Partial<MacosReading>) => void;

interface NamedEntry {
  readonly id: string;
  readonly name: string;
}

interface ClassicResource<T> {
  readonly path: string;
  readonly list: string;
  readonly item: string;
  readonly permission: string;
  readonly read: (root: XmlElement) => T;
}

const policies: ClassicResource<ReturnType<typeof parsePolicy>> = {
  path: '/JSSResource/policies',
  list: 'policies',
  item: 'policy',
  permission: 'Read Policies',
  read: parsePolicy,
};

const profiles: ClassicResource<ReturnType<typeof parseProfile>> = {
  path: '/JSSResource/osxconfigurationprofiles',
  list: 'os_x_configuration_profiles',
  item: 'os_x_configuration_profile',
  permission: 'Read macOS Configuration Profiles',
  read: parseProfile,
};

const scripts: ClassicResource<ReturnType<typeof parseClassicScript>> = {
  path: '/JSSResource/scripts',
  list: 'scripts',
  item: 'script',
  permission: 'Read Scripts',
  read: parseClassicScript,
};

/** Sends one request after another, and stops when the server no longer answers. */
export async function readDeployment(
  jamf: JamfClient,
  { macos }: DeploymentSettings,
  record: MacosRecorder,
): Promise<void> {
  const attempt = createGuardedRead();
  const read: ScopedObjects = {};
  const { policy, script } = macos;
  if (policy !== undefined) {
    read.policy = await attempt(policies.permission, () =>
      readByName(jamf, policies, listEntries(jamf, policies), policy),
    );
    record({ policy: read.policy });
  }
  if (script !== undefined) {
    record({ script: await attempt(scripts.permission, () => readScript(jamf, script)) });
  }
  const { extension, fileAccess } = macos.profiles;
  let all: Promise<readonly NamedEntry[]> | undefined;
  const find = (name: string) =>
    attempt(profiles.permission, () => {
      all ??= listEntries(jamf, profiles);
      return readByName(jamf, profiles, all, name);
    });
  if (extension !== undefined) {
    read.extensionProfile = await find(extension);
    record({ extensionProfile: read.extensionProfile });
  }
  if (fileAccess !== undefined) {
    read.fileAccessProfile = await find(fileAccess);
    record({ fileAccessProfile: read.fileAccessProfile });
  }
  // Last, since a large group can take a server longer than it allows itself.
  const readMembers = createMembersReader(jamf, attempt);
  for (const part of ['policy', 'extensionProfile', 'fileAccessProfile'] as const) {
    const object = read[part];
    if (object?.is === 'one' && excludesComputers(object.value.scope)) {
      record({
        [part]: { is: 'one', value: { ...object.value, scope: await addMembers(object.value.scope, readMembers) } },
      });
    }
  }
}

type ScopedObjects = { -readonly [Part in 'policy' | 'extensionProfile' | 'fileAccessProfile']?: MacosReading[Part] };

/** Only then do the members of groups matter. */
function excludesComputers({ exclusions }: ScopeFacts): boolean {
  return exclusions.some(({ type }) => type === 'computer' || type === 'computer_group');
}

type MembersReader = (group: string) => Promise<readonly string[] | undefined>;

async function addMembers(scope: ScopeFacts, readMembers: MembersReader): Promise<ScopeFacts> {
  const complete = async (entries: readonly ScopeEntry[]) => {
    const completed: ScopeEntry[] = [];
    for (const entry of entries) {
      const computers = entry.type === 'computer_group' ? await readMembers(entry.id) : entry.computers;
      completed.push({ ...entry, ...omitUndefined({ computers }) });
    }
    return completed;
  };
  return { ...scope, targets: await complete(scope.targets), exclusions: await complete(scope.exclusions) };
}

/** Most scopes name few groups; of one that names hundreds, the rest stays unread. */
const maximumGroups = 50;

function createMembersReader(jamf: JamfClient, attempt: ReturnType<typeof createGuardedRead>): MembersReader {
  const known = new Map<string, readonly string[] | undefined>();
  return async (id) => {
    if (!known.has(id) && known.size < maximumGroups) {
      const found = await attempt<readonly string[]>(groupPermission, async () => ({
        is: 'one',
        value: await readGroupMembers(jamf, { id }),
      }));
      known.set(id, found.is === 'one' ? found.value : undefined);
    }
    return known.get(id);
  };
}

/** After a failure that concerns the server and not one object, later reads would fail too and are skipped. */
function createGuardedRead() {
  let broken: ReadFailure | undefined;
  return async <T>(permission: string, read: () => Promise<LookupResult<T>>): Promise<LookupResult<T>> => {
    if (broken !== undefined) {
      return broken;
    }
    try {
      return await read();
    } catch (error) {
      const unread = toJamfReadFailure(error, permission);
      if (!hasCode(error, 'permission-missing', 'sign-in-refused', 'not-found', 'answer-unreadable')) {
        broken = unread;
      }
      return unread;
    }
  };
}

async function listEntries<T>(
  jamf: JamfClient,
  { path, permission, list, item }: ClassicResource<T>,
): Promise<readonly NamedEntry[]> {
  return jamf.xml({ path, permission, root: list }, (root) =>
    listChildren(root, item).map((entry) => ({
      id: readChildText(entry, 'id') ?? '',
      name: readChildText(entry, 'name') ?? '',
    })),
  );
}

/** Finds the exact name in the list: a request by name returns any one of several objects. */
async function readByName<T>(
  jamf: JamfClient,
  { path, permission, item, read }: ClassicResource<T>,
  all: Promise<readonly NamedEntry[]>,
  name: string,
): Promise<LookupResult<T>> {
  const found = findByName(await all, name);
  if (found.is !== 'one') {
    return found;
  }
  const request = { path: `${path}/id/${encodeURIComponent(found.value.id)}`, permission, root: item };
  return { is: 'one', value: await jamf.xml(request, read) };
}

function readScript(jamf: JamfClient, name: string): Promise<LookupResult<ReturnType<typeof parseApiScript>>> {
  return callFirstSupported([
    () => readScriptFromApi(jamf, name),
    () => readByName(jamf, scripts, listEntries(jamf, scripts), name),
  ]);
}

async function readScriptFromApi(
  jamf: JamfClient,
  name: string,
): Promise<LookupResult<ReturnType<typeof parseApiScript>>> {
  const filter = `name=="${name.replace(/["\\]/g, '\\$&')}"`;
  const query = new URLSearchParams({ filter, page: '0', 'page-size': '100' });
  const request = { path: `/api/v1/scripts?${query}`, permission: scripts.permission };
  // The filter ignores case and treats a star as a wildcard.
  const found = await jamf.json(request, (body) => {
    const entries = readList(readRecord(body)?.results).map((entry) => readRecord(entry) ?? {});
    return findByName(
      entries.map((entry) => ({ name: entry.name, entry })),
      name,
    );
  });
  return found.is === 'one' ? { is: 'one', value: parseApiScript(found.value.entry) } : found;
}
