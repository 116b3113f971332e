/** A real answer to the creation of an export job. */
import { expect, test } from 'vitest';
import type { HttpClient, HttpRequest } from '../../../src/http/client.ts';
import { createReportExports } from '../../../src/sources/intune/export-job.ts';
import { needSharedText } from '../../needs.ts';
import { archiveOf } from './archive.ts';
import { fakeClock } from './tenant.ts';

test('a real export job is understood from its creation to its end', async ({ skip }) => {
  const created = JSON.parse(needSharedText(skip, 'real/graph-export-job-created.json')) as Record<string, unknown>;
  const lives = [
    created,
    { ...created, status: 'inProgress' },
    { ...created, status: 'completed' },
    { ...created, status: 'completed', url: 'https://storage.example.com/report.zip' },
  ];
  const asked: string[] = [];
  const answering = (bodyOf: (request: HttpRequest) => Buffer): HttpClient => ({
    send: async (request, understand) => {
      asked.push(`${request.method ?? 'GET'} ${request.url}`);
      return understand({ status: 200, headers: new Headers(), body: bodyOf(request) });
    },
  });
  const csv = 'InstallState,DeviceId\r\n1,one\r\n3,two\r\n';
  const exports = createReportExports(
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
  const rows = (await exports.next(Number.POSITIVE_INFINITY)) ?? [];
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
