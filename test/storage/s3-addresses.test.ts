/** Addresses of buckets, and the client that a store makes for itself. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createS3Store, parseS3Uri } from '../../src/storage/s3/s3-store.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';

let peer: S3Peer;
beforeEach(async () => {
  peer = await startS3Peer({ buckets: ['reports', { name: 'far', region: 'us-west-2' }] });
});
afterEach(() => peer.close());

test('addresses', () => {
  expect(parseS3Uri('s3://reports')).toEqual({ bucket: 'reports', prefix: '' });
  expect(parseS3Uri('s3://reports/')).toEqual({ bucket: 'reports', prefix: '' });
  expect(parseS3Uri('s3://my.reports-1/muster/prod/')).toEqual({ bucket: 'my.reports-1', prefix: 'muster/prod' });
  for (const wrong of [
    's3://',
    's3://Reports',
    's3://a',
    's3://reports//x',
    's3://reports/../x',
    './reports',
    'https://reports',
    's3://user:key@reports/x',
  ]) {
    expect(parseS3Uri(wrong)).toBeUndefined();
  }
  expect(storeOf(peer).name).toBe('s3://reports/muster/prod');
  expect(createS3Store({ bucket: 'reports', prefix: '' }, { client: clientOf(peer) }).name).toBe('s3://reports');
});

test('a store makes its own client, from the environment', async () => {
  for (const [name, value] of Object.entries(peer.environment)) {
    vi.stubEnv(name, value);
  }
  try {
    await createS3Store({ bucket: 'reports', prefix: '' }).put('from-environment', Buffer.from('x'));
  } finally {
    vi.unstubAllEnvs();
  }
  expect([...peer.objects().keys()]).toEqual(['from-environment']);
});
