/**
 * Reads what administrators created on the server to deploy the agent. Nothing here can make the source incomplete:
 * what could not be read is written down as such, with the privilege that is missing.
 */
import type { Deployment } from '../../deployment/deployment-settings.ts';
import { byName, type Found, type Unread } from '../../deployment/finding.ts';
import type { MacosRead } from '../../deployment/macos-checks.ts';
import { listOf, recordOf } from '../read.ts';
import { children, type Element, textIn } from './classic.ts';
import { firstKnown, hasCode, type Jamf } from './client.ts';
import { classicScript, policyOf, profileOf, scriptOf } from './objects.ts';
import { unreadOf } from './unread.ts';

export type Note = (part: Partial<MacosRead>) => void;

interface Listed {
  readonly id: string;
  readonly name: string;
}

interface Resource<T> {
  readonly path: string;
  readonly list: string;
  readonly item: string;
  readonly permission: string;
  readonly read: (root: Element) => T;
}

const policies: Resource<ReturnType<typeof policyOf>> = {
  path: '/JSSResource/policies',
  list: 'policies',
  item: 'policy',
  permission: 'Read Policies',
  read: policyOf,
};

const profiles: Resource<ReturnType<typeof profileOf>> = {
  path: '/JSSResource/osxconfigurationprofiles',
  list: 'os_x_configuration_profiles',
  item: 'os_x_configuration_profile',
  permission: 'Read macOS Configuration Profiles',
  read: profileOf,
};

const scripts: Resource<ReturnType<typeof classicScript>> = {
  path: '/JSSResource/scripts',
  list: 'scripts',
  item: 'script',
  permission: 'Read Scripts',
  read: classicScript,
};

/** One request after another, and none more once the server no longer answers. */
export async function readDeployment(jamf: Jamf, { macos }: Deployment, note: Note): Promise<void> {
  const attempt = attempts();
  const { policy, script } = macos;
  if (policy !== undefined) {
    note({ policy: await attempt(policies.permission, () => named(jamf, policies, listed(jamf, policies), policy)) });
  }
  if (script !== undefined) note({ script: await attempt(scripts.permission, () => findScript(jamf, script)) });
  const { extension, fileAccess } = macos.profiles;
  if (extension === undefined && fileAccess === undefined) return;
  let all: Promise<readonly Listed[]> | undefined;
  const find = (name: string) =>
    attempt(profiles.permission, () => {
      all ??= listed(jamf, profiles);
      return named(jamf, profiles, all, name);
    });
  if (extension !== undefined) note({ extensionProfile: await find(extension) });
  if (fileAccess !== undefined) note({ fileAccessProfile: await find(fileAccess) });
}

/** Whatever fails for another reason than a permission would fail the next time as well. */
function attempts() {
  let broken: Unread | undefined;
  return async <T>(permission: string, read: () => Promise<Found<T>>): Promise<Found<T>> => {
    if (broken !== undefined) return broken;
    try {
      return await read();
    } catch (error) {
      const unread = unreadOf(error, permission);
      if (!hasCode(error, 'permission-missing', 'sign-in-refused', 'not-found', 'answer-unreadable')) broken = unread;
      return unread;
    }
  };
}

async function listed<T>(jamf: Jamf, { path, permission, list, item }: Resource<T>): Promise<readonly Listed[]> {
  return jamf.xml({ path, permission, root: list }, (root) =>
    children(root, item).map((entry) => ({ id: textIn(entry, 'id') ?? '', name: textIn(entry, 'name') ?? '' })),
  );
}

/** Listed and matched exactly: asked for by its name, a server gives any one of several. */
async function named<T>(
  jamf: Jamf,
  { path, permission, item, read }: Resource<T>,
  all: Promise<readonly Listed[]>,
  name: string,
): Promise<Found<T>> {
  const found = byName(await all, name);
  if (found.is !== 'one') return found;
  const want = { path: `${path}/id/${encodeURIComponent(found.value.id)}`, permission, root: item };
  return { is: 'one', value: await jamf.xml(want, read) };
}

function findScript(jamf: Jamf, name: string): Promise<Found<ReturnType<typeof scriptOf>>> {
  return firstKnown([() => scriptFromApi(jamf, name), () => named(jamf, scripts, listed(jamf, scripts), name)]);
}

async function scriptFromApi(jamf: Jamf, name: string): Promise<Found<ReturnType<typeof scriptOf>>> {
  const filter = `name=="${name.replace(/["\\]/g, '\\$&')}"`;
  const query = new URLSearchParams({ filter, page: '0', 'page-size': '100' });
  const want = { path: `/api/v1/scripts?${query}`, permission: scripts.permission };
  // The filter does not mind case and takes a star for anything.
  const found = await jamf.json(want, (body) => {
    const entries = listOf(recordOf(body)?.results).map((entry) => recordOf(entry) ?? {});
    return byName(
      entries.map((entry) => ({ name: entry.name, entry })),
      name,
    );
  });
  return found.is === 'one' ? { is: 'one', value: scriptOf(found.value.entry) } : found;
}
