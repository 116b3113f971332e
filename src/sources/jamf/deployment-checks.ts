/** The deployment checks of one run: collects what is read, and keeps the findings in the reading up to date. */

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
import { toJamfReadFailure, toPermissionFailure } from './read-failure.ts';
import { readServiceDownloads } from './service.ts';
import type { JamfSettings } from './settings.ts';

export interface DeploymentChecks {
  record: MacosRecorder;
  /** Reads the definition, and records the reason where that fails. */
  readAttribute(read: () => Promise<AttributeDefinition | undefined>): Promise<AttributeDefinition | undefined>;
  /** Reads everything that is read in parallel with the inventory; never fails. */
  readOthers(jamf: JamfClient): Promise<void>;
  createGroupInspector(jamf: JamfClient): GroupInspector;
}

export function createDeploymentChecks(
  settings: JamfSettings,
  context: ReadContext,
  reading: SourceReading,
): DeploymentChecks {
  const deployment = settings.deployment ?? emptyDeploymentSettings;
  const input = {
    settings: deployment,
    attribute: settings.extensionAttribute,
    server: settings.url,
    slot: context.slot,
    moment: context.moment,
  };
  let read: MacosReading = settings.groups
    ? emptyMacosReading
    : { ...emptyMacosReading, installedGroup: groupsNotNamed, notInstalledGroup: groupsNotNamed };
  const record: MacosRecorder = (part) => {
    read = { ...read, ...part };
    reading.findings = checkMacos(input, read);
  };
  record({});
  return {
    record,
    async readAttribute(readDefinition) {
      try {
        const definition = await readDefinition();
        record({ attribute: definition ? { is: 'one', value: definition } : toPermissionFailure(attributePermission) });
        return definition;
      } catch (error) {
        if (hasCode(error, 'attribute-missing')) {
          record({ attribute: { is: 'none' } });
        } else if (hasCode(error, 'attribute-ambiguous')) {
          record({ attribute: { is: 'several' } });
        } else {
          record({ attribute: toJamfReadFailure(error, attributePermission) });
        }
        throw error;
      }
    },
    async readOthers(jamf) {
      const service =
        deployment.service === undefined ? undefined : readServiceDownloads(deployment.service, context, record);
      await Promise.allSettled([readDeployment(jamf, deployment, record), service]);
    },
    createGroupInspector: (jamf) => async (holds, found) => {
      const group = found.is === 'one' ? await readGroupCriteria(jamf, found.value) : found;
      record(holds === 'Installed' ? { installedGroup: group } : { notInstalledGroup: group });
      const finding = checkGroup(holds, settings.extensionAttribute, group);
      return finding.result === 'pass' ? undefined : finding.found;
    },
  };
}

/** Never fails: without its criteria, the finding for the group is `unknown`. */
async function readGroupCriteria(jamf: JamfClient, group: ListedGroup): Promise<LookupResult<SmartGroupFacts>> {
  try {
    return { is: 'one', value: await readCriteria(jamf, group) };
  } catch (error) {
    return toJamfReadFailure(error, groupPermission);
  }
}

const groupsNotNamed: ReadFailure = {
  is: 'unread',
  why: 'the settings name no smart groups',
  advice: 'Name both in `groups` of the source.',
};
