/** Settings and exemptions in a bucket, as a function has them. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadSettings } from '../../src/compose/load-settings.ts';
import { readDocument, resolveInFolder } from '../../src/settings/documents.ts';
import { readLists } from '../../src/settings/people/list-files.ts';
import { readPeopleFile } from '../../src/settings/people/people-files.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf } from '../peers/s3/place.ts';
import { least, parseSettings } from './least.ts';

let peer: S3Peer;

beforeEach(async () => {
  peer = await startS3Peer({ buckets: ['reports'] });
  for (const [name, value] of Object.entries(peer.environment)) {
    vi.stubEnv(name, value);
  }
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await peer.close();
});

const put = (Key: string, Body: string) => clientOf(peer).send(new PutObjectCommand({ Bucket: 'reports', Key, Body }));

const settings = (store: string, exemptions: string) =>
  `${least.replace('./data', store).replaceAll(/env:\w+/g, 'aws-secret:muster/jamf#secret')}exemptions: ${exemptions}\n`;

const address = 's3://reports/prod/muster.yaml';

test('are read from there, the exemptions beside the settings', async () => {
  await put('prod/muster.yaml', settings('s3://reports/prod', 'lists/exemptions.csv'));
  await put('prod/lists/exemptions.csv', 'match,value,source,reason,owner,expires\nserial,C02,,lab,me,2027-01-01\n');
  const loaded = await loadSettings(undefined, { MUSTER_SETTINGS: address }, 'all');
  expect(loaded).toMatchObject({
    file: address,
    folder: 's3://reports/prod',
    settings: { store: 's3://reports/prod' },
  });
  expect(await readPeopleFile('exemptions', loaded.settings, loaded.folder)).toMatchObject([
    { match: 'serial', value: 'C02' },
  ]);
});

test('a bucket has no folder beside it, so the store must be in one too, and the key in KMS', async () => {
  await put(
    'prod/muster.yaml',
    `${settings('./muster-data', 'exemptions.csv')}\nsigning: file:key.pem\npublicKeys: keys.pem\n`,
  );
  await expect(loadSettings(address, {}, 'all')).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringMatching(/store: must be s3:\/\/[\s\S]*signing: must be kms:KEY_ARN/),
  });
});

test('what is not there is named, and fails the run', async () => {
  const missing = loadSettings(address, {}, 'all');
  await expect(missing).rejects.toMatchObject({
    code: 'settings-unreadable',
    message: expect.stringContaining(`${address} could not be read (NoSuchKey)`),
  });
  await put('prod/muster.yaml', settings('s3://reports', 'exemptions.csv'));
  const loaded = await loadSettings(address, {}, 'all');
  await expect(readPeopleFile('exemptions', loaded.settings, loaded.folder)).rejects.toMatchObject({
    code: 'exemptions-unreadable',
    message: expect.stringContaining('s3://reports/prod/exemptions.csv'),
  });
});

test('what is far too large is refused before it is read [K1]', async () => {
  await put('prod/muster.yaml', ' '.repeat(17 * 1024 * 1024));
  await expect(loadSettings(address, {}, 'all')).rejects.toMatchObject({
    code: 'settings-unreadable',
    message: expect.stringContaining('larger than'),
  });
});

test.each([
  ['s3://bucket/prod', 'exemptions.csv', 's3://bucket/prod/exemptions.csv'],
  ['s3://bucket/prod', '../lists/a b#1.csv', 's3://bucket/lists/a b#1.csv'],
  ['s3://bucket/prod', '../../../../x.csv', 's3://bucket/x.csv'],
  ['s3://bucket', 'exemptions.csv', 's3://bucket/exemptions.csv'],
  ['s3://bucket/prod', 's3://other/x.csv', 's3://other/x.csv'],
  ['/etc/muster', 's3://other/x.csv', 's3://other/x.csv'],
  ['/etc/muster', 'x.csv', '/etc/muster/x.csv'],
])('in %s, %s is %s', (folder, name, place) => {
  expect(resolveInFolder(folder, name)).toBe(place);
});

test('a list of machines is read from a bucket, with the date of the object', async () => {
  await put('lists/apple.csv', 'Serial Number\nC02A\n');
  const yaml = `${least}lists: { expected: [{ file: "s3://reports/lists/apple.csv", columns: { serial: Serial Number } }] }`;
  const found = (await readLists(parseSettings(yaml), '/nowhere', new Date()))?.expected;
  expect(found).toMatchObject({ rows: [{ serial: 'C02A' }], files: [{ name: 'apple.csv', date: expect.any(String) }] });
});

test('A12: a device that has no end is read up to the bound, and refused by name', async ({ skip }) => {
  skip(process.platform === 'win32', 'there is no /dev/zero here');
  await expect(readDocument('/dev/zero', 100_000)).rejects.toMatchObject({ code: 'larger than 100000 bytes' });
});
