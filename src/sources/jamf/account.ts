/** Checks whether the account sees the whole fleet: to an account of one site, the server reports the site's total as all. */

import { MusterError } from '../../base/errors.ts';
import type { DeviceFacts } from '../../core/facts/facts.ts';
import type { JamfAccount } from '../../deployment/checks/jamf/reading.ts';
import { type ReadFailure, toReadFailure } from '../../deployment/checks/verdicts.ts';
import { hasCode } from '../reading/attempt.ts';
import { readList, readRecord, readRecords, readText } from '../reading/fields.ts';
import type { JamfClient } from './client.ts';

export interface Account {
  /** The reason why it sees only a part of the fleet; undefined without a sign of that. */
  readonly limitation: string | undefined;
  /** The server described an account, so that a limitation would have been seen. */
  readonly isDescribed: boolean;
  /** The account as the checks need it. */
  readonly found: JamfAccount | ReadFailure;
}

export function refuseHiddenSite(jamf: JamfClient, account: Account, site: string): void {
  const problem = describeHiddenSites(jamf, account);
  if (site === '' && problem !== undefined) {
    throw new MusterError('site-scoped', problem);
  }
}

/**
 * Refuses Macs that are all of one site, where nobody described the account: one of this site alone would see just
 * these, and the loss of the others could not be noticed, since no earlier run counted them.
 */
export function refuseUnconfirmedSite(
  jamf: JamfClient,
  { isDescribed }: Account,
  devices: readonly Pick<DeviceFacts, 'site'>[],
): void {
  const [site, ...others] = new Set(devices.map((device) => device.site));
  if (isDescribed || site === undefined || others.length > 0) {
    return;
  }
  throw new MusterError(
    'site-scoped',
    `${jamf.who} did not say whether this account sees every site (GET /api/v1/auth), and each Mac that it returned ` +
      'belongs to the same site, as for an account of one site. Let this machine read /api/v1/auth, sign in with an API ' +
      'client, which belongs to no site, or confirm with "site" in the settings that one site is intended.',
  );
}

/** A sentence about hidden sites; undefined without a sign of any. */
export function describeHiddenSites(jamf: JamfClient, { limitation }: Account): string | undefined {
  return (
    limitation &&
    `${jamf.who} shows this account only its site, not the whole fleet: ${limitation}. Give the account full access, or ` +
      'confirm with "site" in the settings that this is intended.'
  );
}

/**
 * Reads the account. An API client may have none, and older servers lack this endpoint; after a failure the check that
 * needs it is unknown, and the run continues.
 */
export async function readAccount(jamf: JamfClient, signal: AbortSignal): Promise<Account> {
  try {
    return await jamf.json({ path: '/api/v1/auth' }, parseAccount);
  } catch (error) {
    signal.throwIfAborted();
    const isUnsaid = hasCode(error, 'not-found', 'permission-missing');
    const found = isUnsaid ? { username: undefined, privileges: undefined } : toReadFailure(error);
    return { limitation: undefined, isDescribed: false, found };
  }
}

/** Whether the request failed, and may succeed later. */
export function isUnread({ found }: Account): boolean {
  return 'kind' in found;
}

/** The key of `privilegesBySite` for all sites. */
const allSites = '-1';
const readingPrivilege = 'Read Computers';

export function parseAccount(body: unknown): Account {
  const { account, accountGroups } = readRecord(body) ?? {};
  const holder = readRecord(account);
  const bySite = readRecord(holder?.privilegesBySite) ?? {};
  return {
    isDescribed: holder !== undefined,
    limitation: holder && findLimitation(holder.accessLevel, bySite, readRecords(accountGroups)),
    found: { username: readText(holder?.username), privileges: readPrivileges(bySite) },
  };
}

/** The reason why an account is limited: by its access level, its privileges, or its groups. */
function findLimitation(
  level: unknown,
  bySite: Readonly<Record<string, unknown>>,
  groups: readonly Readonly<Record<string, unknown>>[],
): string | undefined {
  if (level === 'SiteAccess') {
    return 'its access level is "SiteAccess"';
  }
  const sites = Object.keys(bySite).filter((site) => site !== allSites);
  const mayRead = (site: string) => readList(bySite[site]).includes(readingPrivilege);
  if (sites.length > 0 && (!Object.hasOwn(bySite, allSites) || (!mayRead(allSites) && sites.some(mayRead)))) {
    return `its privileges are those of ${sites.length === 1 ? 'one site' : `${sites.length} sites`}`;
  }
  // The account's own full access overrides a group's.
  const hasGroup = (access: string) => groups.some(({ accessLevel }) => accessLevel === access);
  if (level !== 'FullAccess' && hasGroup('SiteAccess') && !hasGroup('FullAccess')) {
    return 'its rights come from a group with site access';
  }
  return undefined;
}

/** Privileges of all sites together. */
function readPrivileges(bySite: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const all = Object.values(bySite)
    .flatMap(readList)
    .filter((privilege) => typeof privilege === 'string');
  return all.length === 0 ? undefined : [...new Set(all)];
}
