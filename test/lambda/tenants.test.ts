/** One packaged function for many tenants: whose settings it takes, whose store it writes, and what it refuses. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { LambdaFunction } from '../peers/lambda-runtime.ts';
import { clientOf } from '../peers/s3/place.ts';
import { answered, bucket, type Company, eventOf, logLines, metricsOf, momentOf, openCompany } from './company.ts';

const slot = '2026-03-01';
let company: Company;
let one: LambdaFunction;

beforeAll(async () => {
  company = await openCompany();
  company.simulator.setMoment(momentOf(slot));
  const own = company.object('settings/muster.yaml') ?? '';
  const files = ['acme', 'contoso'].map((name) => {
    const yaml = own.replaceAll(`s3://${bucket}/muster`, `s3://${bucket}/tenants/${name}`).replace(/audit: .*\n/, '');
    return { name: `${name}.yaml`, yaml };
  });
  const hashes = files.map(({ name, yaml }) => `${computeSha256(yaml)}  ${name}\n`).join('');
  await put('settings/tenants.sha256', hashes);
  for (const { name, yaml } of files) {
    await put(`settings/tenants/${name}`, yaml);
  }
  one = await company.start({
    MUSTER_SETTINGS_SHA256: computeSha256(own),
    MUSTER_TENANTS: `s3://${bucket}/settings/tenants/`,
    MUSTER_TENANTS_SHA256: computeSha256(hashes),
  });
});

afterAll(async () => {
  company.expectClean();
  await company.close();
});

async function put(Key: string, Body: string): Promise<void> {
  await clientOf(company.s3).send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
}

const tenantEvent = (settings: string) => ({ ...eventOf(slot), settings });
const storesOf = () => [...company.s3.objects(bucket).keys()].filter((key) => key.endsWith('/latest.json'));

test('each tenant is published in its own store, and measured and logged under its own name', async () => {
  for (const name of ['acme', 'contoso']) {
    const answer = answered(await one.invoke(tenantEvent(`settings/tenants/${name}.yaml`)));
    expect(answer).toMatchObject({ exit: 0, did: 'published', slot });
  }
  expect(storesOf().sort()).toEqual(['tenants/acme/latest.json', 'tenants/contoso/latest.json']);
  expect(answered(await one.invoke(eventOf(slot)))).toMatchObject({ exit: 0, did: 'published' });
  const verified = await one.invoke({ verify: true, settings: 'settings/tenants/acme.yaml' });
  expect(answered(verified)).toMatchObject({ exit: 0, did: 'verified' });

  const lines = logLines(one.log());
  const published = lines.filter(({ message }) => message === 'run.published');
  expect(published.map(({ tenant }) => tenant)).toEqual(['acme', 'contoso', undefined]);
  const measured = lines.filter((line) => '_aws' in line);
  const ofRuns = measured.filter((line) => 'Published' in line || 'Damaged' in line);
  expect(ofRuns.map(({ tenant }) => tenant)).toEqual(['acme', 'contoso', undefined, 'acme']);
  // The deployment's own alarms look at what has the service alone.
  expect(ofRuns.map((line) => metricsOf(line).dimensions)).toEqual([
    ...[['service', 'tenant'], ['service', 'tenant'], ['service'], ['service', 'tenant']],
  ]);
  const memory = measured.filter((line) => 'MemoryUsed' in line);
  expect(memory.map((line) => metricsOf(line).dimensions)).toEqual(Array(4).fill(['service']));
});

test('a tenant whose settings, or whose list of them, no deployment uploaded is refused, and no secret is read', async () => {
  const secrets = company.aws.calls.length;
  const yaml = company.object('settings/tenants/acme.yaml') ?? '';
  const refused = async (settings: string, file: string) => {
    expect(await one.invoke(tenantEvent(settings))).toMatchObject({
      kind: 'error',
      errorMessage: expect.stringMatching(
        new RegExp(`${file} is not the one that was deployed.*\\[settings-changed\\]$`),
      ),
    });
  };
  await put('settings/tenants/other.yaml', yaml);
  await refused('settings/tenants/other.yaml', 'tenants/other.yaml');
  await put('settings/tenants/acme.yaml', `${yaml}# sent elsewhere\n`);
  await refused('settings/tenants/acme.yaml', 'tenants/acme.yaml');
  const hashes = company.object('settings/tenants.sha256') ?? '';
  await put('settings/tenants.sha256', `${hashes}${computeSha256(yaml)}  other.yaml\n`);
  await refused('settings/tenants/other.yaml', 'settings/tenants.sha256');
  await refused('settings/tenants/contoso.yaml', 'settings/tenants.sha256');
  expect(company.aws.calls.length).toBe(secrets);
});

test('a file that is none of a tenant is refused as an event, as is every one where there are no tenants', async () => {
  expect(await one.invoke(tenantEvent('settings/tenants/../muster.yaml'))).toMatchObject({
    errorMessage: expect.stringMatching(/must be a tenant's file.*\[event-invalid\]$/),
  });
  const without = await company.start();
  expect(await without.invoke(tenantEvent('settings/tenants/acme.yaml'))).toMatchObject({
    errorMessage: expect.stringMatching(/this deployment has no tenants.*\[event-invalid\]$/),
  });
});
