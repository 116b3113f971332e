/** Finds and reads the settings. */

import { isUtf8 } from 'node:buffer';
import { command } from '../base/command.ts';
import { MusterError } from '../base/errors.ts';
import { computeSha256 } from '../base/sha256.ts';
import { isInBucket, readDocumentBytes, resolveParentFolder } from '../settings/documents.ts';
import { parseReference } from '../settings/secret-references.ts';
import { type Environment, readTenantsAddress, toHashesAddress } from '../settings/tenants.ts';
import { findAuditProblem } from './audit-place.ts';
import { createSettingsError, readSettings, type Settings } from './read-settings.ts';

export interface LoadedSettings {
  readonly settings: Settings;
  /** The file's name as the person gave it. */
  readonly file: string;
  /** The folder, or prefix of a bucket, of relative paths in the settings. */
  readonly folder: string;
}

/** Secrets that a command needs; `others` are all but those of the sources. */
export type NeededSecrets = 'all' | 'others' | 'none';

/**
 * Loads settings; `settingsFile` comes from the command line. Environment variables to which the settings refer for
 * needed secrets must be set; a missing one is reported with all other problems.
 */
export async function loadSettings(
  settingsFile: string | undefined,
  environment: Environment,
  secrets: NeededSecrets,
): Promise<LoadedSettings> {
  const { file, body } = await readSettingsFile(settingsFile, environment);
  if (!isUtf8(body)) {
    throw createSettingsError(file, ['settings: is not UTF-8 text; save it as UTF-8.']);
  }
  const { settings, problems } = readSettings(body.toString('utf8'), secrets === 'none' ? undefined : environment, {
    asksSources: secrets === 'all',
  });
  if (settings === undefined) {
    throw createSettingsError(file, problems);
  }
  if (isInBucket(file)) {
    const folders = (['store', 'audit'] as const).filter((name) => !isInBucket(settings[name] ?? file));
    const places = folders.map((name) => `${name}: must be s3://bucket/prefix, since the settings are in a bucket.`);
    const isLocalKey = settings.signing?.startsWith('file:') === true;
    const keys = isLocalKey ? ['signing: must be kms:KEY_ARN, since the settings are in a bucket.'] : [];
    if (places.length + keys.length > 0) {
      throw createSettingsError(file, [...places, ...keys]);
    }
  }
  const folder = resolveParentFolder(file);
  const problem = await findAuditProblem(settings, folder);
  if (problem !== undefined) {
    throw createSettingsError(file, [problem]);
  }
  return { settings, file, folder };
}

/** Reads the heartbeat's reference from a file that may be wrong elsewhere, to signal that no run can begin. */
export async function readHeartbeatReference(
  settingsFile: string | undefined,
  environment: Environment,
): Promise<string | undefined> {
  const { body } = await readSettingsFile(settingsFile, environment);
  const found = /^[^#\n]*\bheartbeat:\s*["']?((?:env|aws-secret|aws-ssm):[^\s"',}]+)/m.exec(body.toString('utf8'))?.[1];
  return found !== undefined && parseReference(found) !== undefined ? found : undefined;
}

async function readSettingsFile(settingsFile: string | undefined, environment: Environment) {
  const file = settingsFile ?? (environment.MUSTER_SETTINGS || 'muster.yaml');
  const body = await readAddress(file);
  await refuseChangedSettings(file, body, environment);
  return { file, body };
}

function readAddress(file: string): Promise<Buffer> {
  return readDocumentBytes(file).catch((cause: NodeJS.ErrnoException) => {
    const { code = 'no reason given' } = cause;
    const sentence = `The settings file ${file} could not be read (${code}). ${suggestFix(file, code)}`;
    throw new MusterError('settings-unreadable', sentence, { cause });
  });
}

function suggestFix(file: string, code: string): string {
  if (isInBucket(file)) {
    return 'Check the address, and that the role may s3:GetObject there.';
  }
  if (code === 'ENOENT') {
    return `Name one with --settings, or write one: ${command} init.`;
  }
  return 'Check its permissions.';
}

/**
 * Throws for settings that no deployment uploaded, without parsing them: whoever can write to the bucket could send
 * credentials elsewhere. The environment has the file's SHA-256; for tenants it has that of the list of their hashes,
 * since it has no room for a thousand.
 */
async function refuseChangedSettings(file: string, body: Buffer, environment: Environment): Promise<void> {
  const { MUSTER_SETTINGS_SHA256: deployed, MUSTER_TENANTS_SHA256: deployedList } = environment;
  const folder = readTenantsAddress(environment);
  if (folder !== undefined && file.startsWith(folder)) {
    const address = toHashesAddress(folder);
    const list = await readAddress(address);
    refuseOtherHash(address, list, 'MUSTER_TENANTS_SHA256', deployedList);
    refuseOtherHash(file, body, `its line in ${address}`, findHash(list.toString('utf8'), file.slice(folder.length)));
  } else if (deployed) {
    refuseOtherHash(file, body, 'MUSTER_SETTINGS_SHA256', deployed);
  }
}

function findHash(list: string, name: string): string | undefined {
  const line = list.split('\n').find((one) => one.endsWith(`  ${name}`));
  return line?.slice(0, -`  ${name}`.length);
}

/** Throws unless the hash is `deployed`, which the place `named` gives; undefined where no deployment uploaded the file. */
function refuseOtherHash(file: string, body: Buffer, named: string, deployed: string | undefined): void {
  const found = computeSha256(body);
  if (found !== deployed?.toLowerCase()) {
    const expected = deployed === undefined ? `${named} is missing` : `${named} is ${deployed}`;
    throw new MusterError(
      'settings-changed',
      `The settings file ${file} is not the one that was deployed: its SHA-256 is ${found}, and ${expected}. ` +
        'Nothing in it was used. Find out who changed it; to use your own file, deploy again.',
    );
  }
}
