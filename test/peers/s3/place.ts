/** A client and a store for the peer, as a process would have them that waits for nothing. */
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { createS3Store, type S3StoreOptions } from '../../../src/storage/s3/s3-store.ts';
import type { Store } from '../../../src/storage/store.ts';
import type { S3Peer } from './peer.ts';

export function clientOf(peer: S3Peer, more: S3ClientConfig = {}): S3Client {
  return new S3Client({
    endpoint: peer.url,
    forcePathStyle: true,
    region: peer.region,
    credentials: peer.credentials,
    retryStrategy: impatient,
    ...more,
  });
}

export function storeOf(peer: S3Peer, more: Partial<S3StoreOptions> = {}, prefix = 'muster/prod'): Store {
  const bucket = peer.bucket().name;
  return createS3Store({ bucket, prefix }, { client: clientOf(peer), ...more });
}

const maximumTries = 5;

/** Tries what the SDK would try again, as often, without its waits. */
const impatient: NonNullable<Exclude<S3ClientConfig['retryStrategy'], (...given: never) => unknown>> = {
  async acquireInitialRetryToken() {
    return tokenOf(0);
  },
  async refreshRetryTokenForRetry(token, { errorType }) {
    const tried = token.getRetryCount() + 1;
    if (errorType === 'CLIENT_ERROR' || tried === maximumTries) {
      throw new Error('No more tries.');
    }
    return tokenOf(tried);
  },
  recordSuccess() {},
};

function tokenOf(tried: number) {
  return { getRetryCount: () => tried, getRetryDelay: () => 0, getRetryCost: () => 0 };
}
