/** The block `aws`: what is said there is checked as every other setting is, and a run needs none of it. */
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import { least } from './least.ts';

const read = (aws: string) => readSettings(`${least}${aws === '' ? '' : `aws: ${aws}`}`);

describe('aws', () => {
  it('may be left out', () => {
    expect(read('').settings?.aws).toEqual({
      memory: 2048,
      timeout: 900,
      compute: 'function',
      tags: {},
      logRetention: 90,
      deployers: [],
      athenaCutoffGigabytes: 10,
      reportBucket: {},
      auditBucket: { key: 's3' },
    });
  });

  it.each([
    ['{ regoin: eu-west-1 }', 'aws.regoin: is not a setting; did you mean "region"?'],
    ['{ region: Ireland }', 'aws.region: must be a region such as eu-west-1.'],
    ['{ stage: My_Stage }', 'aws.stage: must be at most 16 lower-case letters and digits, beginning with a letter.'],
    ['{ alarmEmail: nobody }', 'aws.alarmEmail: must be an e-mail address, or none.'],
    ['{ auditMode: STRICT }', 'aws.auditMode: is "STRICT"; it must be one of GOVERNANCE, COMPLIANCE.'],
    ['{ auditDays: 0 }', 'aws.auditDays: must be a number from 1 to 36500.'],
    ['{ memory: 128 }', 'aws.memory: must be a number from 512 to 10240.'],
    ['{ timeout: 901 }', 'aws.timeout: must be a number from 60 to 900.'],
    ['{ reservedConcurrency: 1.5 }', 'aws.reservedConcurrency: must be a whole number.'],
    ['{ compute: lambda }', 'aws.compute: is "lambda"; it must be one of function, task.'],
    ['{ vpc: { subnets: [subnet-0a1b2c3d] } }', 'aws.vpc.securityGroups: is missing.'],
    [
      '{ vpc: { subnets: [], securityGroups: [sg-0a1b2c3d] } }',
      'aws.vpc.subnets: must be a list of subnets such as [subnet-0123456789abcdef0].',
    ],
    [
      '{ proxy: { url: "http://anna:hidden@proxy.example.com" } }',
      'aws.proxy.url: must be an address such as http://proxy.example.com:3128, without a user and a password, which everybody would see who sees the function.',
    ],
    ['{ tenants: { concurrency: 5 } }', 'aws.tenants.folder: is missing.'],
    ['{ tenants: { folder: tenants, concurrency: 0 } }', 'aws.tenants.concurrency: must be a number from 1 to 1000.'],
    ['{ tags: { "aws:x": y } }', 'aws.tags.aws:x: is not a tag that AWS allows.'],
    ['{ tags: { costCentre: 4711 } }', 'aws.tags.costCentre: must be text (put it in quotes).'],
    [
      '{ permissionsBoundary: boundary }',
      'aws.permissionsBoundary: must be a policy such as arn:aws:iam::123456789012:policy/boundary.',
    ],
    ['{ logRetention: 100 }', 'aws.logRetention: must be one of 1, 3, 5, 7, 14, 30, 60, 90,'],
    ['{ deployers: [me] }', 'aws.deployers[0]: must be a role or user such as arn:aws:iam::123456789012:role/deploy.'],
    ['{ athenaCutoffGigabytes: 0 }', 'aws.athenaCutoffGigabytes: must be a number from 0.01 to 100000.'],
    ['{ reportBucket: { owner: 123456789012 } }', 'aws.reportBucket.owner: must be text (put it in quotes).'],
    ['{ reportBucket: { key: alias/key } }', 'aws.reportBucket.key: must be a key such as arn:aws:kms:'],
    ['{ auditBucket: { key: stack } }', 'aws.auditBucket.key: must be s3, own, or the ARN of a key.'],
  ])('%s is refused, with its path', (aws, problem) => {
    expect(read(aws).problems).toEqual([expect.stringContaining(problem)]);
  });
});
