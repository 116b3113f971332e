/**
 * Settings say where credentials are sent. Whoever can write to the bucket could send them elsewhere, so a file that no
 * deployment uploaded is not even parsed: the environment has its SHA-256. Of tenants' files it has the SHA-256 of the
 * list of theirs, since an environment has no room for a thousand.
 */
import { MusterError } from '../base/errors.ts';
import { computeSha256 } from '../base/sha256.ts';
import { readTenantsAddress, toHashesAddress } from '../settings/tenants.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Pin {
  /** Undefined where no deployment uploaded the file. */
  readonly deployed: string | undefined;
  /** What says so. */
  readonly name: string;
}

/** `read` reads a file beside the settings. */
export async function refuseChangedSettings(
  file: string,
  body: Buffer,
  environment: Environment,
  read: (address: string) => Promise<Buffer>,
): Promise<void> {
  const pin = await findPin(file, environment, read);
  const found = computeSha256(body);
  if (pin !== undefined && found !== pin.deployed?.toLowerCase()) {
    throw createChangedError(file, found, pin);
  }
}

async function findPin(
  file: string,
  environment: Environment,
  read: (address: string) => Promise<Buffer>,
): Promise<Pin | undefined> {
  const folder = readTenantsAddress(environment);
  if (folder === undefined || !file.startsWith(folder)) {
    const { MUSTER_SETTINGS_SHA256: deployed } = environment;
    return deployed ? { deployed, name: 'MUSTER_SETTINGS_SHA256' } : undefined;
  }
  const address = toHashesAddress(folder);
  const list = await read(address);
  const listPin = { deployed: environment.MUSTER_TENANTS_SHA256, name: 'MUSTER_TENANTS_SHA256' };
  const found = computeSha256(list);
  if (found !== listPin.deployed?.toLowerCase()) {
    throw createChangedError(address, found, listPin);
  }
  return { deployed: findHash(list.toString('utf8'), file.slice(folder.length)), name: `its line in ${address}` };
}

function findHash(list: string, name: string): string | undefined {
  const line = list.split('\n').find((one) => one.endsWith(`  ${name}`));
  return line?.slice(0, -`  ${name}`.length);
}

function createChangedError(file: string, found: string, { deployed, name }: Pin): MusterError {
  const expected = deployed === undefined ? `${name} is missing` : `${name} is ${deployed}`;
  return new MusterError(
    'settings-changed',
    `The settings file ${file} is not the one that was deployed: its SHA-256 is ${found}, and ${expected}. ` +
      'Nothing in it was used. Find out who changed it; to use your own file, deploy again.',
  );
}
