/** A run that is noticed from outside: heartbeats around it, word through the channels when it fails, links that last, and the weekly verification. */

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelSettings } from '../../src/alerts/channel-kinds.ts';
import type { Heartbeat } from '../../src/alerts/delivery/heartbeat.ts';
import { listReportedFailures } from '../../src/alerts/delivery/report-failure.ts';
import { MusterError } from '../../src/base/errors.ts';
import { composeAlerts } from '../../src/compose/channels.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { createRetractedOutcome, type RunOutcome } from '../../src/run/outcome.ts';
import { logOutcome } from '../../src/run/reporting/log-progress.ts';
import { verifyAndReport, withHeartbeat } from '../../src/run/reporting/with-heartbeat.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { toFailureKey } from '../../src/storage/keys.ts';
import { alertsWith, listener } from '../alerts/listeners.ts';
import { type Loopback, loopback } from '../http/loopback.ts';
import { place } from '../night/folder.ts';
import { companyOfAllTables, slots } from '../night/small.ts';
import { memoryDisk } from '../storage/disks.ts';

const token = 'planted-heartbeat-token';
const published: RunOutcome = { exit: 0, did: 'published', night: undefined };
const silent = {
  delivered: [],
  undelivered: [{ channel: 'slack', since: '2026-06-01', messages: 1, why: { code: 'x', message: 'y' } }],
};

let server: Loopback;
let status = 200;
beforeEach(async () => {
  status = 200;
  server = await loopback((_, response) => response.writeHead(status).end('OK'));
});
afterEach(() => server.close());

function openRun(more: Pick<Heartbeat, 'failsOn'> = {}) {
  const channel = listener('one');
  const store = createFolderStore('/store', memoryDisk());
  const heartbeat = { url: async () => `${server.origin}/${token}?source=muster`, clock: systemClock, ...more };
  const warnings: MusterError[] = [];
  const noticing = {
    agent: 'Endpoint agent',
    slot: '2026-06-01',
    warn: (error: MusterError) => void warnings.push(error),
  };
  const parts = { store, alerts: { ...alertsWith([channel], systemClock), heartbeat } };
  const watch = (run: () => Promise<RunOutcome>) => withHeartbeat(run, parts, noticing);
  const beats = () => server.requests.map((line) => line.replace(`GET /${token}`, '').replace('?source=muster', ''));
  return { channel, store, warnings, watch, beats };
}

describe('the heartbeat', () => {
  it.each([
    ['published and delivered', published, ['/start', '']],
    ['published, a source not complete', { ...published, exit: 3 as const }, ['/start', '']],
    ['published, a message not delivered', { ...published, exit: 3 as const, delivery: silent }, ['/start', '/fail']],
    [
      'published, unsound, which is no failure unless asked for',
      { ...published, isUnsound: true as const },
      ['/start', ''],
    ],
    [
      'published, not finished',
      { ...published, exit: 3 as const, unfinished: [{ step: 'copies' as const, code: 'deadline', message: 'late' }] },
      ['/start', '/fail'],
    ],
    ['standing already', { ...published, did: 'unchanged' as const }, ['/start', '']],
    [
      'published by another run, which delivers it',
      { ...published, exit: 4 as const, did: 'superseded' as const },
      ['/start'],
    ],
  ])('%s', async (_, outcome, wanted) => {
    const { watch, beats } = openRun();
    let before: string[] = [];
    await watch(async () => {
      before = beats();
      return outcome;
    });
    expect(before).toEqual(['/start']);
    expect(beats()).toEqual(wanted);
  });

  it.each([
    [['unsound'] as const, { ...published, isUnsound: true as const }, '/fail'],
    [['unsound'] as const, { ...published, delivery: silent }, ''],
    [[] as const, { ...published, delivery: silent, isUnsound: true as const }, ''],
  ])('fails on what it is asked to: %j', async (failsOn, outcome, last) => {
    const { watch, beats } = openRun({ failsOn });
    await watch(async () => outcome);
    expect(beats().at(-1)).toBe(last);
  });

  it('that nobody hears is a warning without its address, and no reason to fail [C21]', async () => {
    status = 404;
    const { watch, warnings } = openRun();
    expect(await watch(async () => published)).toBe(published);
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).not.toContain(token);
  });
});

describe('a run that fails', () => {
  it('is told from outside and through the channels, once for each cause, and fails as it did', async () => {
    const { watch, beats, channel } = openRun();
    const error = new MusterError('exemptions-unreadable', 'The exemptions file x.csv could not be read.');
    const fails = () => Promise.reject(error);
    await expect(watch(fails)).rejects.toBe(error);
    await expect(watch(fails)).rejects.toBe(error);
    expect(beats()).toEqual(['/start', '/fail', '/start', '/fail']);
    expect(channel.taken).toHaveLength(1);
    await expect(watch(() => Promise.reject(new MusterError('deadline', 'x')))).rejects.toThrow();
    expect(channel.taken).toHaveLength(2);
    expect(channel.taken[0]?.text).toContain('The exemptions file x.csv could not be read. [exemptions-unreadable]');
  });
  it('is known to the next one, and to no run before it', async () => {
    const { watch, store, channel } = openRun();
    await expect(watch(() => Promise.reject(new MusterError('deadline', 'x')))).rejects.toThrow();
    const list = (slot: string, head: number) => listReportedFailures(store, { channels: [channel] }, slot, head);
    expect(await list('2026-06-02', 0)).toEqual(['2026-06-01']);
    expect(await list('2026-05-31', 0)).toEqual([]);
    // Planted for a head that is nowhere.
    await store.put(toFailureKey(channel.name, '2026-05-30', 9_999_999_999, 'deadline'), Buffer.from('x'));
    expect(await list('2026-06-02', 1)).toEqual([]);
    expect(await list('2026-07-03', 0)).toEqual([]);
  });
  it('with words that nobody expected keeps them for the log', async () => {
    const { watch, channel } = openRun();
    await expect(watch(() => Promise.reject(new Error('canary-unexpected')))).rejects.toThrow('canary-unexpected');
    expect(channel.taken[0]?.text).not.toContain('canary');
    expect(channel.taken[0]?.text).toContain('[unexpected]');
  });
  it.each(['slot-refused', 'stopped'] as const)(
    'by a person’s own doing (%s) is not told through channels',
    async (code) => {
      const { watch, beats, channel } = openRun();
      await expect(watch(() => Promise.reject(new MusterError(code, 'x')))).rejects.toThrow();
      expect(channel.taken).toEqual([]);
      expect(beats()).toEqual(['/start', '/fail']);
    },
  );
});

describe('the link to a night', () => {
  const linkOf = (store: string, reportUrl?: string) => {
    const alerts = {
      channels: [],
      heartbeatFailsOn: [],
      quiet: false,
      everyNight: false,
      ...(reportUrl === undefined ? {} : { reportUrl }),
    };
    return composeAlerts(
      { alerts, store },
      { secret: () => async () => '', folder: '/etc/muster', clock: systemClock },
    ).link('2026-06-01');
  };
  it.each([
    ['a folder', './data', undefined, '/etc/muster/data/report/date=2026-06-01/index.html'],
    [
      'a bucket',
      's3://acme/muster/',
      undefined,
      'https://s3.console.aws.amazon.com/s3/object/acme?prefix=muster%2Freport%2Fdate%3D2026-06-01%2Findex.html',
    ],
    [
      'a bucket without a prefix',
      's3://acme',
      undefined,
      'https://s3.console.aws.amazon.com/s3/object/acme?prefix=report%2Fdate%3D2026-06-01%2Findex.html',
    ],
    [
      'an address of its own',
      's3://acme',
      'https://reports.example.com/m',
      'https://reports.example.com/m/report/date=2026-06-01/index.html',
    ],
    [
      'an address with capitals and a space, which no text would link whole',
      's3://acme',
      'HTTPS://Reports.example.com/our reports',
      'https://reports.example.com/our%20reports/report/date=2026-06-01/index.html',
    ],
  ])('in %s', (_, store, reportUrl, link) => expect(linkOf(store, reportUrl)).toBe(link));
});

it('channels are called by their name, or by their type, and known by a hash of where they send', () => {
  const names = (...channels: readonly ChannelSettings[]) =>
    composeAlerts(
      { alerts: { channels: [...channels], heartbeatFailsOn: [], quiet: false, everyNight: false }, store: '.' },
      { secret: () => async () => '', folder: '.', clock: systemClock },
    ).channels.map(({ name, address }) => [name, address]);
  const [[first, address] = [], [second, other] = []] = names(
    { type: 'slack', url: 'env:A' },
    { type: 'slack', name: 'soc', url: 'env:B' },
  );
  expect([first, second]).toEqual(['slack', 'soc']);
  expect(address).not.toBe(other);
  // The order, the name and what it asks for are not where it sends.
  expect(names({ type: 'slack', name: 'moved', url: 'env:A', only: { severity: ['error'] } })).toEqual([
    ['moved', address],
  ]);
});

const here = place();

it('the weekly verification is silent where everything is sound, and reports damage', async () => {
  const made = companyOfAllTables();
  await runNight(made.order(slots[0] ?? ''), made.parts(here.store));
  const lines: [string, string, unknown][] = [];
  const heartbeat = { url: async () => `${server.origin}/beat`, clock: systemClock };
  const parts = { store: here.store, clock: systemClock, alerts: { ...alertsWith([], systemClock), heartbeat } };
  const verify = () => verifyAndReport(parts, (level, event, data) => void lines.push([level, event, data]));

  await verify();
  expect(lines).toEqual([['info', 'verify.ended', expect.objectContaining({ nights: 1, damaged: 0 })]]);
  expect(server.requests).toEqual([]);

  lines.length = 0;
  await appendFile(join(here.path, 'latest/devices.csv'), 'x');
  await verify();
  expect(lines).toEqual([
    ['error', 'verify.damaged', { code: 'copy-differs', sentence: expect.stringContaining('latest/devices.csv') }],
    ['error', 'verify.ended', expect.objectContaining({ damaged: 1 })],
  ]);
  expect(server.requests).toEqual(['GET /beat/fail']);

  lines.length = 0;
  const audit = createFolderStore(`${here.path}-audit`);
  await audit.put('commits/0000000001.json', Buffer.from('{}'));
  await verifyAndReport({ ...parts, audit }, (level, event, data) => void lines.push([level, event, data]));
  expect(lines).toContainEqual(['error', 'verify.damaged', expect.objectContaining({ code: 'audit-differs' })]);
});

it('the log says where a start left a retracted slot alone', () => {
  const lines: unknown[] = [];
  logOutcome(createRetractedOutcome(), (...line) => void lines.push(line));
  expect(lines).toEqual([['info', 'run.unchanged', { exit: 0, isRetracted: true }]]);
});
