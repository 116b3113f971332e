/** Whether the account sees the whole fleet: a site's account gets a smaller one whose total agrees with itself. */
import { MusterError } from '../../errors.ts';
import { readList, readRecord } from '../read.ts';
import { hasCode, type JamfClient } from './client.ts';

export interface Account {
  readonly accessLevel: unknown;
  /** What it may do, as the server calls it; undefined where the server does not say. */
  readonly privileges: readonly string[] | undefined;
}

export function refuseHiddenSite(jamf: JamfClient, account: Account, site: string): void {
  if (site !== '' || account.accessLevel !== 'SiteAccess') {
    return;
  }
  throw new MusterError(
    'site-scoped',
    `${jamf.who} shows this account only its site, not the whole fleet. Give the account full access, or say with ` +
      '"site" in the settings that this is meant.',
  );
}

/** There may be no account behind an API client, and not every server tells. */
export async function readAccount(jamf: JamfClient): Promise<Account> {
  try {
    return await jamf.json({ path: '/api/v1/auth' }, (body) => {
      const account = readRecord(readRecord(body)?.account);
      return { accessLevel: account?.accessLevel, privileges: readPrivileges(account?.privilegesBySite) };
    });
  } catch (error) {
    if (hasCode(error, 'not-found', 'permission-missing')) {
      return { accessLevel: undefined, privileges: undefined };
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
