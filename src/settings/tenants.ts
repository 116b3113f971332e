/** Tenants of one deployment on AWS: each has a settings file, and a store named after that file. */

/** The folder of the tenants' settings in the deployment's own bucket. */
export const tenantSettingsFolder = 'settings/tenants/';
/** The folder of all tenants' stores, by name, so that no two share one, and one role can access all. */
export const tenantStoresFolder = 'tenants/';
/** The prefix of all tenants' secrets, by name, so that one line of the role's policy covers them. */
export const tenantSecretsFolder = 'muster/tenants/';
/** Limit of tenants: one start's report on all of them must fit into the 256 KiB that a state machine passes on. */
export const maximumTenants = 1000;

const maximumNameLength = 40;

/** Whether the name stays inside a folder, and is a plain name for queries and ARNs. */
export function isTenantName(name: string): boolean {
  return name.length <= maximumNameLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** The tenant of a settings file's key in the bucket; undefined for other keys. */
export function parseTenantKey(key: string): string | undefined {
  const file = key.startsWith(tenantSettingsFolder) ? key.slice(tenantSettingsFolder.length) : '';
  const name = file.endsWith('.yaml') ? file.slice(0, -'.yaml'.length) : '';
  return isTenantName(name) ? name : undefined;
}

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a variable, ignoring inherited properties such as `toString`. */
export function readVariable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

/** The address of the tenants' folder, which a deployment with tenants sets; otherwise undefined. */
export function readTenantsAddress({ MUSTER_TENANTS: address }: Environment): string | undefined {
  return address || undefined;
}

/** The tenant of a settings file; undefined where the deployment has no tenants. */
export function findTenant(file: string, environment: Environment): string | undefined {
  const address = readTenantsAddress(environment);
  return address !== undefined && file.startsWith(address)
    ? parseTenantKey(`${tenantSettingsFolder}${file.slice(address.length)}`)
    : undefined;
}

/** The address of the deployed files' hashes in the form of `sha256sum`: `settings/tenants/` → `settings/tenants.sha256`. */
export function toHashesAddress(folder: string): string {
  return `${folder.replace(/\/$/, '')}.sha256`;
}
