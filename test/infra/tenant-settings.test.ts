/** What a deployment checks of the tenants' settings before it uploads them. */
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import { settingsOf, stackOf, target, tenantFiles, tenantSettings, withTenants } from './example.ts';

const stack = stackOf(withTenants);

describe('the settings of tenants', () => {
  const problemsOf = (change: (yaml: string) => string, own = withTenants) =>
    planDeployment(settingsOf(own), target, {}, [
      ...tenantFiles.slice(1),
      { file: 'acme.yaml', body: Buffer.from(change(tenantSettings('acme'))) },
    ]).problems;

  it('are uploaded with a list of their SHA-256, which the stack knows by its own', () => {
    const { deployment } = planDeployment(settingsOf(withTenants), target, {}, tenantFiles);
    const hashes = tenantFiles.map(({ file, body }) => `${computeSha256(body)}  ${file}\n`).join('');
    expect(deployment?.tenants.hashes).toBe(hashes);
    expect(deployment?.tenants.documents.map(({ path }) => path)).toEqual([
      ...['acme/exemptions.csv', 'contoso/exemptions.csv'],
    ]);
    expect(stack.tenants).toMatchObject({
      ...{ names: ['acme', 'contoso'], concurrency: 3, sha256: computeSha256(hashes) },
    });
  });

  it('let the role read the objects that they name', () => {
    const address = 's3://example-lists/acme/apple.csv';
    const body = Buffer.from(`${tenantSettings('acme')}\nlists: { expected: [{ file: "${address}" }] }\n`);
    const { deployment } = planDeployment(settingsOf(withTenants), target, {}, [{ file: 'acme.yaml', body }]);
    expect(deployment?.stack.documents).toContain('arn:aws:s3:::example-lists/acme/apple.csv');
  });

  const replaced: readonly (readonly [string, from: string, to: string, problem: string])[] = [
    [
      'another bucket',
      's3://acme-muster/',
      's3://elsewhere/',
      'store: is s3://elsewhere/tenants/acme; it must be s3://',
    ],
    ['the store of another tenant', 'tenants/acme\naudit', 'tenants/b\naudit', 'store: is s3://acme-muster/tenants/b'],
    ['a secret of another tenant', 'acme/jamf#id', 'b/jamf#id', 'clientId: is aws-secret:muster/tenants/b/jamf#id'],
    [
      'a parameter by a way around',
      'aws-secret:muster/tenants/acme/jamf#secret',
      'aws-ssm:/muster/tenants/acme/../contoso/jamf',
      'sources[0].auth.clientSecret',
    ],
    ['another time', '15 5 * * 1-5', '15 6 * * 1-5', 'schedule: must be that of the deployment'],
    [
      'a document of another tenant',
      'acme/exemptions.csv',
      'b/exemptions.csv',
      'exemptions: must lie in the folder acme',
    ],
    ...['s3://example-lists/b/apple.csv', 's3://example-lists/acme/*'].map(
      (address) => [`a list at ${address}`, 'acme/exemptions.csv', address, 'must lie in a folder acme'] as const,
    ),
    ['a mistake', 'extensionAttribute', 'extensionAtribute', 'sources[0].extensionAtribute: is not a setting'],
  ];
  const topic = 'arn:aws:sns:eu-west-1:123456789012:acme';
  const added: readonly (readonly [string, line: string, problem: string])[] = [
    ['a block of the deployment', 'aws: { memory: 4096 }', 'aws: stands in the settings of the deployment only'],
    [
      'a key of its own',
      'signing: kms:arn:aws:kms:eu-west-1:123456789012:key/1\npublicKeys: acme/keys.pem',
      'signing: must be that of the deployment',
    ],
    ['a topic of its own', `alerts: { channels: [{ type: sns, topicArn: "${topic}" }] }`, `${topic} must also be`],
    ['more runs than the deployment keeps', 'retention: { nights: 401 }', 'retention.nights: is 401'],
  ];
  it.each([
    ...replaced,
    ...added.map(([what, line, problem]) => [what, 'exemptions:', `${line}\nexemptions:`, problem] as const),
  ])('are refused with %s, by file and path', (_what, from, to, problem) => {
    const problems = problemsOf((yaml) => yaml.replaceAll(from, to));
    expect(problems[0]).toContain('tenants/acme.yaml: ');
    expect(problems.join('\n')).toContain(problem);
  });

  it.each(['Acme.yaml', 'acme.yml', 'a_b.yaml', `${'a'.repeat(41)}.yaml`, 'a--b.yaml', 'readme.md'])(
    'are refused under the name %s',
    (file) => {
      const { problems } = planDeployment(settingsOf(withTenants), target, {}, [{ file, body: Buffer.from('') }]);
      expect(problems).toEqual([expect.stringContaining(`tenants/${file}: is no tenant`)]);
    },
  );

  it('are refused where there are none, or more than one execution can report of', () => {
    // Empty files, which are refused too: to read a thousand takes seconds.
    const many = Array.from({ length: 1001 }, (_, index) => ({ file: `t${index}.yaml`, body: Buffer.from('') }));
    const problems = (files: typeof many) => planDeployment(settingsOf(withTenants), target, {}, files).problems;
    expect(problems([])).toEqual([expect.stringContaining('tenants has no settings file')]);
    const tooMany = expect.stringContaining('tenants; one deployment serves 1000 at most');
    expect(problems(many)).toContainEqual(tooMany);
    expect(problems(many.slice(1))).not.toContainEqual(tooMany);
  });

  it('are refused beside a store that lies among theirs, and with less concurrency than they use', () => {
    expect(
      problemsOf((yaml) => yaml, withTenants.replace('acme-muster/prod', 'acme-muster/tenants/own')),
    ).toContainEqual(expect.stringContaining('store: must not lie below tenants/'));
    expect(problemsOf((yaml) => yaml, `${withTenants}  reservedConcurrency: 3\n`)).toEqual([
      expect.stringContaining('aws.reservedConcurrency: is 3; with aws.tenants it must be at least 4'),
    ]);
    expect(problemsOf((yaml) => yaml, `${withTenants}  reservedConcurrency: 4\n`)).toEqual([]);
  });
});
