/** A Jamf Pro server as a source: reads its parts in order, and records results as they arrive. */
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { jamfChecks } from '../../deployment/checks/jamf/checks.ts';
import type { JamfReading } from '../../deployment/checks/jamf/reading.ts';
import type { ReadFailure } from '../../deployment/checks/verdicts.ts';
import { Pace } from '../reading/pace.ts';
import { createRecorder, ReadingProgress, type Recorder } from '../reading/progress.ts';
import type { ReadContext, Source, SourceReading } from '../source.ts';
import { type Account, isUnread, readAccount, refuseHiddenSite, refuseUnconfirmedSite } from './account.ts';
import { connectJamf, type JamfClient } from './client.ts';
import { readServiceDownloads } from './deployment/downloads.ts';
import { readDeployment } from './deployment/objects.ts';
import { type EveryRow, readEveryRow, type WalkObserver } from './devices.ts';
import { createUnreadGroups, readSmartGroups } from './groups.ts';
import { type AttributeDefinition, computeFingerprint, readAttribute } from './instrument.ts';
import { allSections, JamfInventory, requiredSections } from './inventory.ts';
import type { AttributeKey, InventoryRow } from './parse.ts';
import { addPlaceNames, readPlaceNames } from './places.ts';
import { readServerAddress } from './server.ts';
import type { JamfReadOptions, JamfSettings } from './settings.ts';

/** Rows of the largest page: of an inventory walk, and of a walk over ids, where the server returns at most 2,000. */
const rowsPerPage = 500;
const idsPerPage = 2000;
const defaultIdle = 60_000;
/** Milliseconds until all nodes of Jamf Cloud know of a change, which takes up to a minute. */
const nodesAgreeAfter = 65_000;

export function createJamfSource(settings: JamfSettings, options: JamfReadOptions = {}): Source {
  return {
    name: settings.name,
    kind: 'jamf',
    ...omitUndefined({ address: readServerAddress(settings) }),
    read: (context, reading) => readJamf(settings, options, context, reading),
  };
}

/** Shared by the steps of one reading. */
interface JamfRun {
  readonly jamf: JamfClient;
  /** The same server, for optional requests. */
  readonly optional: JamfClient;
  readonly settings: JamfSettings;
  readonly options: JamfReadOptions;
  readonly context: ReadContext;
  readonly reading: SourceReading;
  readonly progress: ReadingProgress;
  readonly record: Recorder<JamfReading>;
}

async function readJamf(
  settings: JamfSettings,
  options: JamfReadOptions,
  context: ReadContext,
  reading: SourceReading,
): Promise<void> {
  const progress = new ReadingProgress(context, reading);
  const { jamf, credential } = connectJamf(settings, options, context, progress.onRetry);
  const optional = jamf.optional();

  // Group names come from the settings, so that a source that fails early still has them.
  reading.groups = settings.groups ? createUnreadGroups(settings.groups) : [];
  const record = createJamfRecorder(settings, context, reading);
  const run: JamfRun = { jamf, optional, settings, options, context, reading, progress, record };
  progress.begin('signing in');
  // Keeps within the server's limit, since another source may be reading it.
  const signIn = () => credential.header();
  await (options.limit?.(signIn) ?? signIn());
  progress.begin('reading the attribute');
  // Runs at the same time: pages wait for the account and the attribute alone.
  const accountRead = readAccount(optional, context.signal);
  const definition = readDefinition(run);
  const others = readOthers(run);
  const places = readPlaceNames(optional);
  const settled = Promise.allSettled([definition, others, places]);
  let account: Account;
  try {
    account = await accountRead;
    record({ account: account.found });
    refuseHiddenSite(jamf, account, settings.site);
    const rows = await readInventory(run, await definition);
    addPlaceNames(rows.values(), await places);
  } finally {
    // Finishes the other reads even if the inventory fails.
    await settled;
  }
  if (isUnread(account)) {
    account = await readAccount(optional, context.signal);
    record({ account: account.found });
    refuseHiddenSite(jamf, account, settings.site);
  }
  const isFirstRun = context.remembered.instrument === undefined;
  if (isFirstRun && 'username' in settings.auth && settings.site === '') {
    refuseUnconfirmedSite(jamf, account, reading.devices);
  }
}

function createJamfRecorder(settings: JamfSettings, { slot, moment }: ReadContext, reading: SourceReading) {
  const { extensionAttribute: attributeName, url: server, site, deployment, groups } = settings;
  const unnamed = groups ? {} : { installedGroup: groupsNotNamed, notInstalledGroup: groupsNotNamed };
  const check = { settings: deployment, slot, moment };
  return createRecorder<JamfReading>(reading, jamfChecks, check, { attributeName, server, site, ...unnamed });
}

const groupsNotNamed: ReadFailure = {
  kind: 'unread',
  why: 'the settings name no smart groups',
  advice: 'Name both in `groups` of the source.',
};

/** Reads for the checks alone, and never fails. */
async function readOthers({ optional, settings: { deployment }, context, record }: JamfRun): Promise<void> {
  const downloads = readServiceDownloads(deployment.service, context, record);
  await Promise.allSettled([readDeployment(optional, deployment, record), downloads]);
}

/** Undefined where the account may not read the definition. */
async function readDefinition({ jamf, settings, context, reading, record }: JamfRun) {
  const { instrument: remembered } = context.remembered;
  const definition = await readAttribute(jamf, settings.extensionAttribute, record, remembered?.id);
  if (definition) {
    reading.instrument = { id: definition.id, fingerprint: computeFingerprint(definition) };
  }
  return definition;
}

async function readInventory(run: JamfRun, definition: AttributeDefinition | undefined): Promise<EveryRow['rows']> {
  const { jamf, optional, settings, context, reading, progress, record } = run;
  const { signal } = context;
  const attribute = { name: settings.extensionAttribute, ...omitUndefined({ id: definition?.id }) };

  progress.begin('reading computers');
  const sections = definition?.section ? new Set([...requiredSections, definition.section]) : allSections;
  const { idle = defaultIdle } = run.options;
  const inventory = new JamfInventory(jamf, { attribute, sections: [...sections], idle });
  const paces = {
    rows: new Pace({ size: rowsPerPage, idle }),
    ids: new Pace({ size: idsPerPage, idle }),
  };
  const observer = createWalkObserver(run);
  const walking = readEveryRow(inventory, paces, observer, { walksTwice: settings.site !== '' });
  const grouping = settings.groups
    ? readSmartGroups(settings.groups, {
        jamf: optional,
        signal,
        attributeName: attribute.name,
        site: settings.site,
        record,
      })
    : Promise.resolve([]);
  const [walked, grouped] = await Promise.allSettled([walking, grouping]);
  if (grouped.status === 'fulfilled') {
    reading.groups = grouped.value;
  }
  const managed = reading.devices.filter(({ managementState }) => managementState === 'managed').map(({ id }) => id);
  record({ devices: managed.length, managed: walked.status === 'fulfilled' ? managed : undefined });
  if (walked.status === 'rejected') {
    throw walked.reason;
  }
  if (grouped.status === 'rejected') {
    throw grouped.reason;
  }
  if (definition === undefined) {
    refuseUncertainName(jamf, attribute, walked.value.rows);
  }
  reading.unread = walked.value.unread.map((id) => ({ id, operatingSystem: 'macos' }));
  reading.repeated = walked.value.repeated.toSorted();
  return walked.value.rows;
}

/** Throws where several attributes may have the name; without the definition, only the devices' entries show that. */
function refuseUncertainName(jamf: JamfClient, attribute: AttributeKey, rows: ReadonlyMap<string, InventoryRow>): void {
  const ids = new Set([...rows.values()].flatMap((row) => row.definitions));
  const named = `called "${attribute.name}"; Muster may not read its definition`;
  if (ids.size > 1) {
    throw new MusterError(
      'attribute-ambiguous',
      `${jamf.who} shows ${ids.size} attributes ${named}. Rename all but one.`,
    );
  }
  if (ids.size === 0 && rows.size > 0) {
    throw new MusterError('attribute-missing', `${jamf.who} shows no attribute ${named}. Check the settings.`);
  }
}

/** Updates the reading and the progress as pages arrive. */
function createWalkObserver({ reading, progress, context: { clock, signal } }: JamfRun): WalkObserver {
  const { receipt } = reading;
  let rows = 0;
  return {
    onWalkStart() {
      rows = 0;
      receipt.walks += 1;
      if (receipt.walks > 1) {
        progress.begin('reading computers again');
      }
    },
    onPage(page) {
      rows += page.rows.length;
      receipt.pages += 1;
      receipt.claimed = page.total;
      receipt.received = Math.max(receipt.received, rows);
      progress.report();
    },
    onRows(found, total) {
      const ids = [...found.keys()].toSorted();
      const [firstId, lastId] = [ids[0], ids.at(-1)];
      Object.assign(receipt, { claimed: total, received: found.size, ...omitUndefined({ firstId, lastId }) });
      reading.devices = ids.map((id) => found.get(id)?.device).filter((device) => device !== undefined);
    },
    async onDenial() {
      progress.begin('waiting to ask again for computers that are gone');
      await clock.sleep(nodesAgreeAfter, signal);
    },
  };
}
