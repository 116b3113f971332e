/** Where the settings are, and reading them from there. */

import { MusterError } from '../errors.ts';
import { folderOf, isInBucket, readDocument } from '../settings/documents.ts';
import { readSettings, type Settings, settingsError } from './read-settings.ts';

export interface Loaded {
  readonly settings: Settings;
  /** The file as the person named it. */
  readonly file: string;
  /** Relative paths in the settings are relative to this folder, or to this prefix of a bucket. */
  readonly folder: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = 'muster.yaml';

/**
 * `given` comes from the command line. Where `needsSecrets`, environment variables that the settings refer to must be
 * set: that is a problem like any other, told together with the rest.
 */
export async function loadSettings(
  given: string | undefined,
  environment: Environment,
  needsSecrets: boolean,
): Promise<Loaded> {
  const file = given ?? (environment.MUSTER_SETTINGS || defaultFile);
  const { settings, problems } = readSettings(await textOf(file), needsSecrets ? environment : undefined);
  if (settings === undefined) throw settingsError(file, problems);
  if (isInBucket(file) && !isInBucket(settings.store)) {
    throw settingsError(file, ['store: must be s3://bucket/prefix, as no folder stands beside settings in a bucket.']);
  }
  return { settings, file, folder: folderOf(file) };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readDocument(file);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
    throw new MusterError(
      'settings-unreadable',
      `The settings file ${file} could not be read (${code}). ${adviceFor(file, code)}`,
      {
        cause,
      },
    );
  }
}

function adviceFor(file: string, code: string): string {
  if (isInBucket(file)) return 'Check the address, and that the role may s3:GetObject there.';
  if (code === 'ENOENT') return 'Name one with --settings, or begin with the example in the README.';
  return 'Check its permissions.';
}
