/** Requests of a deployment to AWS, beside those of osls: caller, region, the deployed template, and uploads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { buildAwsClientOptions } from '../src/aws/client.ts';
import { MusterError } from '../src/base/errors.ts';
import { omitUndefined } from '../src/base/omit-undefined.ts';
import { parseTemplate } from './plan/deployed.ts';
import type { Deployment, Target } from './plan/deployment.ts';

/** Identity of a dry run without an account, which still checks whether the settings can be deployed. */
export const noAccount = { account: '000000000000', caller: 'arn:aws:iam::000000000000:user/you' };

export async function describeTarget(place: Pick<Target, 'region' | 'stage'>, isDryRun: boolean): Promise<Target> {
  if (place.region === '') {
    return { ...place, ...noAccount };
  }
  try {
    const client = new STSClient({ ...buildAwsClientOptions(), region: place.region });
    const { Account: account = '', Arn: caller = '' } = await client.send(new GetCallerIdentityCommand({}));
    return omitUndefined({ ...place, account, caller, deployed: await readDeployedTemplate(place) });
  } catch (error) {
    if (isDryRun && error instanceof Error && error.name === 'CredentialsProviderError') {
      process.stderr.write(`AWS gave no credentials: ${error.message}\n`);
      return { ...place, ...noAccount };
    }
    throw error;
  }
}

async function readDeployedTemplate({ region, stage }: Pick<Target, 'region' | 'stage'>) {
  try {
    const command = new GetTemplateCommand({ StackName: `muster-${stage}` });
    const { TemplateBody = '' } = await new CloudFormationClient({ ...buildAwsClientOptions(), region }).send(command);
    return parseTemplate(TemplateBody);
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

/** Throws where a bucket to make exists already, most often another stage's or region's: the wrong stack would be changed. */
export async function refuseForeignBuckets({ region, stage }: Target, { newBuckets }: Deployment): Promise<void> {
  const client = new S3Client({ ...buildAwsClientOptions(), region });
  for (const bucket of newBuckets) {
    const isThere = await client.send(new HeadBucketCommand({ Bucket: bucket })).then(
      () => true,
      (error: unknown) => !(error instanceof Error && error.name === 'NotFound'),
    );
    if (isThere) {
      throw new MusterError(
        'settings-invalid',
        `The bucket ${bucket} exists already, and the stack muster-${stage} in ${region} did not make it. If another stack did, ` +
          'write its region and stage into the settings (aws: { region, stage }); if it is to be used as it is, its account ' +
          '(aws.reportBucket.owner, aws.auditBucket.owner); else choose another name. Nothing was deployed.',
      );
    }
  }
}

export type Upload = [key: string, body: Buffer];

interface Destination {
  readonly region: string;
  readonly bucket: string;
  readonly owner: string;
}

export async function uploadFiles({ region, bucket, owner }: Destination, files: readonly Upload[]) {
  const client = new S3Client({ ...buildAwsClientOptions(), region });
  for (const [Key, Body] of files) {
    await putObject(client, { Bucket: bucket, Key, Body, ExpectedBucketOwner: owner });
    process.stdout.write(`Uploaded s3://${bucket}/${Key}\n`);
  }
}

/** Milliseconds between attempts: a bucket's policy with a new deployer takes some seconds to have effect. */
const waits = [1_000, 2_000, 5_000, 10_000, 20_000];

async function putObject(client: S3Client, input: PutObjectCommand['input'], attempt = 0): Promise<void> {
  try {
    await client.send(new PutObjectCommand(input));
  } catch (error) {
    const wait = waits[attempt];
    if (wait === undefined || !(error instanceof Error && error.name === 'AccessDenied')) {
      throw error;
    }
    await sleep(wait);
    await putObject(client, input, attempt + 1);
  }
}
