/** A Jamf Pro server as a source: what is read in which order, and what is recorded meanwhile. */
import { MusterError } from '../../errors.ts';
import { type Credential, createHttpClient } from '../../http/client.ts';
import { createRequestLimit, type RequestLimit } from '../../http/request-limit.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { ReadContext, Source, SourceReading } from '../source.ts';
import { computeFingerprint, readAttribute } from './attribute.ts';
import { createJamfClient, type JamfClient, readJamfErrorCode, toOptionalClient } from './client.ts';
import { createDeploymentChecks, type DeploymentChecks } from './deployment-checks.ts';
import { createUnreadGroups, readSmartGroups } from './groups.ts';
import { allSections, openInventory, requiredSections } from './inventory.ts';
import { createPace } from './pace.ts';
import type { AttributeKey, InventoryRow } from './parse.ts';
import { type PlaceNames, readPlaceNames } from './places.ts';
import { readEveryRow, type WalkObserver } from './proof.ts';
import { isUnread, readAccount, refuseHiddenSite } from './scope.ts';
import type { JamfSettings } from './settings.ts';
import { createJamfCredential } from './sign-in.ts';

export interface JamfReadOptions {
  /** Rows of the first request. */
  readonly pageSize?: number;
  /** Idle timeout in milliseconds; after it, inventory pages are made smaller. */
  readonly idle?: number;
  readonly random?: () => number;
  /** Shared by all sources of one server. */
  readonly limit?: RequestLimit;
}

/** https://developer.jamf.com/jamf-pro/docs/jamf-pro-api-scalability-best-practices: four for pages, one for the rest. */
export const maximumRequestsAtOnce = 5;
const maximumPagesAtOnce = 4;
/** The largest page of an inventory walk, and of a walk over the ids alone, of which the server returns 2,000 at most. */
const rowsPerPage = 500;
const idsPerPage = 2000;
const defaultIdle = 60_000;

export function createJamfSource(settings: JamfSettings, options: JamfReadOptions = {}): Source {
  return {
    name: settings.name,
    kind: 'jamf',
    address: new URL(settings.url).origin,
    read: (context, reading) => readJamf(settings, options, context, reading),
  };
}

async function readJamf(
  settings: JamfSettings,
  options: JamfReadOptions,
  context: ReadContext,
  reading: SourceReading,
): Promise<void> {
  const progress = createProgressRecorder(context, reading);
  const { jamf, credential } = connectJamf(settings, options, context, () => progress.onRetry());
  const optional = toOptionalClient(jamf);

  // The groups' names come from the settings, so that a source that fails early still has them.
  reading.groups = settings.groups ? createUnreadGroups(settings.groups) : [];
  const checks = createDeploymentChecks(settings, context, reading);
  progress.begin('signing in');
  await credential.header();
  const account = await readAccount(optional, context.signal);
  checks.record({ account: account.found });
  refuseHiddenSite(jamf, account, settings.site);

  // In parallel with everything else, and made even if the inventory fails.
  const others = checks.readOthers(optional);
  const places = readPlaceNames(optional);
  try {
    await readInventory(jamf, { settings, options, context, reading, progress, checks, places });
  } finally {
    await Promise.all([others, places]);
  }
  if (isUnread(account)) {
    const later = await readAccount(optional, context.signal);
    checks.record({ account: later.found });
    refuseHiddenSite(jamf, later, settings.site);
  }
}

interface JamfReadContext {
  readonly settings: JamfSettings;
  readonly options: JamfReadOptions;
  readonly context: ReadContext;
  readonly reading: SourceReading;
  readonly progress: ProgressRecorder;
  readonly checks: DeploymentChecks;
  readonly places: Promise<PlaceNames>;
}

async function readInventory(jamf: JamfClient, parts: JamfReadContext): Promise<void> {
  const { settings, options, context, reading, progress, checks, places } = parts;
  progress.begin('reading the attribute');
  const definition = await checks.readAttribute(() =>
    readAttribute(jamf, settings.extensionAttribute, context.remembered.instrument?.id),
  );
  if (definition) {
    reading.instrument = { id: definition.id, fingerprint: computeFingerprint(definition) };
  }
  const attribute = { name: settings.extensionAttribute, ...omitUndefined({ id: definition?.id }) };

  progress.begin('reading computers');
  const sections = definition?.section ? new Set([...requiredSections, definition.section]) : allSections;
  const { idle = defaultIdle } = options;
  const optional = toOptionalClient(jamf);
  const inventory = await openInventory(jamf, { attribute, sections: [...sections], idle, places });
  const atOnce = maximumPagesAtOnce;
  const paces = {
    rows: createPace({ size: options.pageSize ?? rowsPerPage, atOnce, idle }),
    ids: createPace({ size: idsPerPage, atOnce, idle }),
  };
  const walking = readEveryRow(inventory, paces, progress);
  const grouping = settings.groups
    ? readSmartGroups(optional, settings.groups, context.signal, checks.createGroupInspector(optional))
    : Promise.resolve([]);
  const [walked, grouped] = await Promise.allSettled([walking, grouping]);
  if (grouped.status === 'fulfilled') {
    reading.groups = grouped.value;
  }
  const managed = reading.devices.filter(({ managementState }) => managementState === 'managed').map(({ id }) => id);
  checks.record({
    devices: managed.length,
    managed: walked.status === 'fulfilled' ? managed : undefined,
  });
  if (walked.status === 'rejected') {
    throw walked.reason;
  }
  if (grouped.status === 'rejected') {
    throw grouped.reason;
  }
  if (definition === undefined) {
    refuseUncertainName(jamf, attribute, walked.value);
  }
}

function connectJamf(
  settings: JamfSettings,
  options: JamfReadOptions,
  context: ReadContext,
  onRetry: () => void,
): { readonly jamf: JamfClient; readonly credential: Credential } {
  const who = `Jamf Pro "${settings.name}"`;
  const base = new URL(settings.url).href.replace(/\/+$/, '');
  const { clock, signal } = context;
  const common = {
    who,
    origin: new URL(base).origin,
    clock,
    signal,
    onRetry,
    explain: readJamfErrorCode,
    ...omitUndefined({
      deadline: context.deadline,
      patience: context.patience,
      random: options.random,
      idle: options.idle,
    }),
  };
  const credential = createJamfCredential(settings.auth, {
    client: createHttpClient({ ...common, concurrency: 1 }),
    base,
    who,
    clock,
    signal,
  });
  const limit = options.limit ?? createRequestLimit(maximumRequestsAtOnce);
  return { jamf: createJamfClient(createHttpClient({ ...common, credential, limit }), base, who), credential };
}

/** Without the definition, only the devices' entries show whether one attribute has that name. */
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
type ProgressRecorder = WalkObserver & { begin(what: string): void; onRetry(): void };

function createProgressRecorder(context: ReadContext, reading: SourceReading): ProgressRecorder {
  let doing = '';
  let rows = 0;
  const reportProgress = () =>
    context.progress({ pages: reading.receipt.pages, rows, retries: reading.receipt.retries, doing });
  return {
    begin(what) {
      doing = what;
      reportProgress();
    },
    onRetry() {
      reading.receipt.retries += 1;
      reportProgress();
    },
    onWalkStart() {
      rows = 0;
      reading.receipt.walks += 1;
      if (reading.receipt.walks > 1) {
        doing = 'reading computers again';
      }
      reportProgress();
    },
    onPage(page) {
      rows += page.rows.length;
      reading.receipt.pages += 1;
      reading.receipt.claimed = page.total;
      reading.receipt.received = Math.max(reading.receipt.received, rows);
      reportProgress();
    },
    onRows(found, total) {
      const ids = [...found.keys()].toSorted();
      const [firstId, lastId] = [ids[0], ids.at(-1)];
      Object.assign(reading.receipt, { claimed: total, received: found.size, ...omitUndefined({ firstId, lastId }) });
      reading.devices = ids.map((id) => found.get(id)?.device).filter((device) => device !== undefined);
    },
  };
}
