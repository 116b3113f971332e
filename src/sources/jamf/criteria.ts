/** Reads the criteria of a smart group, from the Jamf Pro API or Classic XML. */
import type { SmartGroupFacts } from '../../deployment/checks/groups.ts';
import { callFirstSupported, type JamfClient } from './client.ts';
import { type ListedGroup, groupPermission as permission } from './groups.ts';
import { parseApiGroup, parseClassicGroup } from './objects.ts';

export async function readCriteria(jamf: JamfClient, group: ListedGroup): Promise<SmartGroupFacts> {
  if (!group.smart) {
    return { smart: false, criteria: [] };
  }
  const id = encodeURIComponent(group.id);
  const api = (version: string) => () =>
    jamf.json({ path: `/api/${version}/computer-groups/smart-groups/${id}`, permission }, parseApiGroup);
  const classic = () =>
    jamf.xml({ path: `/JSSResource/computergroups/id/${id}`, permission, root: 'computer_group' }, parseClassicGroup);
  return callFirstSupported([api('v3'), api('v2'), classic]);
}
