/** Signing with AWS KMS, as moto has it (`moto_server` on the PATH). */
import { createPublicKey } from 'node:crypto';
import { CreateKeyCommand, GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openSigner } from '../../src/compose/parts.ts';
import { runNight } from '../../src/night.ts';
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

  test('signs a commit, which its public key then proves offline', async () => {
    const keyArn = await makeKey();
    const made = company();
    for (const slot of slots.slice(0, 2)) {
      const parts = { ...made.parts(here.store), ...openSigner({ signing: `kms:${keyArn}` }, '') };
      expect(await runNight(made.order(slot), parts)).toMatchObject({ exit: 0 });
    }
    const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId: keyArn }));
    const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
    const keys = [{ key, from: 1, isDated: false }];
    expect(await verifyRuns(here.store, { keys })).toMatchObject({ damage: [], head: { signedSince: 1 } });
    await rewriteCommit(here.path, (commit) => ({ ...commit, exit: 3 }));
    expect((await verifyRuns(here.store, { keys })).damage).toMatchObject([{ code: 'signature-invalid' }]);
  });

  test.each([
    ['of another kind', () => makeKey('ECC_NIST_P384')],
    ['that is not there', async (arn: string) => arn.replace(/[0-9a-f]{12}$/, '000000000000')],
  ])('%s is named by its address, with what to do', async (_, change) => {
    const keyArn = await change(await makeKey());
    const { signer } = openSigner({ signing: `kms:${keyArn}` }, '');
    await expect(signer?.sign(Buffer.from('x'))).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringMatching(new RegExp(`kms:${keyArn} \\(\\w+\\)\\. The key must be .*kms:Sign`)),
    });
  });
}
