/** W2: a bucket behind a proxy that refuses or is not there: the sentence names the proxy and does not blame S3. */
import { S3Client } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { buildAwsRequestHandler, toSafeErrorName } from '../../src/aws/client.ts';
import { useProxies } from '../../src/http/proxy.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { startForwardingProxy } from '../peers/forwarding-proxy.ts';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hidden' };

function openClient(endpoint: string): S3Client {
  const requestHandler = buildAwsRequestHandler({});
  return new S3Client({
    endpoint,
    region: 'eu-west-1',
    credentials,
    maxAttempts: 1,
    forcePathStyle: true,
    requestHandler,
  });
}

test.each<[string, 'HTTPS_PROXY' | 'HTTP_PROXY', string, boolean, RegExp]>([
  ['asks for a password', 'HTTPS_PROXY', 'https://s3.muster.example', true, /answered 407\. Put a current user/],
  [
    'is not there',
    'HTTPS_PROXY',
    'https://s3.muster.example',
    false,
    /could not be reached \(ECONNREFUSED\)\. Check that the proxy runs/,
  ],
  [
    'is not there, for plain HTTP',
    'HTTP_PROXY',
    'http://s3.muster.example',
    false,
    /could not be reached \(ECONNREFUSED\)\. Check/,
  ],
])('a proxy that %s [W2]', async (_what, variable, endpoint, isThere, sentence) => {
  const proxy = await startForwardingProxy({ routes: {}, password: 'anna:right' });
  await (isThere ? undefined : proxy.die());
  onTestFinished(() => proxy.die());
  onTestFinished(useProxies({ [variable]: `http://anna:hidden@127.0.0.1:${proxy.port}` }));
  const client = openClient(endpoint);
  const failure: Error = await createS3Store({ bucket: 'reports', prefix: 'prod' }, { client })
    .read('head.json')
    .then(
      () => new Error('read'),
      (error) => error,
    );
  const named = `the proxy http://127.0.0.1:${proxy.port}`;
  expect(failure).toMatchObject({ code: 'store-unreachable', message: expect.stringMatching(sentence) });
  expect(failure.message).toContain(`Reading head.json in s3://reports/prod failed: ${named} `);
  expect(failure.message).not.toContain('hidden');
});

test('a proxy of plain HTTP that asks for a password [W2]', async () => {
  const proxy = await startForwardingProxy({ routes: {}, password: 'anna:right' });
  onTestFinished(() => proxy.die());
  onTestFinished(useProxies({ HTTP_PROXY: `http://anna:hidden@127.0.0.1:${proxy.port}` }));
  const client = openClient('http://s3.muster.example');
  await expect(createS3Store({ bucket: 'reports', prefix: 'prod' }, { client }).read('head.json')).rejects.toThrow(
    /s3:GetObject ended with \S.*\. Put a current user and password into the address of the proxy/,
  );
});

test('an error of AWS itself is named as before [W2]', () => {
  onTestFinished(useProxies({ HTTPS_PROXY: 'http://proxy.example.com:3128' }));
  expect(toSafeErrorName(Object.assign(new Error('canary'), { name: 'AccessDenied' }))).toBe('AccessDenied');
});
