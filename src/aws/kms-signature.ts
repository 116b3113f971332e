/**
 * Signs with an asymmetric key of AWS KMS, whose private part nobody can read:
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
import { MusterError } from '../errors.ts';
import { awsClientTimeouts, toSafeErrorName } from './failure.ts';

export const kmsAlgorithm = 'ECDSA_SHA_256';

/** At most 4,096 bytes; the signature in DER. */
export async function signWithKms(keyArn: string, message: Buffer): Promise<Buffer> {
  const { KMSClient, SignCommand } = await import('@aws-sdk/client-kms');
  const [, , , region = ''] = keyArn.split(':');
  const client = new KMSClient({ ...awsClientTimeouts, region });
  const request = { KeyId: keyArn, Message: message, MessageType: 'RAW', SigningAlgorithm: kmsAlgorithm } as const;
  try {
    const { Signature: signature } = await client.send(new SignCommand(request));
    if (signature === undefined) {
      throw new Error('no signature');
    }
    return Buffer.from(signature);
  } catch (error) {
    throw new MusterError(
      'signing-failed',
      `AWS KMS did not sign with kms:${keyArn} (${toSafeErrorName(error)}). The key must be of the spec ` +
        'ECC_NIST_P256 with the usage SIGN_VERIFY and enabled, and its policy or the role must allow kms:Sign.',
    );
  } finally {
    client.destroy();
  }
}
