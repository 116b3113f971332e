/**
 * Reads what administrators created on the server to deploy the agent. Nothing here can make the source incomplete:
 * what could not be read is recorded as such, with the missing privilege.
 */
import type { DeploymentSettings } from '../../deployment/deployment-settings.ts';
import { findByName, type LookupResult, type ReadFailure } from '../../deployment/finding.ts';
import type { MacosReading } from '../../deployment/macos-checks.ts';
import { readList, readRecord } from '../read.ts';
import { listChildren, readChildText, type XmlElement } from './classic.ts';
import { callFirstSupported, hasCode, type JamfClient } from './client.ts';
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
  const { policy, script } = macos;
  if (policy !== undefined) {
    record({
      policy: await attempt(policies.permission, () => readByName(jamf, policies, listEntries(jamf, policies), policy)),
    });
  }
  if (script !== undefined) {
    record({ script: await attempt(scripts.permission, () => readScript(jamf, script)) });
  }
  const { extension, fileAccess } = macos.profiles;
  if (extension === undefined && fileAccess === undefined) {
    return;
  }
  let all: Promise<readonly NamedEntry[]> | undefined;
  const find = (name: string) =>
    attempt(profiles.permission, () => {
      all ??= listEntries(jamf, profiles);
      return readByName(jamf, profiles, all, name);
    });
  if (extension !== undefined) {
    record({ extensionProfile: await find(extension) });
  }
  if (fileAccess !== undefined) {
    record({ fileAccessProfile: await find(fileAccess) });
  }
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
