/** The deployment checks of one run: collects what is read, and keeps the findings in the reading up to date. */

import { runChecks } from '../../deployment/checks/check.ts';
import { jamfChecks } from '../../deployment/checks/jamf/checks.ts';
import type { JamfReading, SmartGroupFacts } from '../../deployment/checks/jamf/reading.ts';
import { judgeSmartGroup } from '../../deployment/checks/jamf/smart-groups.ts';
import type { LookupResult, ReadFailure } from '../../deployment/checks/lookup.ts';
import { emptyDeploymentSettings } from '../../settings/deployment/deployment.ts';
import { hasCode } from '../reading/attempt.ts';
import { createRecorder, type Recorder } from '../reading/progress.ts';
import type { ReadContext, SourceReading } from '../source.ts';
import { type JamfClient, toJamfReadFailure, toPermissionFailure } from './client.ts';
import { readServiceDownloads } from './deployment/downloads.ts';
import { readDeployment } from './deployment/objects.ts';
import { type GroupInspector, groupPermission, type ListedGroup, readCriteria } from './groups.ts';
import { type AttributeDefinition, attributePermission } from './instrument.ts';
import type { JamfSettings } from './settings.ts';

export interface DeploymentChecks {
  readonly record: Recorder<JamfReading>;
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
  const checkContext = { settings: deployment, slot: context.slot, moment: context.moment };
  const empty = { attributeName: settings.extensionAttribute, server: settings.url };
  const record = createRecorder<JamfReading>(reading, empty, (read) => runChecks(jamfChecks, read, checkContext));
  record(settings.groups ? {} : { installedGroup: groupsNotNamed, notInstalledGroup: groupsNotNamed });
  return {
    record,
    async readAttribute(readDefinition) {
      try {
        const definition = await readDefinition();
        record({ attribute: definition ? { is: 'one', value: definition } : toPermissionFailure(attributePermission) });
        return definition;
      } catch (error) {
        const missing = hasCode(error, 'attribute-missing') ? ({ is: 'none' } as const) : undefined;
        const several = hasCode(error, 'attribute-ambiguous') ? ({ is: 'several' } as const) : undefined;
        record({ attribute: missing ?? several ?? toJamfReadFailure(error, attributePermission) });
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
      const { result, found: problem } = judgeSmartGroup(holds, settings.extensionAttribute, group);
      return result === 'pass' ? undefined : problem;
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
