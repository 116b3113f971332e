import { expect, test } from 'vitest';
import { readZippedCsv } from '../../../src/sources/intune/report/zip.ts';
import { archiveOf } from './archive.ts';

const lines = Array.from({ length: 600 }, (_, row) => `device-${row},${(row * 7919) % 6},2026-11-19 22:10:33\r\n`);
const content = Buffer.from(`DeviceId,InstallState,LastModifiedDateTime\r\n${lines.join('')}`);

const readWhole = async (archive: Buffer) => Buffer.concat(await Array.fromAsync(readZippedCsv(archive, 'Graph')));

test.each([0, 8] as const)('reads the one member, method %i', async (method) => {
  expect(await readWhole(archiveOf({ content, method }))).toEqual(content);
});

test('reads an empty member', async () => {
  expect(await readWhole(archiveOf({ content: Buffer.alloc(0), method: 0 }))).toEqual(Buffer.alloc(0));
  expect(await readWhole(archiveOf({ content: Buffer.alloc(0) }))).toEqual(Buffer.alloc(0));
});

test.each([0, 8] as const)(
  '400 flipped bits anywhere in the archive, method %i: none silently wrong [X9]',
  async (method) => {
    const archive = archiveOf({ content, method });
    let noticed = 0;
    for (let flip = 0; flip < 400; flip += 1) {
      const bit = Math.floor((flip * archive.length * 8) / 400) + (flip % 8);
      const damaged = Buffer.from(archive);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        expect(await readWhole(damaged)).toEqual(content);
      } catch (error) {
        expect(error).toMatchObject({ code: 'zip-broken' });
        noticed += 1;
      }
    }
    expect(noticed).toBeGreaterThan(380);
  },
);

const good = archiveOf({ content });
const broken: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['no archive', Buffer.from('<html>sign in</html>')],
  ['a truncated archive', good.subarray(0, good.length - 30)],
  ['no member', archiveOf()],
  ['two members', archiveOf({ content }, { content, name: 'other.csv' })],
  ['another kind of member', archiveOf({ content, name: 'report.exe' })],
  ['a name that climbs', archiveOf({ content, name: '../../report.csv' })],
  ['an encrypted member', archiveOf({ content, flags: 1 })],
  ['an unknown method', archiveOf({ content, method: 12 })],
  ['a size that is too small [X8]', archiveOf({ content, declaredSize: 10 })],
  ['a size that is too large [X8]', archiveOf({ content, declaredSize: content.length + 1 })],
  ['a size beyond the bound [X10]', archiveOf({ content, declaredSize: 257 * 1024 * 1024 })],
];

test.each(broken)('refuses %s by name [H11, X7]', async (_what, archive) => {
  // The first piece is not given before all of them are checked.
  await expect(readZippedCsv(archive, 'Graph').next()).rejects.toMatchObject({ code: 'zip-broken' });
});
