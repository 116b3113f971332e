/** Where the settings are, and reading them from there. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { MusterError } from '../errors.ts';
import { readSettings, type Settings, settingsError } from './read.ts';

export interface Loaded {
  readonly settings: Settings;
  /** The file as the person named it. */
  readonly file: string;
  /** Relative paths in the settings are relative to this folder. */
  readonly folder: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const defaultFile = 'muster.yaml';

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
  return { settings, file, folder: dirname(resolve(file)) };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
    const advice =
      code === 'ENOENT'
        ? 'Name one with --settings, or begin with the example in the README.'
        : 'Check its permissions.';
    throw new MusterError('settings-unreadable', `The settings file ${file} could not be read (${code}). ${advice}`, {
      cause,
    });
  }
}
