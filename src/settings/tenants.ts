/** Tenants of one deployment on AWS: each has a settings file of its own, and a store of its own by that file's name. */

/** Where a deployment uploads the tenants' settings, in the bucket of its own. */
export const tenantSettingsFolder = 'settings/tenants/';
/** Each tenant's store is below it, by name. So two tenants cannot have one store, and one role can be given them all. */
export const tenantStoresFolder = 'tenants/';
/** Every secret of a tenant is below it, by name, so that one line of the role's policy fits them all. */
export const tenantSecretsFolder = 'muster/tenants/';
/** What one start reports of every tenant has to fit into the 256 KiB that a state machine hands on. */
export const maximumTenants = 1000;

const maximumNameLength = 40;

/** Nothing that leads out of a folder, or that a query or an ARN would read as anything but a name. */
export function isTenantName(name: string): boolean {
  return name.length <= maximumNameLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** The tenant whose settings are at this key of the bucket, or undefined where the key is not that of a settings file. */
export function parseTenantKey(key: string): string | undefined {
  const file = key.startsWith(tenantSettingsFolder) ? key.slice(tenantSettingsFolder.length) : '';
  const name = file.endsWith('.yaml') ? file.slice(0, -'.yaml'.length) : '';
  return isTenantName(name) ? name : undefined;
}

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Never what every object has, such as `toString`. */
export function readVariable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

/** Set by a deployment that has tenants: the address of their folder. */
export function readTenantsAddress({ MUSTER_TENANTS: address }: Environment): string | undefined {
  return address || undefined;
}

/** The tenant whose settings these are, where a deployment has tenants. */
export function findTenant(file: string, environment: Environment): string | undefined {
  const address = readTenantsAddress(environment);
  return address !== undefined && file.startsWith(address)
    ? parseTenantKey(`${tenantSettingsFolder}${file.slice(address.length)}`)
    : undefined;
}

/** `settings/tenants/` → `settings/tenants.sha256`: which files were deployed, as `sha256sum` writes it. */
export function toHashesAddress(folder: string): string {
  return `${folder.replace(/\/$/, '')}.sha256`;
}
