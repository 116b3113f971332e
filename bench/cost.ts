/**
 * What a month on AWS costs: `node bench/cost.ts [devices...]`. Two nights against the simulator, kept in the tests' own
 * S3 server, which counts; the second one, with a baseline, is taken for all. docs/aws.md shows the table.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createJsonLog } from '../src/base/log.ts';
import { composeParts } from '../src/compose/parts.ts';
import { readSettings } from '../src/compose/read-settings.ts';
import { readRunContext } from '../src/compose/run-context.ts';
import { createSecretReader } from '../src/compose/secrets.ts';
import { defaultSchedule } from '../src/compose/settings-schema.ts';
import { systemClock } from '../src/http/clock.ts';
import { runNight } from '../src/night.ts';
import { logProgress } from '../src/run/reporting/log-progress.ts';
import { findLastSlot, findMoment } from '../src/settings/schedule/schedule.ts';
import { type S3Peer, startS3Peer } from '../test/peers/s3/peer.ts';
import { storeOf } from '../test/peers/s3/place.ts';

/** Dollars: list prices of eu-west-1 (Ireland), on demand, without free tiers, as known on 2026-11-20. Check them. */
const price = {
  lambdaGigabyteSecond: 0.0000133334,
  s3GigabyteMonth: 0.023,
  s3Write: 0.005 / 1000,
  s3Read: 0.0004 / 1000,
  kmsKeyMonth: 1,
  alarmMonth: 0.1,
  /** Three of an account are free of charge; this counts as a fourth. */
  dashboardMonth: 3,
  secretMonth: 0.4,
  metricMonth: 0.3,
  logGigabyte: 0.57,
};

const assumed = { nights: 30.4, keptNights: 400, keptVersions: 30, alarms: 10, secrets: 2, metrics: 39, memory: 2 };
/** Of a start that heals nothing, since the night was complete. */
const healing = { starts: 2, seconds: 3, metrics: 5 };
/** Bytes that one invocation reads from S3 and hashes. */
const verification = { weeks: 4.35, megabytesPerSecond: 80 };
/** Answers over the internet: seconds a page, and the export job that Intune works on for a while. */
const platform = { page: 1.5, job: 120 };

const writes = [
  'PutObject',
  'CopyObject',
  'ListObjectsV2',
  'CreateMultipartUpload',
  'UploadPart',
  'CompleteMultipartUpload',
];
interface Measured {
  readonly devices: number;
  readonly objects: number;
  readonly keptMegabytes: number;
  readonly latestMegabytes: number;
  readonly writes: number;
  readonly reads: number;
  /** Of one start that heals nothing. */
  readonly healingWrites: number;
  readonly healingReads: number;
  readonly pages: number;
  readonly processor: number;
  readonly logKilobytes: number;
}

async function measure(devices: number): Promise<Measured> {
  const platforms = spawn(process.execPath, [
    join(import.meta.dirname, '../src/bin.ts'),
    ...['sandbox', '--devices', String(devices)],
  ]);
  const peer = await startS3Peer({ buckets: ['muster'] });
  try {
    const { yaml, environment } = await settingsFrom(platforms);
    const { settings } = readSettings(yaml, environment);
    if (settings === undefined) {
      throw new Error('the simulator printed no settings');
    }
    const last = findLastSlot(defaultSchedule, new Date());
    const before = new Date(last.moment.getTime() - 86_400_000).toISOString().slice(0, 10);
    let pages = 0;
    let log = 0;
    const night = async (slot: string, more: { readonly heals?: true } = {}) => {
      pages = 0;
      log = 0;
      const write = logProgress(createJsonLog((line) => (log += line.length), systemClock.now));
      const parts = await composeParts(
        { ...settings, store: './unused' },
        {
          secret: createSecretReader(environment),
          folder: '.',
          clock: systemClock,
          signal: new AbortController().signal,
          onProgress: (source, step) => {
            write(source, step);
            if ('reading' in step) {
              pages += step.receipt?.pages ?? 0;
            }
          },
        },
      );
      const moment = findMoment(defaultSchedule, slot) ?? last.moment;
      return runNight(
        { slot, moment, ...more, readRunContext: () => readRunContext(settings, '.', moment) },
        { ...parts, store: storeOf(peer, {}, '') },
      );
    };
    await night(before);
    const [keys, calls, usage] = [sizesOf(peer), peer.calls.length, process.cpuUsage()];
    await night(last.slot);
    const { user, system } = process.cpuUsage(usage);
    const now = sizesOf(peer);
    const made = [...now].filter(([key]) => !keys.has(key));
    const requests = requestsSince(peer, calls);
    const [pagesRead, logged, after] = [pages, log, peer.calls.length];
    await night(last.slot, { heals: true });
    const healed = requestsSince(peer, after);
    return {
      devices,
      objects: made.length,
      keptMegabytes: total(made) / 1e6,
      latestMegabytes: total([...now].filter(([key]) => key.startsWith('latest'))) / 1e6,
      writes: requests.filter(isWrite).length,
      reads: requests.filter((operation) => !isWrite(operation)).length,
      healingWrites: healed.filter(isWrite).length,
      healingReads: healed.filter((operation) => !isWrite(operation)).length,
      pages: pagesRead,
      processor: (user + system) / 1e6,
      logKilobytes: logged / 1000,
    };
  } finally {
    platforms.kill();
    await peer.close();
  }
}

async function settingsFrom(platforms: ChildProcess): Promise<{ yaml: string; environment: Record<string, string> }> {
  let yaml = '';
  platforms.stdout?.on('data', (piece) => {
    yaml += String(piece);
  });
  while (!yaml.includes('groups: [')) {
    await sleep(50);
  }
  const exported = [...yaml.matchAll(/^# export (\w+)=(.*)$/gm)];
  return { yaml, environment: Object.fromEntries(exported.map(([, name = '', value = '']) => [name, value])) };
}

/** Operations, one a request. */
function requestsSince(peer: S3Peer, count: number): string[] {
  return [...new Map(peer.calls.slice(count).map(({ request, operation }) => [request, operation])).values()];
}

function isWrite(operation: string): boolean {
  return writes.includes(operation);
}

function sizesOf(peer: S3Peer): Map<string, number> {
  return new Map([...peer.objects()].map(([key, body]) => [key, body.length]));
}

function total(entries: readonly (readonly [string, number])[]): number {
  return entries.reduce((sum, [, bytes]) => sum + bytes, 0);
}

function costOf(night: Measured): Readonly<Record<string, number>> {
  const nightSeconds = night.processor + night.pages * platform.page + platform.job;
  const verified = night.keptMegabytes * assumed.keptNights;
  const seconds =
    (nightSeconds + healing.starts * healing.seconds) * assumed.nights +
    (verified / verification.megabytesPerSecond) * verification.weeks;
  const kept = (verified + night.latestMegabytes * assumed.keptVersions) / 1000;
  const written = (night.writes + healing.starts * night.healingWrites) * assumed.nights;
  const read =
    (night.reads + healing.starts * night.healingReads) * assumed.nights +
    night.objects * assumed.keptNights * verification.weeks;
  return {
    Lambda: seconds * assumed.memory * price.lambdaGigabyteSecond,
    'S3 requests': written * price.s3Write + read * price.s3Read,
    'S3 storage': kept * price.s3GigabyteMonth,
    // A metric costs for the hours in which it has values: one a start.
    'metrics, logs':
      ((assumed.metrics + healing.starts * healing.metrics) * price.metricMonth * assumed.nights) / 730 +
      (night.logKilobytes / 1e6) * price.logGigabyte * assumed.nights,
    'key, alarms, secrets': price.kmsKeyMonth + assumed.alarms * price.alarmMonth + assumed.secrets * price.secretMonth,
    dashboard: price.dashboardMonth,
  };
}

function say(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

const sizes = process.argv.slice(2).map(Number);
for (const devices of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) {
  const night = await measure(devices);
  const { objects, keptMegabytes, latestMegabytes, processor, pages, logKilobytes } = night;
  say([
    devices.toLocaleString('en'),
    ...[objects, keptMegabytes.toFixed(1), latestMegabytes.toFixed(1), night.writes, night.reads, pages],
    ...[processor.toFixed(1), logKilobytes.toFixed(0)],
  ]);
  const cost = costOf(night);
  const sum = Object.values(cost).reduce((all, one) => all + one, 0);
  say([...Object.entries(cost).map(([name, dollars]) => `${name} ${dollars.toFixed(2)}`), `total ${sum.toFixed(2)}`]);
}
