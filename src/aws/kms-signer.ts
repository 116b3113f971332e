/**
 * Signs with an asymmetric key of AWS KMS, whose private part nobody can read:
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
import { MusterError } from '../errors.ts';
import type { Signer } from '../storage/signing/signer.ts';
import { awsClientTimeouts, toSafeErrorName } from './failure.ts';

export function createKmsSigner(keyArn: string): Signer {
  const name = `kms:${keyArn}`;
  return {
    name,
    async sign(statement) {
      const { KMSClient, SignCommand } = await import('@aws-sdk/client-kms');
      const [, , , region = ''] = keyArn.split(':');
      const client = new KMSClient({ ...awsClientTimeouts, region });
      const algorithm = 'ECDSA_SHA_256';
      const request = { KeyId: keyArn, Message: statement, MessageType: 'RAW', SigningAlgorithm: algorithm } as const;
      try {
        const { Signature: bytes } = await client.send(new SignCommand(request));
        if (bytes === undefined) {
          throw new Error('no signature');
        }
        return { algorithm, value: Buffer.from(bytes).toString('base64') };
      } catch (error) {
        throw new MusterError(
          'signing-failed',
          `AWS KMS did not sign with ${name} (${toSafeErrorName(error)}). ` +
            'The key must be of the spec ECC_NIST_P256 with the usage SIGN_VERIFY and enabled, and its policy or the role must allow kms:Sign.',
        );
      } finally {
        client.destroy();
      }
    },
  };
}
