/** Whether the account sees the whole fleet: to an account of one site, the server reports that site's total as if it were all. */
import { MusterError } from '../../errors.ts';
import { readList, readRecord, readText } from '../read.ts';
import { hasCode, type JamfClient } from './client.ts';

export interface Account {
  readonly accessLevel: unknown;
  readonly username: string | undefined;
  /** Its privileges, as the server calls them; undefined where the server does not list them. */
  readonly privileges: readonly string[] | undefined;
}

export function refuseHiddenSite(jamf: JamfClient, account: Account, site: string): void {
  if (site !== '' || account.accessLevel !== 'SiteAccess') {
    return;
  }
  throw new MusterError(
    'site-scoped',
    `${jamf.who} shows this account only its site, not the whole fleet. Give the account full access, or confirm with ` +
      '"site" in the settings that this is intended.',
  );
}

/** An API client may have no account, and not every server has this endpoint. */
export async function readAccount(jamf: JamfClient): Promise<Account> {
  try {
    return await jamf.json({ path: '/api/v1/auth' }, (body) => {
      const account = readRecord(readRecord(body)?.account);
      return {
        accessLevel: account?.accessLevel,
        username: readText(account?.username),
        privileges: readPrivileges(account?.privilegesBySite),
      };
    });
  } catch (error) {
    if (hasCode(error, 'not-found', 'permission-missing')) {
      return { accessLevel: undefined, username: undefined, privileges: undefined };
    }
    throw error;
  }
}

/** The union over all sites. */
function readPrivileges(bySite: unknown): readonly string[] | undefined {
  const lists = Object.values(readRecord(bySite) ?? {}).map(readList);
  const all = lists.flat().filter((privilege) => typeof privilege === 'string');
  return all.length === 0 ? undefined : [...new Set(all)];
}
