/**
 * The block `aws` of the settings, on which `npm run deploy` alone depends; a run reads none of it.
 *
 * Four settings were options of the deployment before. They have no default here: where neither the settings nor an
 * option gives a value, the deployed one stays.
 */
import * as v from 'valibot';
import {
  defineBlock,
  defineChoice,
  defineForm,
  defineNumber,
  defineOptionalBlock,
  defineWholeNumber,
  describeOptional,
  describeSetting,
  textSchema,
} from './fields.ts';

/** Days that CloudWatch offers: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const logRetentions = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 2192, 2557, 2922, 3288, 3653],
];

const keyArnForm = /^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/\S+$/;
const keyArnSchema = defineForm(
  keyArnForm,
  'must be a key such as arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
);

const ownerSchema = describeOptional(
  defineForm(/^\d{12}$/, 'must be an account id in quotes, such as "123456789012"'),
  'the account of a bucket that exists already, also this account; without it the stack makes the bucket',
);

const tagsSchema = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u, 'is not a tag that AWS allows')),
    v.pipe(
      v.string('must be text (put it in quotes)'),
      v.regex(/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u, 'is not a value that AWS allows'),
    ),
  ),
  v.maxEntries(40, 'must be at most 40 tags'),
);

const deployerSchema = defineForm(
  /^arn:[a-z-]+:iam::\d{12}:(role|user)\/\S+$/,
  'must be a role or user such as arn:aws:iam::123456789012:role/deploy',
);

export const awsSchema = defineOptionalBlock({
  region: describeOptional(
    defineForm(/^[a-z]{2,}(-[a-z]+)+-\d$/, 'must be a region such as eu-west-1'),
    'where the stack is deployed',
  ),
  stage: describeOptional(
    defineForm(/^[a-z][a-z0-9]{0,15}$/, 'must be at most 16 lower-case letters and digits, beginning with a letter'),
    'the stack is `muster-<stage>`; without it `prod`',
  ),
  alarmEmail: describeOptional(
    defineForm(/^(none|[^\s@]+@[^\s@]+)$/, 'must be an e-mail address, or none'),
    'who receives the alarms, or `none`; without it whoever is deployed, at first nobody',
  ),
  auditMode: describeOptional(
    defineChoice(['GOVERNANCE', 'COMPLIANCE']),
    'the lock of the audit bucket; without it what is deployed, at first `GOVERNANCE`',
  ),
  auditDays: describeOptional(
    defineWholeNumber(1, 36_500),
    'how long commits are locked; without it what is deployed, at first `400`',
  ),
  reservedConcurrency: describeOptional(
    defineWholeNumber(0, 1000),
    'so much of the account’s concurrency is kept for the function, `0` for none; without it what is deployed, at first `0`',
  ),
  memory: describeOptional(defineWholeNumber(512, 10_240), 'MB of memory of the function or task', 2048),
  timeout: describeOptional(defineWholeNumber(60, 900), 'seconds that the function may take', 900),
  compute: describeOptional(
    defineChoice(['function', 'task']),
    '`function`, or `task`: a container on Fargate, for what takes longer than 15 minutes',
    'function',
  ),
  image: describeOptional(
    defineForm(/^[^\s:@]+(:\d+\/[^\s:@]+)?(:[\w.-]+|@sha256:[0-9a-f]{64})$/, 'must be an image with its tag or digest'),
    '`compute: task`: the container image, built with `infra/Dockerfile`',
  ),
  vpc: v.optional(
    defineBlock({
      subnets: describeSetting(
        defineNames(/^subnet-[0-9a-f]+$/, 'must be a list of subnets such as [subnet-0123456789abcdef0]'),
        'where the run’s network interfaces are; the platforms must be reachable from there',
      ),
      securityGroups: describeSetting(
        defineNames(/^sg-[0-9a-f]+$/, 'must be a list of security groups such as [sg-0123456789abcdef0]'),
        'their security groups',
      ),
    }),
  ),
  proxy: v.optional(
    defineBlock({
      url: describeSetting(
        defineForm(
          /^https?:\/\/[^\s/@?#]+$/,
          'must be an address such as http://proxy.example.com:3128, without a user and a password, which everybody would see who sees the function',
        ),
        'the proxy through which the run asks everything; the function or task has it as `HTTPS_PROXY`',
      ),
      noProxy: describeOptional(
        v.array(defineForm(/^[^\s,]+$/, 'must be a list of names, addresses and networks such as [.amazonaws.com]')),
        'what is asked without it (`NO_PROXY`), such as endpoints in your network',
        () => [],
      ),
    }),
  ),
  tenants: v.optional(
    defineBlock({
      folder: describeSetting(
        textSchema,
        'a folder beside the settings with one settings file for each tenant, `<name>.yaml`; each start runs them all',
      ),
      concurrency: describeOptional(defineWholeNumber(1, 1000), 'how many of them run at once, at most', 5),
    }),
  ),
  tags: describeOptional(tagsSchema, 'tags of every resource, beside `application: muster`', () => ({})),
  permissionsBoundary: describeOptional(
    defineForm(
      /^arn:[a-z-]+:iam::(\d{12}|aws):policy\/\S+$/,
      'must be a policy such as arn:aws:iam::123456789012:policy/boundary',
    ),
    'the permissions boundary of every role of the stack',
  ),
  logRetention: describeOptional(
    v.picklist(logRetentions, `must be one of ${logRetentions.join(', ')}`),
    'days that logs are kept',
    90,
  ),
  deployers: describeOptional(
    v.array(deployerSchema, 'must be a list of roles or users'),
    'who may write `settings/` in the report bucket; without it only who deployed last',
    () => [],
  ),
  athenaCutoffGigabytes: describeOptional(
    defineNumber(0.01, 100_000),
    'the most that one query in Athena may read',
    10,
  ),
  reportBucket: defineOptionalBlock({
    owner: ownerSchema,
    key: describeOptional(
      keyArnSchema,
      'the key that encrypts the bucket; without it the stack’s own, or none where the bucket exists already',
    ),
  }),
  auditBucket: defineOptionalBlock({
    owner: ownerSchema,
    key: describeOptional(
      v.pipe(
        textSchema,
        v.check(
          (text) => text === 's3' || text === 'own' || keyArnForm.test(text),
          'must be s3, own, or the ARN of a key',
        ),
      ),
      '`s3` (encrypted by S3 itself), `own` (a key of its own, made by the stack) or the ARN of a key',
      's3',
    ),
  }),
});

export type AwsSettings = v.InferOutput<typeof awsSchema>;

function defineNames(form: RegExp, message: string) {
  return v.pipe(v.array(v.pipe(v.string(message), v.regex(form, message)), message), v.minLength(1, message));
}
