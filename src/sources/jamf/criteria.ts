/** What a smart group selects: its criteria, from the Jamf Pro API or Classic XML. */
import type { SmartGroupFacts } from '../../deployment/checks/groups.ts';
import { firstKnown, type Jamf } from './client.ts';
import { type Listed, groupPermission as permission } from './groups.ts';
import { classicGroup, groupOfApi } from './objects.ts';

export async function readCriteria(jamf: Jamf, group: Listed): Promise<SmartGroupFacts> {
  if (!group.smart) return { smart: false, criteria: [] };
  const id = encodeURIComponent(group.id);
  const api = (version: string) => () =>
    jamf.json({ path: `/api/${version}/computer-groups/smart-groups/${id}`, permission }, groupOfApi);
  const classic = () =>
    jamf.xml({ path: `/JSSResource/computergroups/id/${id}`, permission, root: 'computer_group' }, classicGroup);
  return firstKnown([api('v3'), api('v2'), classic]);
}
