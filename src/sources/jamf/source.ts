/** A Jamf Pro server as a source: who asks what in which order, and what is written down on the way. */
import { MusterError } from '../../errors.ts';
import { createHttpClient } from '../../http/client.ts';
import { omitUndefined } from '../read.ts';
import type { ReadContext, Source, SourceReading } from '../source.ts';
import { computeFingerprint, readAttribute } from './attribute.ts';
import { createJamfClient, type JamfClient, readJamfErrorCode } from './client.ts';
import { createDeploymentChecks, type DeploymentChecks } from './deployment-checks.ts';
import { createUnreadGroups, readSmartGroups } from './groups.ts';
import { allSections, openInventory, requiredSections } from './inventory.ts';
import type { AttributeKey, InventoryRow } from './parse.ts';
import { addPlaceNames, readPlaceNames } from './places.ts';
import { readEveryRow, type WalkObserver } from './proof.ts';
import { readAccount, refuseHiddenSite } from './scope.ts';
import type { JamfSettings } from './settings.ts';
import { createJamfCredential } from './sign-in.ts';

export interface JamfReadOptions {
  /** Rows asked for at once at first. */
  readonly pageSize?: number;
  /** Longest silence in milliseconds; an inventory page is then asked for in smaller pieces. */
  readonly idle?: number;
  readonly random?: () => number;
}

export function createJamfSource(settings: JamfSettings, tools: JamfReadOptions = {}): Source {
  return {
    name: settings.name,
    kind: 'jamf',
    read: (ask, sheet) => readJamf(settings, tools, ask, sheet),
  };
}

async function readJamf(
  settings: JamfSettings,
  tools: JamfReadOptions,
  ask: ReadContext,
  sheet: SourceReading,
): Promise<void> {
  const notebook = createProgressRecorder(ask, sheet);
  const jamf = connectJamf(settings, tools, ask, () => notebook.retried());

  // Their names are known before anything is asked, so that a source that fails early still has them.
  sheet.groups = settings.groups ? createUnreadGroups(settings.groups) : [];
  const checking = createDeploymentChecks(settings, ask, sheet);
  notebook.doing('signing in');
  const account = await readAccount(jamf);
  checking.note({ privileges: account.privileges });
  refuseHiddenSite(jamf, account, settings.site);

  // Beside everything else, and made also where the inventory then fails.
  const others = checking.others(jamf);
  try {
    await readInventory(jamf, { settings, tools, context: ask, reading: sheet, notebook, checking });
  } finally {
    await others;
  }
}

interface JamfReadContext {
  readonly settings: JamfSettings;
  readonly tools: JamfReadOptions;
  readonly context: ReadContext;
  readonly reading: SourceReading;
  readonly notebook: ProgressRecorder;
  readonly checking: DeploymentChecks;
}

async function readInventory(jamf: JamfClient, reading: JamfReadContext): Promise<void> {
  const { settings, tools, context: ask, reading: sheet, notebook, checking } = reading;
  notebook.doing('reading the attribute');
  const definition = await checking.attribute(() =>
    readAttribute(jamf, settings.extensionAttribute, ask.remembered.instrument?.id),
  );
  if (definition) {
    sheet.instrument = { id: definition.id, fingerprint: computeFingerprint(definition) };
  }
  const attribute = { name: settings.extensionAttribute, ...omitUndefined({ id: definition?.id }) };

  notebook.doing('reading computers');
  const sections = definition?.section ? new Set([...requiredSections, definition.section]) : allSections;
  const inventory = await openInventory(jamf, { attribute, sections: [...sections], idle: tools.idle ?? 60_000 });
  // Jamf advises at most five connections: four for pages, one for the groups; what is read beside them waits its turn.
  const pace = { size: tools.pageSize ?? 500, atOnce: 4 };
  const places = readPlaceNames(jamf);
  const walking = readEveryRow(inventory, pace, notebook);
  const grouping = settings.groups
    ? readSmartGroups(jamf, settings.groups, ask.signal, checking.inspect(jamf))
    : Promise.resolve([]);
  const [walked, grouped] = await Promise.allSettled([walking, grouping]);
  if (grouped.status === 'fulfilled') {
    sheet.groups = grouped.value;
  }
  checking.note({ devices: sheet.devices.filter(({ managementState }) => managementState === 'managed').length });
  const names = await places;
  if (walked.status === 'rejected') {
    throw walked.reason;
  }
  sheet.devices = sheet.devices.map((device) => addPlaceNames(device, walked.value.get(device.id), names));
  if (grouped.status === 'rejected') {
    throw grouped.reason;
  }
  if (definition === undefined) {
    refuseUncertainName(jamf, attribute, walked.value);
  }
}

function connectJamf(
  settings: JamfSettings,
  tools: JamfReadOptions,
  ask: ReadContext,
  onRetry: () => void,
): JamfClient {
  const who = `Jamf Pro "${settings.name}"`;
  const base = new URL(settings.url).href.replace(/\/+$/, '');
  const { clock, signal } = ask;
  const common = {
    ...{ who, origin: new URL(base).origin, clock, signal, onRetry, explain: readJamfErrorCode },
    ...omitUndefined({ deadline: ask.deadline, random: tools.random, idle: tools.idle }),
  };
  const credential = createJamfCredential(settings.auth, {
    client: createHttpClient({ ...common, concurrency: 1 }),
    ...{ base, who, clock, signal },
  });
  return createJamfClient(createHttpClient({ ...common, credential, concurrency: 5 }), base, who);
}

/** Without the definition, only the devices' entries can say whether there is one attribute of that name. */
function refuseUncertainName(jamf: JamfClient, attribute: AttributeKey, rows: ReadonlyMap<string, InventoryRow>): void {
  const ids = new Set([...rows.values()].flatMap((row) => row.definitions));
  const named = `called "${attribute.name}"; its definition may not be read`;
  if (ids.size > 1) {
    throw new MusterError('attribute-ambiguous', `${jamf.who} shows ${ids.size} attributes ${named}.`);
  }
  if (ids.size === 0 && rows.size > 0) {
    throw new MusterError('attribute-missing', `${jamf.who} shows no attribute ${named}. Check the settings.`);
  }
}

/** Keeps the sheet and those who watch up to date while pages come in. */
type ProgressRecorder = WalkObserver & { doing(what: string): void; retried(): void };

function createProgressRecorder(ask: ReadContext, sheet: SourceReading): ProgressRecorder {
  let doing = '';
  let rows = 0;
  const tell = () => ask.progress({ pages: sheet.receipt.pages, rows, retries: sheet.receipt.retries, doing });
  return {
    doing(what) {
      doing = what;
      tell();
    },
    retried() {
      sheet.receipt.retries += 1;
      tell();
    },
    begun() {
      rows = 0;
      sheet.receipt.walks += 1;
      if (sheet.receipt.walks > 1) {
        doing = 'reading computers again';
      }
      tell();
    },
    page(page) {
      rows += page.rows.length;
      sheet.receipt.pages += 1;
      sheet.receipt.claimed = page.total;
      sheet.receipt.received = Math.max(sheet.receipt.received, rows);
      tell();
    },
    known(found, total) {
      const ids = [...found.keys()].toSorted();
      const [firstId, lastId] = [ids[0], ids.at(-1)];
      Object.assign(sheet.receipt, { claimed: total, received: found.size, ...omitUndefined({ firstId, lastId }) });
      sheet.devices = ids.map((id) => found.get(id)?.device).filter((device) => device !== undefined);
    },
  };
}
