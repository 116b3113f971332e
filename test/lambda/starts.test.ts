/** What else the packaged function is started for: to heal a slot, to verify the store; and what it refuses to start with. */
import { generateKeyPairSync } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { computeSha256 } from '../../src/base/sha256.ts';
import { startForwardingProxy } from '../peers/forwarding-proxy.ts';
import type { LambdaFunction } from '../peers/lambda-runtime.ts';
import { clientOf } from '../peers/s3/place.ts';
import {
  answered,
  auditBucket,
  bucket,
  type Company,
  eventOf,
  logLines,
  metricsOf,
  momentOf,
  openCompany,
} from './company.ts';

let company: Company;

beforeEach(async () => {
  company = await openCompany();
});
afterEach(async () => {
  company.expectClean();
  await company.close();
});

const slot = '2026-03-01';
const at = (time: string) => ({ scheduledTime: `${slot}T${time}:00Z` });

/** Values of one metric of the whole run, one for each line that has it. */
function valuesOf(one: LambdaFunction, metric: string): unknown[] {
  return logLines(one.log())
    .filter((line) => '_aws' in line && metricsOf(line).source === undefined && metric in line)
    .map((line) => line[metric]);
}

test('a later start heals the slot of the morning, and an alarm hears only of what stays incomplete', async () => {
  const one = await company.start();
  company.simulator.setMoment(momentOf(slot));
  const good = company.aws.parameters.get('/muster/graph') ?? '';
  company.aws.parameters.set('/muster/graph', 'canary-rotated-away');
  expect(answered(await one.invoke(at('05:15')))).toMatchObject({ exit: 3, did: 'published', slot });
  const asked = company.simulator.requests.length;
  expect(answered(await one.invoke(at('07:15')))).toMatchObject({ exit: 3, did: 'unchanged', slot });
  expect(answered(await one.invoke(at('10:15')))).toMatchObject({ exit: 3, did: 'unchanged', slot });
  const jamf = company.simulator.requests.slice(asked).filter((request) => request.origin === 'jamf');
  expect(jamf).toEqual([]);
  company.aws.parameters.set('/muster/graph', good);
  expect(answered(await one.invoke(at('10:15')))).toMatchObject({ exit: 0, did: 'published', slot });
  expect(answered(await one.invoke(at('10:15')))).toMatchObject({ exit: 0, did: 'unchanged', slot });
  // The slot is of the past, so that each start is after its last healing, as one by hand is.
  expect(valuesOf(one, 'Incomplete')).toEqual([1, 1, 1, 0, 0]);
  expect(valuesOf(one, 'StillIncomplete')).toEqual([1, 1, 1, 0, 0]);
  expect(valuesOf(one, 'Published')).toEqual([1, 0, 0, 1, 0]);
});

test('the first healing start makes the run where the scheduler left its start out [M1]', async () => {
  await company.putSettings((yaml) => `${yaml}schedule: { cron: "30 2 * * *", timezone: Europe/Berlin }\n`);
  const one = await company.start();
  company.simulator.setMoment(momentOf('2026-03-29'));
  const healing = { scheduledTime: '2026-03-29T02:30:00Z' };
  expect(answered(await one.invoke(healing))).toMatchObject({ exit: 0, did: 'published', slot: '2026-03-29' });
  expect(answered(await one.invoke(healing))).toMatchObject({ exit: 0, did: 'unchanged', slot: '2026-03-29' });
});

test('settings that no deployment uploaded are refused by name, and send no credential anywhere', async () => {
  const file = company.s3.objects(bucket).get('settings/muster.yaml') ?? Buffer.alloc(0);
  const one = await company.start({ MUSTER_SETTINGS_SHA256: computeSha256(file) });
  company.simulator.setMoment(momentOf(slot));
  expect(answered(await one.invoke(eventOf(slot)))).toMatchObject({ exit: 0, did: 'published' });
  const [secrets, requests] = [company.aws.calls.length, company.simulator.requests.length];
  await company.putSettings((yaml) => `${yaml}# sent elsewhere\n`);
  for (const event of [eventOf(slot), { verify: true }, { accept: slot }]) {
    const answer = await one.invoke(event);
    expect(answer).toMatchObject({
      kind: 'error',
      errorMessage: expect.stringMatching(/s3:\/\/muster-reports\/settings\/muster\.yaml.*\[settings-changed\]$/),
    });
  }
  expect([company.aws.calls.length, company.simulator.requests.length]).toEqual([secrets, requests]);
});

test('a store is verified without a secret or a platform, and damage is named and counted', async () => {
  const one = await company.start();
  company.simulator.setMoment(momentOf(slot));
  await one.invoke(eventOf(slot));
  const [secrets, requests] = [company.aws.calls.length, company.simulator.requests.length];
  expect(answered(await one.invoke({ verify: true }))).toMatchObject({
    exit: 0,
    did: 'verified',
    said: expect.stringContaining('Sound: 1 run'),
    damage: [],
  });
  const damaged = { Bucket: bucket, Key: 'muster/latest/devices.csv', Body: 'slot\n' };
  await clientOf(company.s3).send(new PutObjectCommand(damaged));
  const found = answered(await one.invoke({ verify: slot }));
  expect(found).toMatchObject({
    exit: 3,
    damage: [expect.stringMatching(/latest\/devices\.csv is damaged.* \[copy-differs\]$/)],
  });
  expect([company.aws.calls.length, company.simulator.requests.length]).toEqual([secrets, requests]);
  const [manifest = ''] = company.s3.objects(auditBucket).keys();
  await clientOf(company.s3).send(new PutObjectCommand({ Bucket: auditBucket, Key: manifest, Body: '{}' }));
  const { damage } = answered(await one.invoke({ verify: true })) as { damage: string[] };
  expect(damage).toContainEqual(expect.stringMatching(/ \[audit-differs\]$/));
  const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
  const named = { Bucket: bucket, Key: 'settings/keys.pem', Body: `from 1\n${pem}` };
  await clientOf(company.s3).send(new PutObjectCommand(named));
  await company.putSettings((yaml) => `${yaml}publicKeys: keys.pem\n`);
  const checked = answered(await one.invoke({ verify: true })) as { damage: string[] };
  expect(checked.damage).toContainEqual(expect.stringMatching(/ \[signature-missing\]$/));
  const lines = logLines(one.log()).filter(({ message }) => message === 'verify.damaged');
  expect(valuesOf(one, 'Damaged')).toEqual([0, 1, 2, 3]);
  expect(lines.slice(0, 1)).toMatchObject([
    { level: 'ERROR', code: 'copy-differs', sentence: expect.stringContaining('latest/devices.csv') },
  ]);
});

test('A8: sends nothing where certificates are not checked [K6] [R28]', async () => {
  const one = await company.start({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  const count = () => [company.aws.calls.length, company.simulator.requests.length, company.s3.calls.length];
  const before = count();
  for (const event of [eventOf(slot), { verify: true }]) {
    expect(await one.invoke(event)).toMatchObject({ kind: 'error' });
  }
  expect(one.log()).toMatch(/NODE_TLS_REJECT_UNAUTHORIZED is 0, .*Nothing was sent/);
  expect(count()).toEqual(before);
});

test('asks a platform through the proxy of its environment, and names the one that refuses [W2]', async () => {
  const proxy = await startForwardingProxy({ routes: {} });
  await company.putSettings((yaml) => yaml.replaceAll(company.simulator.urls.jamf, 'https://jamf.muster.example'));
  const one = await company.start({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
  company.simulator.setMoment(momentOf(slot));
  expect(answered(await one.invoke(eventOf(slot)))).toMatchObject({ exit: 3, did: 'published' });
  expect(new Set(proxy.requests)).toEqual(new Set(['CONNECT jamf.muster.example:443']));
  expect(one.log()).toContain(`the proxy http://127.0.0.1:${proxy.port} answered 403`);
  await proxy.die();
});

test('says how much of its memory it used, also when it fails', async () => {
  const one = await company.start();
  await one.invoke({ slto: slot });
  company.simulator.setMoment(momentOf(slot));
  await one.invoke(eventOf(slot));
  const used = valuesOf(one, 'MemoryUsed').map(Number);
  expect(used).toHaveLength(2);
  for (const percent of used) {
    expect(percent).toBeGreaterThan(1);
    expect(percent).toBeLessThan(50);
  }
});
