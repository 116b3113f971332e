/** A second opinion from an S3 that somebody else wrote, where it is installed (`moto_server` on the PATH). */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { storeContract } from '../contracts/store.ts';
import { isOnPath, needProgram } from '../needs.ts';
import { type Moto, startMoto } from '../peers/moto.ts';

if (isOnPath('moto_server')) {
  describe('moto, a second opinion:', askMoto);
} else {
  test('moto, a second opinion', ({ skip }) => needProgram(skip, 'moto_server'));
}

function askMoto(): void {
  let moto: Moto | undefined;
  let buckets = 0;

  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto?.stop());

  storeContract('a bucket of moto', {
    // Seen under load: of five contenders one update in fifty was lost, which S3 itself rules out.
    notAtomic: 'moto is not atomic',
    async makeStore() {
      buckets += 1;
      const bucket = `reports-${buckets}`;
      const client = new S3Client({
        endpoint: moto?.origin ?? '',
        forcePathStyle: true,
        region: 'us-east-1',
        credentials: { accessKeyId: 'moto', secretAccessKey: 'moto' },
      });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      const store = createS3Store({ bucket, prefix: 'muster' }, { client });
      return { store, cleanUp: async () => client.destroy() };
    },
  });
}
