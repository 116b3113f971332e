/**
 * Reads the objects that administrators created on the server to deploy the agent. A failure here never makes the
 * source incomplete; it is recorded, with the missing privilege.
 */

import { omitUndefined } from '../../../base/omit-undefined.ts';
import type { JamfReading, PolicyFacts, ProfileFacts, ScriptFacts } from '../../../deployment/checks/jamf/reading.ts';
import { isComputerList, type ScopeEntry, type ScopeFacts } from '../../../deployment/checks/jamf/scope.ts';
import { findByName, type LookupResult, type ReadFailure } from '../../../deployment/checks/verdicts.ts';
import type { DeploymentSettings } from '../../../deployment/settings.ts';
import { callFirstSupported, hasCode } from '../../reading/attempt.ts';
import { readRecord, readRecords } from '../../reading/fields.ts';
import type { Recorder } from '../../reading/progress.ts';
import type { XmlElement } from '../classic.ts';
import { type ClassicList, type JamfClient, toJamfReadFailure } from '../client.ts';
import { groupPermission, readGroupMembers } from '../groups.ts';
import { parseApiScript, parseClassicScript, parsePolicy, parseProfile } from './parse.ts';

interface ClassicResource<T> extends ClassicList {
  readonly read: (root: XmlElement) => T;
}

export const policies: ClassicResource<PolicyFacts> = {
  path: '/JSSResource/policies',
  list: 'policies',
  item: 'policy',
  permission: 'Read Policies',
  read: parsePolicy,
};

export const profiles: ClassicResource<ProfileFacts> = {
  path: '/JSSResource/osxconfigurationprofiles',
  list: 'os_x_configuration_profiles',
  item: 'os_x_configuration_profile',
  permission: 'Read macOS Configuration Profiles',
  read: parseProfile,
};

const scripts: ClassicResource<ScriptFacts> = {
  path: '/JSSResource/scripts',
  list: 'scripts',
  item: 'script',
  permission: 'Read Scripts',
  read: parseClassicScript,
};

/** Groups of a scope whose members are read; most scopes name few. */
const maximumGroups = 50;

/** Reads the objects one after another, and stops when the server no longer answers. */
export async function readDeployment(
  jamf: JamfClient,
  { macos }: DeploymentSettings,
  record: Recorder<JamfReading>,
): Promise<void> {
  const reader = new DeploymentReader(jamf);
  const { policy, script, profiles: named } = macos;
  const scoped = [
    ['policy', policies, policy],
    ['extensionProfile', profiles, named.extension],
    ['fileAccessProfile', profiles, named.fileAccess],
  ] as const;
  const excluding: (readonly [keyof JamfReading, PolicyFacts | ProfileFacts])[] = [];
  for (const [part, resource, name] of scoped) {
    if (name !== undefined) {
      const found = await reader.find<PolicyFacts | ProfileFacts>(resource, name);
      record({ [part]: found });
      // Only exclusions make the members of groups matter.
      if (found.kind === 'one' && found.value.scope.exclusions.some(isComputerList)) {
        excluding.push([part, found.value]);
      }
    }
  }
  if (script !== undefined) {
    record({ script: await reader.findScript(script) });
  }
  // Comes last, since a server may time out on a large group.
  for (const [part, object] of excluding) {
    record({ [part]: { kind: 'one', value: { ...object, scope: await reader.addMembers(object.scope) } } });
  }
}

class DeploymentReader {
  readonly #jamf: JamfClient;
  /** The failure of the server rather than of one object: later reads are skipped. */
  #broken: ReadFailure | undefined;
  readonly #lists = new Map<ClassicList, ReturnType<JamfClient['classicEntries']>>();
  readonly #members = new Map<string, readonly string[] | undefined>();

  constructor(jamf: JamfClient) {
    this.#jamf = jamf;
  }

  find<T>(resource: ClassicResource<T>, name: string): Promise<LookupResult<T>> {
    return this.#attempt(resource.permission, () => this.#readByName(resource, name));
  }

  findScript(name: string): Promise<LookupResult<ScriptFacts>> {
    return this.#attempt(scripts.permission, () =>
      callFirstSupported([() => this.#readScriptFromApi(name), () => this.#readByName(scripts, name)]),
    );
  }

  async addMembers(scope: ScopeFacts): Promise<ScopeFacts> {
    const complete = async (entries: readonly ScopeEntry[]) => {
      const completed: ScopeEntry[] = [];
      for (const entry of entries) {
        const computers = entry.type === 'computer_group' ? await this.#readMembers(entry.id) : entry.computers;
        completed.push({ ...entry, ...omitUndefined({ computers }) });
      }
      return completed;
    };
    return { ...scope, targets: await complete(scope.targets), exclusions: await complete(scope.exclusions) };
  }

  async #attempt<T>(permission: string, read: () => Promise<LookupResult<T>>): Promise<LookupResult<T>> {
    if (this.#broken !== undefined) {
      return this.#broken;
    }
    try {
      return await read();
    } catch (error) {
      const unread = toJamfReadFailure(error, permission);
      if (!hasCode(error, 'permission-missing', 'sign-in-refused', 'not-found', 'answer-unreadable')) {
        this.#broken = unread;
      }
      return unread;
    }
  }

  /** Finds the exact name in the list, because a request by name returns any one of several objects. */
  async #readByName<T>(resource: ClassicResource<T>, name: string): Promise<LookupResult<T>> {
    const all = this.#lists.get(resource) ?? this.#jamf.classicEntries(resource);
    this.#lists.set(resource, all);
    const found = findByName(await all, name);
    return found.kind === 'one'
      ? { kind: 'one', value: await this.#jamf.classicEntry(resource, found.value.id, resource.read) }
      : found;
  }

  async #readScriptFromApi(name: string): Promise<LookupResult<ScriptFacts>> {
    const filter = `name=="${name.replace(/["\\]/g, '\\$&')}"`;
    const query = new URLSearchParams({ filter, page: '0', 'page-size': '100' });
    const request = { path: `/api/v1/scripts?${query}`, permission: scripts.permission };
    // The filter ignores case and treats a star as a wildcard.
    const found = await this.#jamf.json(request, (body) => {
      const named = readRecords(readRecord(body)?.results).map((entry) => ({ name: entry.name, entry }));
      return findByName(named, name);
    });
    return found.kind === 'one' ? { kind: 'one', value: parseApiScript(found.value.entry) } : found;
  }

  async #readMembers(id: string): Promise<readonly string[] | undefined> {
    if (!this.#members.has(id) && this.#members.size < maximumGroups) {
      const found = await this.#attempt<readonly string[]>(groupPermission, async () => ({
        kind: 'one',
        value: await readGroupMembers(this.#jamf, id),
      }));
      this.#members.set(id, found.kind === 'one' ? found.value : undefined);
    }
    return this.#members.get(id);
  }
}
