/** Whether the account sees the whole fleet: a site's account gets a smaller one whose total agrees with itself. */
import { MusterError } from '../../errors.ts';
import { hasCode, type Jamf } from './client.ts';
import { recordOf } from './read.ts';

export async function refuseHiddenSite(jamf: Jamf, site: string): Promise<void> {
  if (site !== '' || (await accessLevel(jamf)) !== 'SiteAccess') return;
  throw new MusterError(
    'site-scoped',
    `${jamf.who} shows this account only its site, not the whole fleet. Give the account full access, or say with ` +
      '"site" in the settings that this is meant.',
  );
}

/** Undefined where there is no account (an API client may have none) or the server does not tell. */
async function accessLevel(jamf: Jamf): Promise<unknown> {
  try {
    return await jamf.json({ path: '/api/v1/auth' }, (body) => recordOf(recordOf(body)?.account)?.accessLevel);
  } catch (error) {
    if (hasCode(error, 'not-found', 'permission-missing')) return undefined;
    throw error;
  }
}
