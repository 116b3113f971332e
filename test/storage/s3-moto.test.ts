/** A second opinion from an S3 that somebody else wrote, where it is installed (`moto_server` on the PATH). */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Store } from '../../src/storage/s3/s3-store.ts';
import { storeContract } from '../contracts/store.ts';
import { noWait } from '../peers/s3/place.ts';

const isInstalled = (process.env.PATH ?? '').split(delimiter).some((folder) => {
  try {
    accessSync(join(folder, 'moto_server'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

if (isInstalled) describe('moto, a second opinion:', askMoto);
else test('moto was not asked for a second opinion: moto_server is not installed here', sayNotRun);

function sayNotRun(): void {
  process.stdout.write('Not run: the store contract on moto; moto_server is not on the PATH.\n');
  expect(isInstalled).toBe(false);
}

function askMoto(): void {
  let moto: ChildProcess | undefined;
  let endpoint: string;
  let buckets = 0;

  beforeAll(async () => {
    moto = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    endpoint = await addressOf(moto);
  }, 60_000);
  const stop = () => moto?.kill('SIGKILL');
  afterAll(stop);
  process.once('exit', stop);

  storeContract('a bucket of moto', {
    // Seen under load: of five contenders one update in fifty was lost, which S3 itself rules out.
    isAtomic: false,
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
      const store = s3Store({ bucket, prefix: 'muster' }, { client, clock: noWait });
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
      if (address) resolve(address);
    });
    server.once('exit', () => reject(new Error(`moto_server ended: ${said}`)));
    server.once('error', reject);
  });
}
