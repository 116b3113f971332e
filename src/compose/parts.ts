/** The parts of a run from its settings. A store or a report has a line in a table here. */
import { isAbsolute, resolve } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import * as v from 'valibot';
import { createKmsSigner } from '../aws/kms-signature.ts';
import { requestWebIdentityToken } from '../aws/web-identity-token.ts';
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Clock, compareServerClocks, systemClock } from '../http/clock.ts';
import { jsonReport } from '../reports/document/document.ts';
import { findingsReport } from '../reports/findings.ts';
import { metricsReport } from '../reports/metrics.ts';
import { createPageReport } from '../reports/page/page.ts';
import type { Report } from '../reports/report.ts';
import { tables } from '../reports/tables.ts';
import { workbookReport } from '../reports/workbook.ts';
import type { GatherOptions } from '../run/gather.ts';
import type { Privacy } from '../run/gathering/redact-users.ts';
import type { Parts } from '../run/parts.ts';
import { isInBucket, readDocumentBytes, resolveInFolder } from '../settings/documents.ts';
import type { Environment } from '../settings/tenants.ts';
import type { OpenContext } from '../sources/source-kind.ts';
import { createFolderStore } from '../storage/folder/folder-store.ts';
import { createLocalSigner } from '../storage/signing/local-key.ts';
import { createMissingError, parseTrustedKeys } from '../storage/signing/parse-keys.ts';
import type { TrustedKeys } from '../storage/signing/trusted-keys.ts';
import type { Store } from '../storage/store.ts';
import { composeAlerts } from './channels.ts';
import { type LoadedSettings, loadSettings } from './load-settings.ts';
import type { Settings } from './read-settings.ts';
import type { SecretReader } from './secrets.ts';
import { storeSchema } from './settings-schema.ts';
import { createRulesTable, findSourceKind, sourceKinds } from './source-kinds.ts';

export interface ComposeContext
  extends Pick<GatherOptions, 'clock' | 'signal' | 'deadline' | 'asksOnce' | 'onProgress' | 'heap'> {
  /** Milliseconds that replace the settings' `policy.patienceMinutes`. */
  readonly patience?: number;
  readonly secret: SecretReader;
  /** The folder of relative paths in the settings. */
  readonly folder: string;
  /** Milliseconds of silence that replace the sources' own limits. */
  readonly idle?: number;
  /** Kinds of sources; the registry's by default. */
  readonly kinds?: typeof sourceKinds;
}

export async function composeParts(settings: Settings, context: ComposeContext): Promise<Parts> {
  const { secret, folder, idle, kinds = sourceKinds, ...rest } = context;
  const { patience = settings.policy.patienceMinutes * 60_000 } = context;
  const limits = new Map<string, LimitFunction>();
  const openContext: OpenContext = {
    deployment: settings.deployment,
    secret,
    webIdentityToken: requestWebIdentityToken,
    limitRequests(server, concurrency) {
      const limit = limits.get(server) ?? pLimit(concurrency);
      limits.set(server, limit);
      return limit;
    },
    idle,
  };
  // Compares this machine's clock, even where a demo or a test runs at another time.
  const serverClocks = compareServerClocks(systemClock);
  const { onServerDate } = serverClocks;
  return {
    ...rest,
    patience,
    clock: { ...rest.clock, onServerDate },
    serverClocks,
    // Loads the rules and checks of every source, so that a failure ends the run before it asks a platform.
    sources: await Promise.all(
      settings.sources.map((source) => findSourceKind(source.platform, kinds).open(source, openContext)),
    ),
    privacy: await composePrivacy(settings, secret),
    ...(await openStores(settings, folder, onServerDate)),
    ...openSigning(settings, folder),
    alerts: composeAlerts(settings, { secret, folder, clock: rest.clock }),
    tables,
    reports: listReports(createPageReport(kinds)),
    rules: createRulesTable(kinds),
  };
}

/** Opens the store, and the second store for commits. */
async function openStores(
  { store, audit }: Pick<Settings, 'store' | 'audit'>,
  folder: string,
  onServerDate?: Clock['onServerDate'],
): Promise<Pick<Parts, 'store' | 'audit'>> {
  return {
    store: await openStore(store, folder, onServerDate),
    ...(audit === undefined ? {} : { audit: await openStore(audit, folder, onServerDate) }),
  };
}

/** Opens stores without reading the settings' secrets, for commands that only read kept data. */
export async function openKeptStores(
  settingsFile: string | undefined,
  environment: Environment,
): Promise<LoadedSettings & Pick<Parts, 'store' | 'audit'>> {
  const loaded = await loadSettings(settingsFile, environment, 'none');
  return { ...loaded, ...(await openStores(loaded.settings, loaded.folder)) };
}

type OpenStore = (place: string, folder: string, onServerDate: Clock['onServerDate']) => Store | Promise<Store>;

/** Openers by the scheme of a place; a place without one is a folder. */
export const storeOpeners: Readonly<Record<string, OpenStore>> = {
  folder: (place, folder) => createFolderStore(resolveOnMachine(folder, place)),
  s3: openS3Store,
};

/** Resolves a path on this machine; throws where settings in a bucket give a relative one. */
function resolveOnMachine(folder: string, path: string): string {
  if (isInBucket(folder) && !isAbsolute(path)) {
    const sentence = `"${path}" is relative to the settings, which lie in ${folder}, where it can be no folder or file.`;
    throw new MusterError('settings-invalid', `${sentence} Name an absolute path, or an address.`);
  }
  return resolve(folder, path);
}

export async function openStore(place: string, folder: string, onServerDate?: Clock['onServerDate']): Promise<Store> {
  const [, scheme = 'folder'] = /^(\w+):\/\//.exec(place) ?? [];
  const open = v.is(storeSchema, place) ? storeOpeners[scheme] : undefined;
  if (open === undefined) {
    throw new MusterError('settings-invalid', `The store ${place} is neither a folder nor s3://bucket/prefix.`);
  }
  return open(place, folder, onServerDate);
}

async function openS3Store(place: string, _folder: string, onServerDate: Clock['onServerDate']): Promise<Store> {
  const { createS3Store, parseS3Uri } = await import('../storage/s3/s3-store.ts');
  const location = parseS3Uri(place);
  if (location === undefined) {
    throw new MusterError('settings-invalid', `The store ${place} is not s3://bucket/prefix.`);
  }
  return createS3Store(location, omitUndefined({ onServerDate }));
}

/** Reports with a file of their own, beside the tables. */
function listReports(page: Report): readonly Report[] {
  return [findingsReport, jsonReport, page, workbookReport, metricsReport];
}

export const pageReport = createPageReport(sourceKinds);
export const reports = listReports(pageReport);

async function composePrivacy({ privacy: { users, key = '' } }: Settings, secret: SecretReader): Promise<Privacy> {
  return users === 'hash' ? { users, key: await secret(key)(false) } : { users };
}

/** Reads the key when it signs, and the public keys once, when the first commit is checked. */
export function openSigning(
  { signing, publicKeys }: Pick<Settings, 'signing' | 'publicKeys'>,
  folder: string,
): Pick<Parts, 'signing'> {
  if (publicKeys === undefined) {
    return {};
  }
  const openSigner = (key: string) =>
    key.startsWith('kms:')
      ? createKmsSigner(key.replace('kms:', ''))
      : createLocalSigner(resolveOnMachine(folder, key.replace('file:', '')));
  const signer = signing === undefined ? undefined : openSigner(signing);
  let keys: Promise<TrustedKeys> | undefined;
  const readKeys = () => {
    keys ??= readTrustedKeys(resolveInFolder(folder, publicKeys));
    return keys;
  };
  return { signing: { signer, readKeys } };
}

/** Reads the public keys that the settings name; verifying needs no others. */
export async function readNamedKeys(
  { publicKeys }: Pick<Settings, 'publicKeys'>,
  folder: string,
): Promise<TrustedKeys | undefined> {
  return publicKeys === undefined ? undefined : readTrustedKeys(resolveInFolder(folder, publicKeys));
}

/** Reads public keys from a file, or an object of a bucket. */
export async function readTrustedKeys(address: string): Promise<TrustedKeys> {
  const body = await readDocumentBytes(address).catch((cause: NodeJS.ErrnoException) => {
    throw createMissingError(address, `could not be read (${cause.code ?? 'no reason given'})`, cause);
  });
  return parseTrustedKeys(body, address);
}
