/** The checks of one night: everything read so far, and the findings it makes, on the sheet at every moment. */

import { checkGroup, type SmartGroupFacts } from '../../deployment/checks/groups.ts';
import { emptyDeploymentSettings } from '../../deployment/deployment-settings.ts';
import type { LookupResult, ReadFailure } from '../../deployment/finding.ts';
import { checkMacos, emptyMacosReading, type MacosReading } from '../../deployment/macos-checks.ts';
import type { ReadContext, SourceReading } from '../source.ts';
import { type AttributeDefinition, attributePermission } from './attribute.ts';
import { hasCode, type JamfClient } from './client.ts';
import { readCriteria } from './criteria.ts';
import { type MacosRecorder, readDeployment } from './deployment.ts';
import { type GroupInspector, groupPermission, type ListedGroup } from './groups.ts';
import { toPermissionFailure, toReadFailure } from './read-failure.ts';
import { readServiceDownloads } from './service.ts';
import type { JamfSettings } from './settings.ts';

export interface DeploymentChecks {
  note: MacosRecorder;
  /** Reads the definition, and writes down also why it could not be. */
  attribute(read: () => Promise<AttributeDefinition | undefined>): Promise<AttributeDefinition | undefined>;
  /** Everything that is read beside the inventory; never fails. */
  others(jamf: JamfClient): Promise<void>;
  inspect(jamf: JamfClient): GroupInspector;
}

export function createDeploymentChecks(
  settings: JamfSettings,
  ask: ReadContext,
  sheet: SourceReading,
): DeploymentChecks {
  const asked = settings.deployment ?? emptyDeploymentSettings;
  const question = {
    asked,
    attribute: settings.extensionAttribute,
    server: settings.url,
    slot: ask.slot,
    moment: ask.moment,
  };
  let read: MacosReading = settings.groups
    ? emptyMacosReading
    : { ...emptyMacosReading, installedGroup: groupsNotNamed, notInstalledGroup: groupsNotNamed };
  const note: MacosRecorder = (part) => {
    read = { ...read, ...part };
    sheet.findings = checkMacos(question, read);
  };
  note({});
  return {
    note,
    async attribute(readDefinition) {
      try {
        const definition = await readDefinition();
        note({ attribute: definition ? { is: 'one', value: definition } : toPermissionFailure(attributePermission) });
        return definition;
      } catch (error) {
        if (hasCode(error, 'attribute-missing')) {
          note({ attribute: { is: 'none' } });
        } else if (hasCode(error, 'attribute-ambiguous')) {
          note({ attribute: { is: 'several' } });
        } else {
          note({ attribute: toReadFailure(error, attributePermission) });
        }
        throw error;
      }
    },
    async others(jamf) {
      const service = asked.service === undefined ? undefined : readServiceDownloads(asked.service, ask, note);
      await Promise.allSettled([readDeployment(jamf, asked, note), service]);
    },
    inspect: (jamf) => async (holds, found) => {
      const group = found.is === 'one' ? await readGroupCriteria(jamf, found.value) : found;
      note(holds === 'Installed' ? { installedGroup: group } : { notInstalledGroup: group });
      const finding = checkGroup(holds, settings.extensionAttribute, group);
      return finding.result === 'pass' ? undefined : finding.found;
    },
  };
}

/** Never fails: a group whose criteria cannot be read is one that cannot be judged. */
async function readGroupCriteria(jamf: JamfClient, group: ListedGroup): Promise<LookupResult<SmartGroupFacts>> {
  try {
    return { is: 'one', value: await readCriteria(jamf, group) };
  } catch (error) {
    return toReadFailure(error, groupPermission);
  }
}

const groupsNotNamed: ReadFailure = {
  is: 'unread',
  why: 'the settings name no smart groups',
  advice: 'Name both in `groups` of the source.',
};
