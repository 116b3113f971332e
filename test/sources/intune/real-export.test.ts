/** A real answer to the creation of an export job, where the folder with such bodies is present. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client, Request } from '../../../src/http/client.ts';
import { exportRows } from '../../../src/sources/intune/export-job.ts';
import { archiveOf } from './archive.ts';
import { fakeClock } from './tenant.ts';

const file = join(import.meta.dirname, '../../../../shared/real/graph-export-job-created.json');

test.runIf(existsSync(file))('a real export job is understood from its creation to its end', async () => {
  const created = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const lives = [
    created,
    { ...created, status: 'inProgress' },
    { ...created, status: 'completed' },
    { ...created, status: 'completed', url: 'https://storage.example.com/report.zip' },
  ];
  const asked: string[] = [];
  const answering = (bodyOf: (request: Request) => Buffer): Client => ({
    ask: async (request, understand) => {
      asked.push(`${request.method ?? 'GET'} ${request.url}`);
      return understand({ status: 200, headers: new Headers(), body: bodyOf(request) });
    },
  });
  const csv = 'InstallState,DeviceId\r\n1,one\r\n3,two\r\n';
  const rows = await exportRows(
    {
      who: 'Microsoft Graph "windows"',
      origin: 'https://graph.example.com',
      client: answering(() => Buffer.from(JSON.stringify(lives.shift()))),
      downloads: answering(() => archiveOf({ content: Buffer.from(csv) })),
      clock: fakeClock(),
      signal: new AbortController().signal,
      deadline: Number.POSITIVE_INFINITY,
    },
    'app',
  );
  expect(rows.map(({ deviceId, state }) => [deviceId, state])).toEqual([
    ['one', '1'],
    ['two', '3'],
  ]);
  const poll = `GET /v1.0/deviceManagement/reports/exportJobs('${String(created.id)}')`;
  expect(asked).toEqual([
    'POST /v1.0/deviceManagement/reports/exportJobs',
    poll,
    poll,
    poll,
    'GET https://storage.example.com/report.zip',
  ]);
});
