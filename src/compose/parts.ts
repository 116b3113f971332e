/**
 * The table of every part, and settings → parts. Adding a platform, store or report is its own files and a line here.
 */

import { resolve } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { requestWebIdentityToken } from '../aws/web-identity-token.ts';
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Clock, compareServerClocks, systemClock } from '../http/clock.ts';
import { jsonReport } from '../reports/document/document.ts';
import { findingsReport } from '../reports/findings.ts';
import { pageReport } from '../reports/page/page.ts';
import type { Report } from '../reports/report.ts';
import { tables } from '../reports/tables.ts';
import { workbookReport } from '../reports/workbook.ts';
import type { GatherOptions } from '../run/gather.ts';
import type { Parts } from '../run/parts.ts';
import type { Privacy } from '../run/redact-users.ts';
import { isInBucket } from '../settings/documents.ts';
import type { OpenContext } from '../sources/source-kind.ts';
import { createFolderStore } from '../storage/folder/folder-store.ts';
import type { Store } from '../storage/store.ts';
import { composeAlerts } from './channels.ts';
import type { Settings } from './read-settings.ts';
import type { SecretReader } from './secrets.ts';
import { openSigner } from './signers.ts';
import { openSource, sourceRules } from './source-kinds.ts';

export interface ComposeContext
  extends Pick<GatherOptions, 'clock' | 'signal' | 'deadline' | 'asksOnce' | 'onProgress'> {
  /** Milliseconds, instead of the settings' `policy.patienceMinutes`. */
  readonly patience?: number;
  readonly secret: SecretReader;
  /** The folder that relative paths in the settings are relative to. */
  readonly folder: string;
  /** Longest silence of a platform, in milliseconds, where the sources' own patience is too long to wait for. */
  readonly idle?: number;
}

export async function composeParts(settings: Settings, surroundings: ComposeContext): Promise<Parts> {
  const { secret, folder, idle, patience = settings.policy.patienceMinutes * 60_000, ...rest } = surroundings;
  const limits = new Map<string, LimitFunction>();
  const context: OpenContext = {
    deployment: settings.deployment,
    secret: (reference) => (refresh) => secret(reference, refresh),
    webIdentityToken: requestWebIdentityToken,
    limitRequests(origin, concurrency) {
      const limit = limits.get(origin) ?? pLimit(concurrency);
      limits.set(origin, limit);
      return limit;
    },
    idle,
  };
  // This machine’s clock is compared, also where a demo or a test runs at another time.
  const serverClocks = compareServerClocks(systemClock);
  const { onServerDate } = serverClocks;
  return {
    ...rest,
    patience,
    clock: { ...rest.clock, onServerDate },
    serverClocks,
    // Rules and checks of every source are there, or the run ends here and not after the platforms were asked.
    sources: await Promise.all(settings.sources.map((source) => openSource(source, context))),
    privacy: await composePrivacy(settings, secret),
    ...(await openStores(settings, folder, onServerDate)),
    ...openSigner(settings, folder),
    alerts: composeAlerts(settings, { secret, folder, clock: rest.clock }),
    tables,
    reports,
    rules: sourceRules,
  };
}

/** The store, and where commits are also kept. */
export async function openStores(
  { store, audit }: Pick<Settings, 'store' | 'audit'>,
  folder: string,
  onServerDate?: Clock['onServerDate'],
): Promise<Pick<Parts, 'store' | 'audit'>> {
  return {
    store: await openStore({ store }, folder, onServerDate),
    ...(audit === undefined ? {} : { audit: await openStore({ store: audit }, folder, onServerDate) }),
  };
}

export async function openStore(
  { store }: Pick<Settings, 'store'>,
  folder: string,
  onServerDate?: Clock['onServerDate'],
): Promise<Store> {
  if (!isInBucket(store)) {
    return createFolderStore(resolve(folder, store));
  }
  const { parseS3Uri, createS3Store: s3Store } = await import('../storage/s3/s3-store.ts');
  const location = parseS3Uri(store);
  if (location !== undefined) {
    return s3Store(location, { clock: { ...systemClock, ...omitUndefined({ onServerDate }) } });
  }
  throw new MusterError('settings-invalid', `The store ${store} is not s3://bucket/prefix.`);
}

/** Reports that are a file of their own, beside the tables. */
export const reports: readonly Report[] = [findingsReport, jsonReport, pageReport, workbookReport];

async function composePrivacy({ privacy }: Settings, secret: SecretReader): Promise<Privacy> {
  if (privacy.users !== 'hash') {
    return { users: privacy.users };
  }
  return { users: 'hash', key: await secret(privacy.key ?? '') };
}
