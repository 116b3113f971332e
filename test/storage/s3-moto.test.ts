/** A second opinion from an S3 that somebody else wrote, where it is installed (`moto_server` on the PATH). */
import { type ChildProcess, spawn } from 'node:child_process';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { storeContract } from '../contracts/store.ts';
import { isOnPath, needProgram } from '../needs.ts';
import { noWait } from '../peers/s3/place.ts';

if (isOnPath('moto_server')) {
  describe('moto, a second opinion:', askMoto);
} else {
  test('moto, a second opinion', ({ skip }) => needProgram(skip, 'moto_server'));
}

function askMoto(): void {
  let moto: ChildProcess | undefined;
  let endpoint: string;
  let buckets = 0;

  beforeAll(async () => {
    moto = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    endpoint = await addressOf(moto);
  });
  const stop = () => moto?.kill('SIGKILL');
  afterAll(stop);
  process.once('exit', stop);

  storeContract('a bucket of moto', {
    // Seen under load: of five contenders one update in fifty was lost, which S3 itself rules out.
    notAtomic: 'moto is not atomic',
    async makeStore() {
      buckets += 1;
      const bucket = `reports-${buckets}`;
      const client = new S3Client({
        endpoint,
        forcePathStyle: true,
        region: 'us-east-1',
        credentials: { accessKeyId: 'moto', secretAccessKey: 'moto' },
      });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      const store = createS3Store({ bucket, prefix: 'muster' }, { client, clock: noWait });
      return { store, cleanUp: async () => client.destroy() };
    },
  });
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (piece: Buffer) => {
      said += piece.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address) {
        resolve(address);
      }
    });
    server.once('exit', () => reject(new Error(`moto_server ended: ${said}`)));
    server.once('error', reject);
  });
}
