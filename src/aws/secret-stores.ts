/**
 * The two secret stores of AWS. Their clients are loaded only when the settings refer to them:
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 * https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { buildAwsClientOptions } from './client.ts';

/** The stored text or bytes; undefined where there are none. */
type StoredSecret = string | Uint8Array | undefined;

/** Reads the current version (AWSCURRENT), which a rotation replaces. */
export async function readFromSecretsManager(nameOrArn: string): Promise<StoredSecret> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  // An ARN may name another region than the one in which Muster runs.
  const region = /^arn:[^:]+:secretsmanager:([a-z0-9-]+):/.exec(nameOrArn)?.[1];
  const client = new SecretsManagerClient({ ...buildAwsClientOptions(), ...omitUndefined({ region }) });
  const answer = await client.send(new GetSecretValueCommand({ SecretId: nameOrArn, VersionStage: 'AWSCURRENT' }));
  return answer.SecretString ?? answer.SecretBinary;
}

export async function readFromParameterStore(name: string): Promise<StoredSecret> {
  const { GetParameterCommand, SSMClient } = await import('@aws-sdk/client-ssm');
  const client = new SSMClient(buildAwsClientOptions());
  const answer = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
  return answer.Parameter?.Value;
}
