/** Files beside the settings that a deployment uploads. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MusterError } from '../src/base/errors.ts';
import type { LoadedSettings } from '../src/compose/load-settings.ts';
import { parsePeopleFile } from '../src/settings/people/people-files.ts';
import { tenantSettingsFolder, toHashesAddress } from '../src/settings/tenants.ts';
import { parseTrustedKeys } from '../src/storage/signing/parse-keys.ts';
import type { Upload } from './account.ts';
import type { Deployment } from './plan/deployment.ts';
import type { NamedDocument } from './plan/settings-parts.ts';
import { type TenantFile, toTenantKey } from './plan/tenant-plan.ts';

/** Reads documents as a run does, so that a broken file is refused here. */
export function readDocuments(folder: string, documents: readonly NamedDocument[], toKey: (path: string) => string) {
  const read = documents.map(async ({ path, setting }): Promise<Upload> => {
    const file = join(folder, path);
    const body = await readFile(file);
    // A faulty list fails no run.
    if (setting === 'exemptions' || setting === 'acknowledged' || setting === 'notes') {
      parsePeopleFile(setting, body, file);
    } else if (setting === 'publicKeys') {
      parseTrustedKeys(body, file);
    }
    return [toKey(path), body];
  });
  return Promise.all(read);
}

/** Reads the tenants' settings: each file directly in the folder is a tenant; files that they name are in folders of theirs. */
export async function readTenantFiles({ folder, settings }: LoadedSettings): Promise<readonly TenantFile[]> {
  const { tenants } = settings.aws;
  if (tenants === undefined) {
    return [];
  }
  const place = join(folder, tenants.folder);
  const entries = await readdir(place, { withFileTypes: true }).catch((cause: unknown) => {
    const sentence = `The folder ${place} (aws.tenants.folder) could not be read. Name one beside the settings.`;
    throw new MusterError('settings-unreadable', sentence, { cause });
  });
  const names = entries.flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [])).sort();
  return Promise.all(names.map(async (file) => ({ file, body: await readFile(join(place, file)) })));
}

export async function readTenantUploads(
  { folder, settings }: LoadedSettings,
  { tenants }: Deployment,
  files: readonly TenantFile[],
): Promise<Upload[]> {
  const place = join(folder, settings.aws.tenants?.folder ?? '');
  const list: Upload = [toHashesAddress(tenantSettingsFolder), Buffer.from(tenants.hashes)];
  const settingsFiles = files.map(({ file, body }): Upload => [toTenantKey(file), body]);
  const documents = await readDocuments(place, tenants.documents, toTenantKey);
  return files.length === 0 ? [] : [list, ...settingsFiles, ...documents];
}
