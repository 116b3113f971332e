/** What the roles may do, what the buckets refuse, and that a whole run needs exactly that. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { requestWebIdentityToken } from '../../src/aws/web-identity-token.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { readRunContext } from '../../src/run/run-context.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { alertsWith, listener } from '../alerts/listeners.ts';
import { startAws } from '../peers/aws.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import {
  composeSandboxParts,
  makeFolder,
  openSandbox,
  removeFolders,
  type SandboxSetup,
  toMoment,
} from '../whole-runs/sandbox-runs.ts';
import { asTask, asTenants, everything, parametersOf, withTenants } from './example.ts';
import { decide, list, type PolicyDocument, type RecordedCall, type Request, requestOf, unused } from './policy.ts';
import { makeStack, policyOf, propertiesOf } from './template.ts';

const resources = makeStack(everything);
const withNamedKey = makeStack({
  ...everything,
  auditKeyOwn: 'false',
  auditKey: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd',
});
const withTask = makeStack(parametersOf(asTask));
const forTenants = [withTenants, asTenants(asTask)].map((yaml) => makeStack(parametersOf(yaml)));
const role = 'arn:aws:iam::123456789012:role/muster-prod-night-eu-west-1';
const bucket = 'acme-muster';
const auditBucket = 'acme-muster-audit';

const night = policyOf(resources, 'NightRole');
/** A bucket's policy speaks of that bucket only, whatever else it leaves out. */
const documentsOf = (of: string): readonly PolicyDocument[] => [
  night,
  policyOf(resources, of === auditBucket ? 'AuditBucketPolicy' : 'ReportBucketPolicy'),
];

function decided(call: Omit<RecordedCall, 'bucket'> & { readonly bucket?: string }, by = role, account?: string) {
  return decide(documentsOf(call.bucket ?? bucket), requestOf({ bucket, ...call }, by, account));
}

describe('docs/aws-permissions.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/aws-permissions.md'), 'utf8');
  const section = (title: string) => new RegExp(`\\n## ${title}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(text)?.[1] ?? '';

  it.each([
    ...['NightRole', 'ScheduleRole', 'TaskExecutionRole', 'ReaderPolicy'],
    ...['TenantRunPolicy', 'TenantStartPolicy', 'TenantMachineRole', 'TenantReaderPolicy'],
  ])('explains every action of %s, and no other', (name) => {
    const told = [...section(name).matchAll(/^\| `([a-z0-9]+:\w+)` \| (\w+) \| .+ \| (.+) \|$/gm)];
    const granted = [resources, withNamedKey, withTask, ...forTenants]
      .filter((from) => from[name] !== undefined)
      .flatMap((from) =>
        policyOf(from, name).Statement.flatMap(({ Sid, Action }) => list(Action).map((one) => `${Sid} ${one}`)),
      );
    expect(told.map(([, action, sid]) => `${sid} ${action}`).sort()).toEqual([...new Set(granted)].sort());
    for (const [line, , , why] of told) {
      expect(why?.length, line).toBeGreaterThan(10);
    }
  });

  it('tells everything that the buckets refuse', () => {
    const told = [...section('What the buckets refuse').matchAll(/^\| (\w+) \| /gm)].map((match) => match[1]);
    const refused = ['ReportBucketPolicy', 'AuditBucketPolicy', 'AccessLogBucketPolicy'].flatMap((name) =>
      policyOf(resources, name).Statement.flatMap(({ Sid, Effect }) => (Effect === 'Deny' ? [Sid] : [])),
    );
    expect(told.filter((sid) => sid !== 'statement').sort()).toEqual([...new Set(refused)].sort());
  });
});

describe('the roles', () => {
  it.each([
    ...['NightRole', 'ScheduleRole', 'ReaderPolicy'],
    ...['TenantRunPolicy', 'TenantStartPolicy', 'TenantMachineRole', 'TenantReaderPolicy'],
  ])(
    'of %s have no action with a wildcard, and no resource that is all, but for actions that know no resource',
    (name) => {
      const from = name.startsWith('Tenant') ? makeStack(parametersOf(asTenants(asTask))) : resources;
      for (const { Sid, Action, Resource, Effect } of policyOf(from, name).Statement) {
        expect(Effect).toBe('Allow');
        for (const action of list(Action)) {
          expect(action, Sid).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
        }
        const isAll = list(Resource ?? '*').includes('*');
        expect(isAll).toBe(
          ['GetTokenForEntra', 'GetTokenForTenants', 'UseNetwork', 'ChooseWorkGroup'].includes(Sid ?? ''),
        );
      }
    },
  );

  it('grant what the settings use and nothing beside', () => {
    const least = policyOf(makeStack({ reportBucket: bucket }), 'NightRole');
    expect(least.Statement.map(({ Sid }) => Sid)).toEqual([
      'ReadSettings',
      'KeepNights',
      'KeepLogAndLatest',
      'ListStore',
      'UseKeyThroughS3',
      'KeepFailedStarts',
      'WriteOwnLog',
    ]);
  });

  it('are handed over by their exact names, to tasks alone', () => {
    const roles = ['night', 'task-execution'].map(
      (one) => `arn:aws:iam::123456789012:role/muster-prod-${one}-eu-west-1`,
    );
    const handing = [withTask, forTenants[1] ?? {}].flatMap((from) =>
      ['ScheduleRole', 'TenantMachineRole'].flatMap((name) =>
        from[name] === undefined
          ? []
          : policyOf(from, name).Statement.filter(({ Action }) => Action === 'iam:PassRole'),
      ),
    );
    expect(handing).toHaveLength(3);
    for (const { Resource, Condition } of handing) {
      expect(Resource).toEqual(roles);
      expect(Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } });
    }
    expect(JSON.stringify([resources, forTenants[0]])).not.toContain('iam:PassRole');
  });

  it('may be taken by their service for this account alone', () => {
    const trust = (name: string, from = resources) =>
      propertiesOf<{ AssumeRolePolicyDocument: PolicyDocument }>(from, name).AssumeRolePolicyDocument.Statement;
    const StringEquals = { 'aws:SourceAccount': '123456789012' };
    expect(trust('NightRole').map(({ Condition }) => Condition)).toEqual([{ StringEquals }]);
    // ECS knows no narrower ARN in a role's trust than all of an account in a region.
    const ofTasks = {
      ...{ Effect: 'Allow', Principal: { Service: 'ecs-tasks.amazonaws.com' }, Action: 'sts:AssumeRole' },
      Condition: { StringEquals, ArnLike: { 'aws:SourceArn': 'arn:aws:ecs:eu-west-1:123456789012:*' } },
    };
    expect(trust('NightRole', withTask)[1]).toEqual(ofTasks);
    expect(trust('TaskExecutionRole', withTask)).toEqual([ofTasks]);
    expect(trust('ScheduleRole')[0]?.Condition?.StringEquals).toEqual({
      'aws:SourceAccount': '123456789012',
      'aws:SourceArn': 'arn:aws:scheduler:eu-west-1:123456789012:schedule-group/muster-prod',
    });
  });

  it('sign with the key in the settings alone, by one algorithm, and do nothing else with it', () => {
    const ofKey = night.Statement.filter(({ Resource }) =>
      list(Resource ?? []).some((one) => one.includes('5555abcd')),
    );
    expect(ofKey).toEqual([
      {
        ...{ Sid: 'SignCommits', Effect: 'Allow', Action: 'kms:Sign' },
        Resource: 'arn:aws:kms:eu-west-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab',
        Condition: { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
      },
    ]);
  });

  it('let every table be copied, and name no folder that is none', () => {
    const keep = night.Statement.find(({ Sid }) => Sid === 'KeepNights');
    const folders = list(keep?.Resource ?? []).flatMap((arn) => /prod\/([a-z-]+)\/date=\*$/.exec(arn)?.[1] ?? []);
    expect(folders).toEqual([...tables.map(({ name }) => name), 'findings', 'report']);
  });
});

describe('what is refused', () => {
  const put = (key: string, more: Partial<RecordedCall> = {}) => ({ action: 's3:PutObject', key, ...more });
  const run = 'prod/runs/2026-11-20/a/events.json';

  it.each([
    ['a run written twice', put(run), 'denied'],
    ['an upload completed without a condition', put(run, { operation: 'CompleteMultipartUpload' }), 'denied'],
    ['a commit written twice', put('prod/commits/0000000001.json'), 'denied'],
    ['deleting a commit', { action: 's3:DeleteObject', key: 'prod/commits/0000000001.json' }, 'denied'],
    ['deleting latest.json', { action: 's3:DeleteObject', key: 'prod/latest.json' }, 'not allowed'],
    ['deleting an old version of a run', { action: 's3:DeleteObjectVersion', key: run }, 'denied'],
    ['its own settings', put('settings/muster.yaml'), 'denied'],
    ['deleting its own settings', { action: 's3:DeleteObject', key: 'settings/muster.yaml' }, 'denied'],
    ['what is above its prefix', put('runs/2026-11-20/a/x', { conditional: 'If-None-Match' }), 'not allowed'],
    ['listing above its prefix', { action: 's3:ListBucket', key: '' }, 'not allowed'],
    ['deleting what is latest', { action: 's3:DeleteObject', key: 'prod/latest/devices.csv' }, 'not allowed'],
    ['changing the bucket', { action: 's3:PutBucketPolicy', key: '' }, 'not allowed'],
    [
      'reports in the audit bucket',
      put('runs/a/b/devices.csv', { bucket: auditBucket, conditional: 'If-None-Match' }),
      'denied',
    ],
    ['a commit overwritten there', put('commits/0000000001.json', { bucket: auditBucket }), 'denied'],
    [
      'a commit deleted there',
      { action: 's3:DeleteObject', bucket: auditBucket, key: 'commits/0000000001.json' },
      'denied',
    ],
    ['another bucket', put(run, { bucket: 'other', conditional: 'If-None-Match' }), 'not allowed'],
  ] as const)('%s', (_name, call, decision) => {
    expect(decided(call)).toBe(decision);
  });

  it.each([
    ['a run, once', put(run, { conditional: 'If-None-Match' })],
    ['a part of an upload', put(run, { operation: 'UploadPart' })],
    ['a commit, once', put('prod/commits/0000000001.json', { conditional: 'If-None-Match' })],
    ['latest.json', put('prod/latest.json')],
    ['a copy', put('prod/devices/date=2026-11-20/devices.csv')],
    [
      'a commit in the audit bucket',
      put('commits/0000000001.json', { bucket: auditBucket, conditional: 'If-None-Match' }),
    ],
  ])('but not %s', (_name, call) => {
    expect(decided(call)).toBe('allowed');
  });

  it('the same bucket name in another account [S13]', () => {
    expect(decided(put(run, { conditional: 'If-None-Match' }), role, '999999999999')).toBe('not allowed');
  });

  it('deleting a run, for an administrator', () => {
    const admin: PolicyDocument = { Statement: [{ Effect: 'Allow', Action: 's3:DeleteObject', Resource: '*' }] };
    const asked = requestOf({ action: 's3:DeleteObject', bucket, key: run }, 'arn:aws:iam::123456789012:role/admin');
    expect(decide([admin], asked)).toBe('allowed');
    expect(decide([admin, ...documentsOf(bucket)], asked)).toBe('denied');
  });

  it.each([
    ['an administrator', 'arn:aws:iam::123456789012:role/admin', 'denied'],
    ['a role whose name only begins like the deployer’s', 'arn:aws:iam::123456789012:role/deploy-other', 'denied'],
    ['the same role of another account', 'arn:aws:iam::999999999999:role/deploy', 'denied'],
    ['the deployer', 'arn:aws:iam::123456789012:role/deploy', 'allowed'],
    ['the deployer, whose role has a path', 'arn:aws:iam::123456789012:role/ci/deploy', 'allowed'],
  ])('writing the settings, for %s: %s, %s', (_, by, decision) => {
    const everything: PolicyDocument = { Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] };
    for (const action of ['s3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion']) {
      const asked = requestOf({ action, bucket, key: 'settings/muster.yaml' }, by);
      expect(decide([everything, policyOf(resources, 'ReportBucketPolicy')], asked)).toBe(decision);
    }
  });

  it('requests without TLS, with an old one, or under another key', () => {
    const asked = requestOf({ bucket, ...put(run, { conditional: 'If-None-Match' }) }, role);
    const having = (key: string, value: string) =>
      decide(documentsOf(bucket), { ...asked, context: { ...asked.context, [key]: value } });
    expect(having('aws:SecureTransport', 'false')).toBe('denied');
    expect(having('s3:TlsVersion', '1.1')).toBe('denied');
    expect(having('s3:x-amz-server-side-encryption', 'AES256')).toBe('denied');
    expect(having('s3:x-amz-server-side-encryption', 'aws:kms')).toBe('allowed');
    const key = 's3:x-amz-server-side-encryption-aws-kms-key-id';
    expect(having(key, 'arn:aws:kms:eu-west-1:123456789012:key/other')).toBe('denied');
    expect(having(key, 'arn:aws:kms:eu-west-1:123456789012:Key')).toBe('allowed');
  });
});

describe('a whole run', () => {
  let setup: SandboxSetup;
  let peer: S3Peer;
  const slots = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];

  beforeAll(async () => {
    setup = await openSandbox({ devices: 30 });
    peer = await startS3Peer({
      buckets: [bucket, auditBucket, 'example-lists'].map((name) => ({ name, versioned: true, encrypted: true })),
    });
    const client = clientOf(peer);
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'settings/muster.yaml', Body: 'store:' }));
    const machines = { Bucket: 'example-lists', Key: 'apple.csv' };
    await client.send(new PutObjectCommand({ ...machines, Body: 'serial\n' }));
    peer.calls.length = 0;
    await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'settings/muster.yaml' }));
    await client.send(new GetObjectCommand(machines));
    const folder = await makeFolder();
    const settings = { ...setup.settings, retention: { nights: 2 } };
    const channel = listener('one');
    for (const slot of slots) {
      setup.sandbox.setMoment(toMoment(slot));
      const store = storeOf(peer, {}, 'prod');
      await store.probe();
      const audit = createS3Store({ bucket: auditBucket, prefix: '' }, { client });
      // A message that is not taken gives its claim back, and is carried on.
      channel.down = slot === slots[0];
      const alerts = alertsWith([channel], systemClock);
      const parts = { ...(await composeSandboxParts(setup, folder, slot)), store, audit, alerts };
      const moment = toMoment(slot);
      await runNight({ slot, moment, readRunContext: () => readRunContext(settings, folder, moment) }, parts);
      // Every week.
      if (slot === slots.at(-1)) {
        expect(await verifyRuns(store, { audit })).toMatchObject({ nights: 2, damage: [] });
      }
    }
    // What a fleet of 100,000 does: a table in parts; one of them breaks off.
    const store = storeOf(peer, {}, 'prod');
    await store.create('runs/2026-03-04/large/reports/devices.csv', large(9));
    await store.create('runs/2026-03-04/broken/reports/devices.csv', large(20, true)).catch(() => undefined);
  });

  afterAll(async () => {
    await setup.close();
    await peer.close();
    await removeFolders();
  });

  it('keeps every commit for the audit, and nothing else', () => {
    const kept = [...peer.objects(auditBucket)];
    expect(kept.map(([key]) => key)).toEqual(slots.map((_, index) => `commits/000000000${index + 1}.json`));
    for (const [key, body] of kept) {
      expect(peer.objects(bucket).get(`prod/${key}`)).toEqual(body);
    }
  });

  it('is allowed everything that it asks', () => {
    expect(new Set(peer.calls.map(({ operation }) => operation)).size).toBeGreaterThan(8);
    const refused = peer.calls.filter((call) => decide(documentsOf(call.bucket), requestOf(call, role)) !== 'allowed');
    expect(refused.map(({ operation, action, key }) => `${operation} ${action} ${key}`)).toEqual([]);
  });

  it('asks for everything in the buckets that it is allowed', () => {
    const ofBuckets = { Statement: night.Statement.filter(({ Action }) => list(Action)[0]?.startsWith('s3:')) };
    const requests = peer.calls.map((call) => requestOf(call, role));
    expect(unused(ofBuckets, requests)).toEqual([]);
  });
});

describe('other services', () => {
  it('are asked for what the role grants, and the role grants nothing more', async () => {
    const aws = await startAws();
    for (const [name, value] of Object.entries(aws.environment)) {
      vi.stubEnv(name, value);
    }
    try {
      aws.secrets.set('muster/jamf', 'one');
      aws.parameters.set('/muster/graph', 'two');
      const secret = createSecretReader({});
      await secret('aws-secret:muster/jamf')(false);
      await secret('aws-ssm:/muster/graph')(false);
      await requestWebIdentityToken('api://AzureADTokenExchange');
      const asked = new Set(
        aws.calls.map(({ service, action }) => `${service === 'AmazonSSM' ? 'ssm' : service}:${action}`),
      );
      // Keys, logs and the failure queue are used by AWS on the role's behalf; the channels have tests of their own.
      const granted = night.Statement.flatMap(({ Action }) => list(Action)).filter((action) =>
        /^(secretsmanager|ssm|sts):/.test(action),
      );
      expect([...asked].sort()).toEqual([...new Set(granted)].sort());
    } finally {
      vi.unstubAllEnvs();
      await aws.close();
    }
  });
});

describe('the policies of these tests', () => {
  const read: PolicyDocument = {
    Statement: [
      { Sid: 'Read', Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: 'arn:aws:s3:::b/runs/*' },
    ],
  };
  const get = (resource: string, context: Request['context'] = {}): Request => ({
    action: 's3:GetObject',
    resource,
    context,
  });

  function denying(Condition: Record<string, Record<string, string | string[]>>): PolicyDocument {
    return { Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: '*', Condition }] };
  }

  it('allow what a statement names, and nothing else', () => {
    expect(decide([read], get('arn:aws:s3:::b/runs/2026-11-20/x'))).toBe('allowed');
    expect(decide([read], get('arn:aws:s3:::b/settings/x'))).toBe('not allowed');
    expect(decide([read], { ...get('arn:aws:s3:::b/runs/x'), action: 's3:DeleteObject' })).toBe('not allowed');
    expect(decide([], get('arn:aws:s3:::b/runs/x'))).toBe('not allowed');
  });

  it.each([
    ['Null', 'true', '*', false],
    ['Null', 'false', '*', true],
    ['StringEquals', 'a', 'a', true],
    // The trap: a condition against an absent key holds, so that a Deny with it alone refuses every plain write.
    ['StringNotEquals', 'a', undefined, true],
    ['StringLike', 'p/*', 'p/x', true],
    ['StringLikeIfExists', 'p/*', undefined, true],
    ['StringLikeIfExists', 'p/*', 'q/', false],
    ['ArnNotEquals', 'arn:a', 'arn:a', false],
    ['ArnNotLike', 'arn:role/*', 'arn:role/a', false],
    ['NumericLessThan', '1.2', '1.1', true],
    ['NumericLessThan', '1.2', '1.2', false],
    ['Bool', 'true', undefined, false],
    ['ForAllValues:StringEquals', 'a', undefined, true],
    ['ForAnyValue:StringEquals', 'a', undefined, false],
  ] as const)('%s %s of %s holds: %s', (operator, wanted, found, holds) => {
    const context = found === undefined ? {} : { key: found };
    const decision = decide([denying({ [operator]: { key: wanted } })], get('arn:aws:s3:::b/x', context));
    expect(decision).toBe(holds ? 'denied' : 'not allowed');
  });

  it('refuse a condition that this matcher does not know', () => {
    expect(() => decide([denying({ DateLessThan: { key: '1' } })], get('arn:aws:s3:::b/x'))).toThrow('DateLessThan');
  });

  it('say what is allowed without need', () => {
    const call: RecordedCall = { action: 's3:GetObject', bucket: 'b', key: 'runs/x' };
    expect(unused(read, [requestOf(call, 'arn:role')])).toEqual(['Read: s3:PutObject']);
  });
});

async function* large(mebibytes: number, breaks = false): AsyncGenerator<Buffer> {
  for (let count = 0; count < mebibytes; count += 1) {
    yield Buffer.alloc(1024 * 1024, count);
  }
  if (breaks) {
    throw new Error('the table could not be finished');
  }
}
