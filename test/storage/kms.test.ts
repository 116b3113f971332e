/** Signing with AWS KMS, as moto has it (`moto_server` on the PATH). */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateKeyCommand, GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openSigning } from '../../src/compose/parts.ts';
import { runNight } from '../../src/night.ts';
import { trySigning } from '../../src/storage/signing/signing.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { isOnPath, needProgram } from '../needs.ts';
import { place } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { rewriteCommit } from '../night/tamper.ts';
import { type Moto, startMoto } from '../peers/moto.ts';

if (isOnPath('moto_server')) {
  describe('a key of KMS', signWithKms);
} else {
  test('a key of KMS', ({ skip }) => needProgram(skip, 'moto_server'));
}

function signWithKms(): void {
  const here = place();
  let moto: Moto | undefined;
  let client: KMSClient;
  beforeAll(async () => {
    moto = await startMoto();
    const environment = { AWS_ENDPOINT_URL: moto.origin, AWS_ACCESS_KEY_ID: 'moto', AWS_SECRET_ACCESS_KEY: 'moto' };
    for (const [name, value] of Object.entries(environment)) {
      vi.stubEnv(name, value);
    }
    client = new KMSClient({ region: 'eu-west-1' });
  });
  afterAll(() => {
    client.destroy();
    moto?.stop();
    vi.unstubAllEnvs();
  });

  async function makeKey(spec: 'ECC_NIST_P256' | 'ECC_NIST_P384' = 'ECC_NIST_P256'): Promise<string> {
    const { KeyMetadata } = await client.send(new CreateKeyCommand({ KeySpec: spec, KeyUsage: 'SIGN_VERIFY' }));
    return KeyMetadata?.Arn ?? '';
  }

  async function readPublicKey(keyArn: string): Promise<KeyObject> {
    const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId: keyArn }));
    return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
  }

  test('signs a commit, which its public key then proves offline', async () => {
    const keyArn = await makeKey();
    const key = await readPublicKey(keyArn);
    const keys = { name: 'keys.pem', keys: [{ key, from: 1 }] };
    const { signing: { signer } = {} } = openSigning({ signing: `kms:${keyArn}`, publicKeys: 'keys.pem' }, '');
    const made = company();
    for (const slot of slots.slice(0, 2)) {
      const parts = { ...made.parts(here.store), signing: { signer, readKeys: async () => keys } };
      expect(await runNight(made.order(slot), parts)).toMatchObject({ exit: 0 });
    }
    expect(await verifyRuns(here.store, { keys })).toMatchObject({ damage: [], head: { number: 2 } });
    await rewriteCommit(here.path, (commit) => ({ ...commit, exit: 3 }));
    expect((await verifyRuns(here.store, { keys })).damage).toMatchObject([{ code: 'signature-invalid' }]);
  });

  test('A7: is listed by the lines that a trial prints [R27]', async () => {
    const keyArn = await makeKey();
    const folder = await mkdtemp(join(tmpdir(), 'muster-keys-'));
    const tryOut = async () => {
      const { signing } = openSigning({ signing: `kms:${keyArn}`, publicKeys: 'keys.pem' }, folder);
      return signing && (await trySigning(signing, { number: 43 }));
    };
    const trial = await tryOut();
    const pem = (await readPublicKey(keyArn)).export({ type: 'spki', format: 'pem' }).toString();
    expect(trial).toMatchObject({
      problem: expect.stringContaining('ENOENT'),
      lines: ['from 43', ...pem.trimEnd().split('\n')],
    });
    await writeFile(join(folder, 'keys.pem'), `${trial?.lines.join('\n')}\n`);
    expect(await tryOut()).toEqual({ problem: undefined, lines: [] });
    await rm(folder, { recursive: true });
  });

  test.each([
    ['of another kind', () => makeKey('ECC_NIST_P384')],
    ['that is not there', async (arn: string) => arn.replace(/[0-9a-f]{12}$/, '000000000000')],
  ])('%s is named by its address, with what to do', async (_, change) => {
    const keyArn = await change(await makeKey());
    const { signing } = openSigning({ signing: `kms:${keyArn}`, publicKeys: 'keys.pem' }, '');
    await expect(signing?.signer?.sign(Buffer.from('x'))).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringMatching(new RegExp(`kms:${keyArn} \\(\\w+\\)\\. The key must be .*kms:Sign`)),
    });
  });
}
