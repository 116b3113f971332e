/** The checks of one night: everything read so far, and the findings it makes, on the sheet at every moment. */

import { checkGroup, type SmartGroupFacts } from '../../deployment/checks/groups.ts';
import { nothingAsked } from '../../deployment/deployment-settings.ts';
import type { Found, Unread } from '../../deployment/finding.ts';
import { type MacosRead, macosFindings, nothingOfMacos } from '../../deployment/macos-checks.ts';
import type { Ask, Sheet } from '../source.ts';
import { type AttributeDefinition, attributePermission } from './attribute.ts';
import { hasCode, type Jamf } from './client.ts';
import { readCriteria } from './criteria.ts';
import { type Note, readDeployment } from './deployment.ts';
import { groupPermission, type Inspect, type Listed } from './groups.ts';
import { readService } from './service.ts';
import type { JamfSettings } from './settings.ts';
import { unreadOf, withheld } from './unread.ts';

export interface Checking {
  note: Note;
  /** Reads the definition, and writes down also why it could not be. */
  attribute(read: () => Promise<AttributeDefinition | undefined>): Promise<AttributeDefinition | undefined>;
  /** Everything that is read beside the inventory; never fails. */
  others(jamf: Jamf): Promise<void>;
  inspect(jamf: Jamf): Inspect;
}

export function checkingOf(settings: JamfSettings, ask: Ask, sheet: Sheet): Checking {
  const asked = settings.deployment ?? nothingAsked;
  const question = {
    asked,
    attribute: settings.extensionAttribute,
    server: settings.url,
    slot: ask.slot,
    moment: ask.moment,
  };
  let read: MacosRead = settings.groups
    ? nothingOfMacos
    : { ...nothingOfMacos, installedGroup: unnamed, notInstalledGroup: unnamed };
  const note: Note = (part) => {
    read = { ...read, ...part };
    sheet.findings = macosFindings(question, read);
  };
  note({});
  return {
    note,
    async attribute(readDefinition) {
      try {
        const definition = await readDefinition();
        note({ attribute: definition ? { is: 'one', value: definition } : withheld(attributePermission) });
        return definition;
      } catch (error) {
        if (hasCode(error, 'attribute-missing')) note({ attribute: { is: 'none' } });
        else if (hasCode(error, 'attribute-ambiguous')) note({ attribute: { is: 'several' } });
        else note({ attribute: unreadOf(error, attributePermission) });
        throw error;
      }
    },
    async others(jamf) {
      const service = asked.service === undefined ? undefined : readService(asked.service, ask, note);
      await Promise.allSettled([readDeployment(jamf, asked, note), service]);
    },
    inspect: (jamf) => async (holds, found) => {
      const group = found.is === 'one' ? await criteriaOf(jamf, found.value) : found;
      note(holds === 'Installed' ? { installedGroup: group } : { notInstalledGroup: group });
      const finding = checkGroup(holds, settings.extensionAttribute, group);
      return finding.result === 'pass' ? undefined : finding.found;
    },
  };
}

/** Never fails: a group whose criteria cannot be read is one that cannot be judged. */
async function criteriaOf(jamf: Jamf, group: Listed): Promise<Found<SmartGroupFacts>> {
  try {
    return { is: 'one', value: await readCriteria(jamf, group) };
  } catch (error) {
    return unreadOf(error, groupPermission);
  }
}

const unnamed: Unread = {
  is: 'unread',
  why: 'the settings name no smart groups',
  advice: 'Name both in `groups` of the source.',
};
