/** The packaged function, night after night, as Lambda starts it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { tables } from '../../src/reports/tables.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { program, programEnvironment } from '../cli/muster.ts';
import type { Call } from '../peers/s3/peer.ts';
import { clientOf } from '../peers/s3/place.ts';
import {
  answered,
  auditBucket,
  bucket,
  type Company,
  eventOf,
  logLines,
  metricsOf,
  momentOf,
  openCompany,
  rotatedAway,
} from './company.ts';

let company: Company;

afterEach(async () => {
  company.expectClean();
  await company.close();
});

async function night(one: Awaited<ReturnType<Company['start']>>, slot: string) {
  company.sandbox.setMoment(momentOf(slot));
  return answered(await one.invoke(eventOf(slot)));
}

async function expectSound(): Promise<void> {
  const store = createS3Store({ bucket, prefix: 'muster' }, { client: clientOf(company.s3) });
  expect(await verifyRuns(store)).toMatchObject({ damage: [] });
}

const isProbe = (key: string) => key.includes('.probe');

test('nights in a warm function, and a duplicate start that changes nothing [A13, C5, C17]', async () => {
  company = await openCompany();
  const one = await company.start();
  const slots = ['2026-03-01', '2026-03-02', '2026-03-03'];
  for (const slot of slots) {
    expect(await night(one, slot)).toMatchObject({ exit: 0, did: 'published', slot, said: 'The run is published.' });
  }
  const commits = slots.map((_, index) => `commits/000000000${index + 1}.json`);
  expect([...company.s3.objects(auditBucket).keys()]).toEqual(commits);
  const before = company.s3.calls.length;
  expect(await night(one, '2026-03-03')).toMatchObject({ exit: 0, did: 'unchanged', slot: '2026-03-03' });
  const written = company.s3.calls
    .slice(before)
    .filter(({ action, key }) => action === 's3:PutObject' && !isProbe(key));
  expect(written).toEqual([]);
  await expectSound();
  // The secrets are asked for anew by every invocation, and once by each.
  expect(company.aws.calls.map(({ of }) => of).sort()).toEqual(
    [...Array<string>(3).fill('/muster/graph'), ...Array<string>(3).fill('muster/jamf')].sort(),
  );
});

test('each run is in log lines and metrics, whose only dimensions are names in the settings [N13]', async () => {
  company = await openCompany();
  const one = await company.start();
  await night(one, '2026-03-01');
  await night(one, '2026-03-02');
  const lines = logLines(one.log());
  const told = lines.filter(({ message }) => message === 'run.published');
  expect(told).toMatchObject([
    { level: 'INFO', service: 'muster-test', exit: 0, slot: '2026-03-01', cold_start: true },
    { level: 'INFO', service: 'muster-test', exit: 0, slot: '2026-03-02', cold_start: false },
  ]);
  // The memory of the invocation comes last, in a line of its own.
  const metrics = lines.filter((line) => '_aws' in line && !('MemoryUsed' in line)).slice(-3);
  const names = metrics.map((line) => metricsOf(line));
  expect(names.map(({ dimensions, source }) => [dimensions, source])).toEqual([
    [['service', 'source'], 'macs'],
    [['service', 'source'], 'windows'],
    [['service'], undefined],
  ]);
  const figures = 'Counted,Coverage,CoverageHigh,CoverageLow,Devices,Lost,NotInstalled,Recovered,Soundness'.split(',');
  expect(names[0]?.metrics).toEqual([...figures, 'RowsClaimed', 'RowsReceived'].sort());
  expect(names[2]?.metrics).toEqual([...figures, 'Duration', 'Incomplete', 'Published', 'StillIncomplete'].sort());
  expect(metrics[2]).toMatchObject({ Published: 1, Incomplete: 0, Soundness: 4, service: 'muster-test' });
  const macs = company.sandbox.truth().filter(({ source }) => source === 'macs').length;
  expect(metrics[0]).toMatchObject({ source: 'macs', RowsClaimed: macs, RowsReceived: macs });
});

test('two at once on one slot: one publishes, the other ends well and says so [C5, C7, C8]', async () => {
  // Each run keeps to five by itself.
  company = await openCompany({ jamf: { requestsAtOnce: 10, latencyMilliseconds: 30 } });
  const two = await Promise.all([company.start(), company.start()]);
  await meetAt(2, ({ action, key }) => action === 's3:PutObject' && key.endsWith('/latest.json'));
  const answers = await Promise.all(two.map((one) => night(one, '2026-03-01')));
  expect(answers.sort((left, right) => Number(left.exit) - Number(right.exit))).toMatchObject([
    { exit: 0, did: 'published' },
    { exit: 4, did: 'superseded', said: 'Another run published this slot meanwhile; this run changed nothing.' },
  ]);
  await expectSound();
});

/** Holds the first `count` requests that fit until all of them are there. */
async function meetAt(count: number, fits: (call: Call) => boolean): Promise<void> {
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let met = 0;
  company.s3.setFault(async (call) => {
    if (!fits(call) || met >= count) {
      return undefined;
    }
    met += 1;
    if (met === count) {
      resolve();
    }
    await all;
    return undefined;
  });
}

test.each<[string, (call: Call) => boolean, string]>([
  ['before its commit is there', ({ key }) => key.includes('/commits/'), 'published'],
  ['before the copies are made', ({ key }) => key === 'muster/latest/devices.csv', 'unchanged'],
])('killed %s, the next start finishes the night [C6]', async (_when, fits, did) => {
  company = await openCompany();
  const first = await company.start();
  company.s3.setFault((call) => {
    if (call.action !== 's3:PutObject' || !fits(call)) {
      return undefined;
    }
    first.kill();
    return { kind: 'cut' };
  });
  expect(await first.invoke(eventOf('2026-03-01'))).toEqual({ is: 'gone' });
  company.s3.setFault(undefined);
  expect(await night(await company.start(), '2026-03-01')).toMatchObject({ exit: 0, did });
  await expectSound();
  const devices = company.object('muster/devices/date=2026-03-01/devices.csv');
  expect(devices).toMatch(/^slot,/);
  expect(company.object('muster/latest/devices.csv')).toBe(devices);
});

test('the same nights from the command line into a folder make the same tables, byte by byte [C17]', async () => {
  company = await openCompany();
  const folder = await mkdtemp(join(tmpdir(), 'muster-twin-'));
  await writeFile(join(folder, 'muster.yaml'), company.sandbox.settings());
  const one = await company.start();
  const slots = ['2026-03-01', '2026-03-02'];
  for (const slot of slots) {
    await night(one, slot);
    const env = { ...programEnvironment, ...company.sandbox.environment };
    await promisify(execFile)(process.execPath, [program, 'run', '--slot', slot], { cwd: folder, env });
  }
  const keys = [...company.s3.objects(bucket).keys()].filter((key) => /\/date=.*\.csv$/.test(key));
  expect(keys).toHaveLength(slots.length * tables.length);
  for (const key of keys) {
    const twin = await readFile(join(folder, key.replace('muster/', 'muster-data/')), 'utf8');
    expect(company.object(key), key).toBe(twin);
  }
  await rm(folder, { recursive: true });
});

test('a suspect night is accepted by hand, asking no platform', async () => {
  company = await openCompany({ devices: 80 });
  const one = await company.start();
  await night(one, '2026-03-01');
  company.sandbox.removeShareOfDevices(60, 'macs');
  expect(await night(one, '2026-03-02')).toMatchObject({ exit: 3, did: 'published' });
  const asked = company.sandbox.requests.length;
  expect(answered(await one.invoke({ accept: '2026-03-02' }))).toMatchObject({ exit: 0, did: 'published' });
  expect(company.sandbox.requests).toHaveLength(asked);
  expect(company.object('muster/latest/coverage.csv')).toContain('2026-03-02,macs,macos,complete');
  expect(answered(await one.invoke({ dryRun: true, slot: '2026-03-02' }))).toMatchObject({ did: 'dryRun' });
  const refused = await one.invoke({ accept: '2026-03-02' });
  expect(refused).toMatchObject({ is: 'error', errorMessage: expect.stringContaining('[not-suspect]') });
});

test('signs in to Entra with a token that AWS signs, and finds a rotated secret by itself [A10]', async () => {
  company = await openCompany();
  const { aws, sandbox } = company;
  await company.putSettings((yaml) => yaml.replace('clientSecret: aws-ssm:/muster/graph', 'federated: aws'));
  const good = aws.secrets.get('muster/jamf') ?? '';
  const values = [JSON.stringify({ id: sandbox.environment.JAMF_CLIENT_ID, secret: rotatedAway }), good];
  aws.secrets.get = () => values.shift();
  expect(await night(await company.start(), '2026-03-01')).toMatchObject({ exit: 0, did: 'published' });
  expect(values).toEqual([]);
  expect(aws.calls).toContainEqual({ service: 'sts', action: 'GetWebIdentityToken', of: 'api://AzureADTokenExchange' });
});

test('fails by name, and publishes nothing, where the event or the settings are wrong', async () => {
  company = await openCompany();
  const one = await company.start();
  const errorOf = async (event: unknown) => {
    const answer = await one.invoke(event);
    return answer.is === 'error' ? `${answer.errorType}: ${answer.errorMessage}` : JSON.stringify(answer);
  };
  expect(await errorOf({ slto: '2026-03-01' })).toMatch(/^MusterError: .*"slto".* \[event-invalid\]$/);
  expect(await errorOf({ slot: '\u202e\u2028{"level":"INFO"}' })).toContain('[event-invalid]');
  expect(await errorOf({ scheduledTime: '2199-01-01T05:15:00Z' })).toContain('[slot-refused]');
  await company.putSettings((yaml) => yaml.replace('extensionAttribute', 'extensionAtribute'));
  expect(await errorOf(eventOf('2026-03-01'))).toMatch(
    /did you mean "extensionAttribute"\?[\s\S]*\[settings-invalid\]/,
  );
  await company.putSettings((yaml) => `${yaml}exemptions: missing.csv\n`);
  expect(await errorOf(eventOf('2026-03-01'))).toContain('[exemptions-unreadable]');
  expect([...company.s3.objects(bucket).keys()].filter((key) => key.startsWith('muster/runs/'))).toEqual([]);
});

test('when the store never answers, the function says so before its time ends, and is as good as new [C4]', async () => {
  company = await openCompany();
  const one = await company.start();
  company.s3.setFault(({ key }) => (key.startsWith('muster/runs/') ? { kind: 'hang' } : undefined));
  const late = await one.invoke(eventOf('2026-03-01'), 3_000);
  expect(late).toMatchObject({ is: 'error', errorMessage: expect.stringContaining('[deadline]') });
  // Nothing of the abandoned night is left in the function.
  company.s3.setFault(undefined);
  expect(await night(one, '2026-03-01')).toMatchObject({ exit: 0, did: 'published' });
  await expectSound();
});
