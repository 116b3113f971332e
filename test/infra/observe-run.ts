/** Whole nights against peers that write down what they are asked, as the function makes them: what a run uses of AWS. */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, vi } from 'vitest';
import { requestWebIdentityToken } from '../../src/aws/web-identity-token.ts';
import { readRunContext } from '../../src/compose/run-context.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { alertsWith, listener } from '../alerts/listeners.ts';
import { startAws } from '../peers/aws.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import {
  composeSimulatorParts,
  makeFolder,
  openSimulator,
  removeFolders,
  toMoment,
} from '../whole-runs/simulator-runs.ts';
import type { RecordedCall } from './policy.ts';

export const bucket = 'acme-muster';
export const auditBucket = 'acme-muster-audit';
/** Of the store in the observed nights. */
export const observedPrefix = 'prod/';
const slots = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];

export interface ObservedNights {
  readonly slots: readonly string[];
  readonly calls: readonly RecordedCall[];
  /** By key, at the end. */
  readonly audit: ReadonlyMap<string, Buffer>;
  readonly reports: ReadonlyMap<string, Buffer>;
}

export async function observeNights(): Promise<ObservedNights> {
  const way = await openSimulator({ devices: 30 });
  const peer = await startS3Peer({
    buckets: [bucket, auditBucket, 'example-lists'].map((name) => ({ name, versioned: true, encrypted: true })),
  });
  const client = clientOf(peer);
  const read = [
    { Bucket: bucket, Key: 'settings/muster.yaml' },
    { Bucket: 'example-lists', Key: 'apple.csv' },
  ];
  for (const file of read) {
    await client.send(new PutObjectCommand({ ...file, Body: 'serial\n' }));
  }
  peer.calls.length = 0;
  for (const file of read) {
    await client.send(new GetObjectCommand(file));
  }
  const folder = await makeFolder();
  const settings = { ...way.settings, retention: { nights: 2 } };
  const channel = listener('one');
  const store = storeOf(peer, {}, 'prod');
  const audit = createS3Store({ bucket: auditBucket, prefix: '' }, { client });
  for (const slot of slots) {
    way.simulator.setMoment(toMoment(slot));
    await store.probe();
    // A message that is not taken gives its claim back, and is carried on.
    channel.down = slot === slots[0];
    const alerts = alertsWith([channel], systemClock);
    const parts = { ...(await composeSimulatorParts(way, folder, slot)), store, audit, alerts };
    const moment = toMoment(slot);
    await runNight({ slot, moment, readRunContext: () => readRunContext(settings, folder, moment) }, parts);
  }
  // Every week.
  expect(await verifyRuns(store, { audit })).toMatchObject({ nights: 2, damage: [] });
  // A fleet of 100,000 has a table in parts; one of them breaks off.
  await store.create('runs/2026-03-04/large/reports/devices.csv', large(9));
  await store.create('runs/2026-03-04/broken/reports/devices.csv', large(20, true)).catch(() => undefined);
  const observed = {
    ...{ slots, calls: [...new Map(peer.calls.map((call) => [JSON.stringify(call), call])).values()] },
    ...{ audit: new Map(peer.objects(auditBucket)), reports: new Map(peer.objects(bucket)) },
  };
  await Promise.all([way.close(), peer.close()]);
  await removeFolders();
  return observed;
}

async function* large(mebibytes: number, breaks = false): AsyncGenerator<Buffer> {
  for (let count = 0; count < mebibytes; count += 1) {
    yield Buffer.alloc(1024 * 1024, count);
  }
  if (breaks) {
    throw new Error('the table could not be finished');
  }
}

export interface ObservedCall {
  /** As IAM names it. */
  readonly action: string;
  readonly of: string;
}

/** What is asked where these secrets are read, and a token is asked for each audience; by what it was asked for. */
export async function observeServices(
  secrets: readonly string[],
  audiences: readonly string[],
): Promise<ReadonlyMap<string, readonly ObservedCall[]>> {
  const aws = await startAws();
  for (const [name, value] of Object.entries(aws.environment)) {
    vi.stubEnv(name, value);
  }
  const seen = new Map<string, readonly ObservedCall[]>();
  const observe = async (name: string, act: () => Promise<unknown>) => {
    const before = aws.calls.length;
    await act();
    const calls = aws.calls.slice(before).map(({ service, action, of }) => ({
      ...{ action: `${service === 'AmazonSSM' ? 'ssm' : service}:${action}`, of },
    }));
    seen.set(name, calls);
  };
  try {
    for (const secret of secrets) {
      const [, name = '', key = 'key'] = /:([^#]+)#?(.*)$/.exec(secret) ?? [];
      aws.secrets.set(name, secret.includes('#') ? JSON.stringify({ [key]: 'one' }) : 'one');
      aws.parameters.set(name, 'two');
      await observe(secret, () => createSecretReader({})(secret)(false));
    }
    for (const audience of audiences) {
      await observe(audience, () => requestWebIdentityToken(audience));
    }
  } finally {
    vi.unstubAllEnvs();
    await aws.close();
  }
  return seen;
}
