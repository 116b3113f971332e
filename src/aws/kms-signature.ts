/**
 * Signs with an asymmetric key of AWS KMS, whose private part never leaves it:
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
import { createHash, createPublicKey } from 'node:crypto';
import { MusterError } from '../base/errors.ts';
import { buildAwsClientOptions, toSafeErrorName } from './client.ts';

const algorithm = 'ECDSA_SHA_256';

/** Bytes that KMS signs as they are; for a longer text it takes the SHA-256, which gives the same signature. */
const longestRawText = 4_096;

/** Makes a signer for the key's ARN (see `storage/signing/signer.ts`). KMS writes signatures and the public key in DER. */
export function createKmsSigner(keyArn: string) {
  return {
    name: `kms:${keyArn}`,
    async sign(text: Buffer) {
      const message =
        text.length <= longestRawText
          ? ({ Message: text, MessageType: 'RAW' } as const)
          : ({ Message: createHash('sha256').update(text).digest(), MessageType: 'DIGEST' } as const);
      const signature = await askKms('sign with', keyArn, async ({ SignCommand }, client) => {
        const request = new SignCommand({ KeyId: keyArn, SigningAlgorithm: algorithm, ...message });
        return (await client.send(request)).Signature;
      });
      return { algorithm, value: signature.toString('base64') } as const;
    },
    async readPublicKey() {
      const key = await askKms('return the public key of', keyArn, async ({ GetPublicKeyCommand }, client) => {
        return (await client.send(new GetPublicKeyCommand({ KeyId: keyArn }))).PublicKey;
      });
      return createPublicKey({ key, format: 'der', type: 'spki' });
    },
  };
}

type Kms = typeof import('@aws-sdk/client-kms');

async function askKms(
  doing: 'sign with' | 'return the public key of',
  keyArn: string,
  ask: (kms: Kms, client: InstanceType<Kms['KMSClient']>) => Promise<Uint8Array | undefined>,
): Promise<Buffer> {
  const kms = await import('@aws-sdk/client-kms');
  const [, , , region = ''] = keyArn.split(':');
  const client = new kms.KMSClient({ ...buildAwsClientOptions(), region });
  try {
    const answer = await ask(kms, client);
    if (answer === undefined) {
      throw new Error('no answer');
    }
    return Buffer.from(answer);
  } catch (error) {
    throw new MusterError(
      'signing-failed',
      `AWS KMS did not ${doing} kms:${keyArn} (${toSafeErrorName(error)}). The key must be of the spec ` +
        'ECC_NIST_P256 with the usage SIGN_VERIFY and enabled, and its policy or the role must allow kms:Sign; for ' +
        'muster check, kms:GetPublicKey too.',
    );
  }
}
