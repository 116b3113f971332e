import { storeContract } from '../contracts/store.ts';
import { startS3Peer } from '../peers/s3/peer.ts';
import { storeOf } from '../peers/s3/place.ts';

storeContract('a bucket', {
  async makeStore() {
    const peer = await startS3Peer({ buckets: ['reports'] });
    return { store: storeOf(peer), cleanUp: () => peer.close() };
  },
});
