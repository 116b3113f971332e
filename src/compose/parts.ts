/**
 * The table of every part, and settings → parts. Adding a platform, store or report is its own files and a line here.
 */
import { resolve } from 'node:path';
import { webIdentityToken } from '../aws/identity.ts';
import type { Platform } from '../core/facts.ts';
import type { PlatformRules } from '../core/rules.ts';
import type { Deployment } from '../deployment/deployment-settings.ts';
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import type { Parts } from '../night.ts';
import { findingsReport } from '../reports/findings.ts';
import { jsonReport } from '../reports/json.ts';
import { pageReport } from '../reports/page/page.ts';
import type { Report } from '../reports/report.ts';
import { tables } from '../reports/tables.ts';
import { workbookReport } from '../reports/workbook.ts';
import type { Gathering } from '../run/gather.ts';
import type { Privacy } from '../run/redact-users.ts';
import { isInBucket } from '../settings/documents.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { IntuneSourceSettings, JamfSourceSettings, SourceSettings } from '../settings/sources.ts';
import { intuneRules } from '../sources/intune/rules.ts';
import { cloudEndpoints, federationAudiences, type IntuneAuth } from '../sources/intune/settings.ts';
import { jamfRules } from '../sources/jamf/rules.ts';
import type { Source } from '../sources/source.ts';
import { folderStore } from '../storage/folder/folder-store.ts';
import type { Store } from '../storage/store.ts';
import { alertsOf } from './channels.ts';
import type { SecretReader } from './secrets.ts';

export interface Surroundings extends Pick<Gathering, 'clock' | 'signal' | 'deadline' | 'watch'> {
  readonly secret: SecretReader;
  /** The folder that relative paths in the settings are relative to. */
  readonly folder: string;
  /** Longest silence of a platform, in milliseconds, where the sources' own patience is too long to wait for. */
  readonly idle?: number;
}

type Tools = Pick<Surroundings, 'idle'>;

export async function wire(settings: Settings, surroundings: Surroundings): Promise<Parts> {
  const { secret, folder, idle, ...rest } = surroundings;
  const tools: Tools = idle === undefined ? {} : { idle };
  return {
    ...rest,
    sources: await Promise.all(settings.sources.map((source) => sourceOf(source, settings.deployment, secret, tools))),
    privacy: await privacyOf(settings, secret),
    store: await storeOf(settings, folder),
    ...(settings.audit === undefined ? {} : { audit: await storeOf({ store: settings.audit }, folder) }),
    alerts: alertsOf(settings, { secret, folder, clock: rest.clock }),
    tables,
    reports,
    rulesOf,
  };
}

export async function storeOf({ store }: Pick<Settings, 'store'>, folder: string): Promise<Store> {
  if (!isInBucket(store)) return folderStore(resolve(folder, store));
  const { parseS3Uri, s3Store } = await import('../storage/s3/s3-store.ts');
  const location = parseS3Uri(store);
  if (location !== undefined) return s3Store(location, { clock: systemClock });
  throw new MusterError('settings-invalid', `The store ${store} is no s3://bucket/prefix.`);
}

/** Reports that are a file of their own, beside the tables. */
export const reports: readonly Report[] = [findingsReport, jsonReport, pageReport, workbookReport];

const rules: readonly PlatformRules[] = [jamfRules, intuneRules];

export function rulesOf(platform: Platform): PlatformRules {
  const found = rules.find((candidate) => candidate.platform === platform);
  if (found) return found;
  throw new MusterError(
    'store-newer',
    `The facts speak of the platform "${platform}", which this Muster has no rules for.`,
  );
}

/** A platform's part is loaded when the settings name it: with it come its parsers and checks. */
async function sourceOf(
  source: SourceSettings,
  deployment: Deployment,
  secret: SecretReader,
  tools: Tools,
): Promise<Source> {
  return source.platform === 'jamf'
    ? jamf(source, deployment, secret, tools)
    : intune(source, deployment, secret, tools);
}

async function jamf(
  settings: JamfSourceSettings,
  deployment: Deployment,
  secret: SecretReader,
  tools: Tools,
): Promise<Source> {
  const { jamfSource } = await import('../sources/jamf/source.ts');
  const { name, url, extensionAttribute, groups, site, auth } = settings;
  return jamfSource(
    {
      ...{ name, url, extensionAttribute, site, deployment },
      ...(groups === undefined ? {} : { groups }),
      auth:
        'username' in auth
          ? { username: reading(auth.username, secret), password: reading(auth.password, secret) }
          : { clientId: reading(auth.clientId, secret), clientSecret: reading(auth.clientSecret, secret) },
    },
    tools,
  );
}

async function intune(
  settings: IntuneSourceSettings,
  deployment: Deployment,
  secret: SecretReader,
  tools: Tools,
): Promise<Source> {
  const { intuneSource } = await import('../sources/intune/source.ts');
  const { name, tenantId, population, auth, app, cloud, endpoints } = settings;
  const standard = cloudEndpoints[cloud];
  return intuneSource(
    {
      ...{ name, tenantId, population, deployment },
      apps: typeof app === 'string' ? [app] : app,
      auth: intuneAuth(auth, cloud, secret),
      endpoints: {
        login: endpoints.login ?? standard.login,
        graph: endpoints.graph ?? standard.graph,
        downloads: endpoints.downloads ?? standard.downloads,
      },
    },
    tools,
  );
}

function intuneAuth(
  auth: IntuneSourceSettings['auth'],
  cloud: IntuneSourceSettings['cloud'],
  secret: SecretReader,
): IntuneAuth {
  const clientId = reading(auth.clientId, secret);
  if ('clientSecret' in auth) return { clientId, clientSecret: reading(auth.clientSecret, secret) };
  if ('certificate' in auth) return { clientId, certificate: reading(auth.certificate, secret) };
  return { clientId, assertion: () => webIdentityToken(federationAudiences[cloud]) };
}

/** Read when it is used, and not before. */
function reading(reference: string, secret: SecretReader): (again: boolean) => Promise<string> {
  return (again) => secret(reference, again);
}

async function privacyOf({ privacy }: Settings, secret: SecretReader): Promise<Privacy> {
  if (privacy.users !== 'hash') return { users: privacy.users };
  return { users: 'hash', key: await secret(privacy.key ?? '') };
}
