/** The packaged function, night after night, as Lambda starts it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../../src/reports/tables.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { muster } from '../cli/muster.ts';
import type { LambdaFunction } from '../peers/lambda-runtime.ts';
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

async function night(one: LambdaFunction, slot: string) {
  company.simulator.setMoment(momentOf(slot));
  return answered(await one.invoke(eventOf(slot)));
}

async function expectSound(): Promise<void> {
  const store = createS3Store({ bucket, prefix: 'muster' }, { client: clientOf(company.s3) });
  expect(await verifyRuns(store)).toMatchObject({ damage: [] });
}

async function closeClean(): Promise<void> {
  company.expectClean();
  await company.close();
}

describe('three nights in a warm function', () => {
  const slots = ['2026-03-01', '2026-03-02', '2026-03-03'];
  let one: LambdaFunction;
  let answers: Record<string, unknown>[];

  beforeAll(async () => {
    company = await openCompany();
    one = await company.start();
    answers = [];
    for (const slot of slots) {
      answers.push(await night(one, slot));
    }
  });
  afterAll(closeClean);

  it('are published and audited, and asked for secrets anew, once each [C17]', async () => {
    const published = { exit: 0, did: 'published', said: 'The run is published.' };
    expect(answers).toMatchObject(slots.map((slot) => ({ ...published, slot })));
    const commits = slots.map((_, index) => `commits/000000000${index + 1}.json`);
    expect([...company.s3.objects(auditBucket).keys()]).toEqual(commits);
    expect(company.aws.calls.map(({ of }) => of).sort()).toEqual(
      [...Array<string>(3).fill('/muster/graph'), ...Array<string>(3).fill('muster/jamf')].sort(),
    );
    await expectSound();
  });

  it('are in log lines and metrics, whose only dimensions are names in the settings [N13]', () => {
    const lines = logLines(one.log());
    const told = lines.filter(({ message }) => message === 'run.published');
    const words = { level: 'INFO', service: 'muster-test', exit: 0 };
    expect(told).toMatchObject(slots.map((slot, index) => ({ ...words, slot, cold_start: index === 0 })));
    // The memory of the invocation comes last, in a line of its own.
    const metrics = lines.filter((line) => '_aws' in line && !('MemoryUsed' in line)).slice(-3);
    const names = metrics.map((line) => metricsOf(line));
    expect(names.map(({ dimensions, source }) => [dimensions, source])).toEqual([
      [['service', 'source'], 'macs'],
      [['service', 'source'], 'windows'],
      [['service'], undefined],
    ]);
    const figures = 'Counted,Coverage,CoverageHigh,CoverageLow,Devices,Lost,NotInstalled,Recovered,Soundness'.split(
      ',',
    );
    expect(names[0]?.metrics).toEqual([...figures, 'RowsClaimed', 'RowsReceived'].sort());
    expect(names[2]?.metrics).toEqual([...figures, 'Duration', 'Incomplete', 'Published', 'StillIncomplete'].sort());
    expect(metrics[2]).toMatchObject({ Published: 1, Incomplete: 0, Soundness: 5, service: 'muster-test' });
    const macs = company.simulator.listRecords().filter(({ source }) => source === 'macs').length;
    expect(metrics[0]).toMatchObject({ source: 'macs', RowsClaimed: macs, RowsReceived: macs });
  });

  it('are not changed by a duplicate start [A13, C5]', async () => {
    const before = company.s3.calls.length;
    expect(await night(one, '2026-03-03')).toMatchObject({ exit: 0, did: 'unchanged', slot: '2026-03-03' });
    const written = company.s3.calls
      .slice(before)
      .filter(({ action, key }) => action === 's3:PutObject' && !key.includes('.probe'));
    expect(written).toEqual([]);
  });

  it('make the same tables as the command line in a folder, byte by byte [C17]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-twin-'));
    await writeFile(join(folder, 'muster.yaml'), company.simulator.settings());
    const twins = slots.slice(0, 2);
    for (const slot of twins) {
      company.simulator.setMoment(momentOf(slot));
      const { environment } = company.simulator;
      expect(await muster(['run', '--slot', slot], { folder, environment })).toMatchObject({ code: 0 });
    }
    const keys = [...company.s3.objects(bucket).keys()].filter((key) => /\/date=2026-03-0[12]\/.*\.csv$/.test(key));
    expect(keys).toHaveLength(twins.length * tables.length);
    for (const key of keys) {
      const twin = await readFile(join(folder, key.replace('muster/', 'muster-data/')), 'utf8');
      expect(company.object(key), key).toBe(twin);
    }
    await rm(folder, { recursive: true });
  });
});

describe('a function', () => {
  afterEach(closeClean);

  it('two at once on one slot: one publishes, the other ends well and says so [C5, C7, C8]', async () => {
    // Each run keeps to five by itself.
    company = await openCompany({ jamf: { requestsAtOnce: 10, latencyMilliseconds: 30 } });
    const two = await Promise.all([company.start(), company.start()]);
    await meetAt(2, ({ action, key }) => action === 's3:PutObject' && key.includes('/commits/'));
    const answers = await Promise.all(two.map((one) => night(one, '2026-03-01')));
    expect(answers.sort((left, right) => Number(left.exit) - Number(right.exit))).toMatchObject([
      { exit: 0, did: 'published' },
      {
        exit: 4,
        did: 'superseded',
        said: 'Another run of this date was published meanwhile; this run changed nothing.',
      },
    ]);
    await expectSound();
  });

  it('killed before its commit is there, and before its copies are made, is finished by the next start [C6]', async () => {
    company = await openCompany();
    const killAt = async (one: LambdaFunction, slot: string, fits: (key: string) => boolean) => {
      company.simulator.setMoment(momentOf(slot));
      company.s3.setFault(({ action, key }) => {
        if (action !== 's3:PutObject' || !fits(key)) {
          return undefined;
        }
        one.kill();
        return { kind: 'cut' };
      });
      expect(await one.invoke(eventOf(slot))).toEqual({ kind: 'gone' });
      company.s3.setFault(undefined);
    };
    await killAt(await company.start(), '2026-03-01', (key) => key.includes('/commits/'));
    const second = await company.start();
    expect(await night(second, '2026-03-01')).toMatchObject({ exit: 0, did: 'published' });
    await expectSound();
    await killAt(second, '2026-03-02', (key) => key === 'muster/latest/devices.csv');
    expect(await night(await company.start(), '2026-03-02')).toMatchObject({ exit: 0, did: 'unchanged' });
    await expectSound();
    const devices = company.object('muster/devices/date=2026-03-02/devices.csv');
    expect(devices).toMatch(/^slot,/);
    expect(company.object('muster/latest/devices.csv')).toBe(devices);
  });

  it('a suspect night is accepted by hand, asking no platform', async () => {
    company = await openCompany({ devices: 80 });
    const one = await company.start();
    await night(one, '2026-03-01');
    company.simulator.removeShareOfDevices(60, 'macs');
    expect(await night(one, '2026-03-02')).toMatchObject({ exit: 3, did: 'published' });
    const asked = company.simulator.requests.length;
    expect(answered(await one.invoke({ accept: '2026-03-02' }))).toMatchObject({ exit: 0, did: 'published' });
    expect(company.simulator.requests).toHaveLength(asked);
    expect(company.object('muster/latest/coverage.csv')).toContain('2026-03-02,macs,macos,complete');
    expect(answered(await one.invoke({ dryRun: true, slot: '2026-03-02' }))).toMatchObject({ did: 'dryRun' });
    const refused = await one.invoke({ accept: '2026-03-02' });
    expect(refused).toMatchObject({ kind: 'error', errorMessage: expect.stringContaining('[not-suspect]') });
  });

  it('a run is taken back by hand, and runs are pruned, asking no platform', async () => {
    company = await openCompany();
    const one = await company.start();
    for (const slot of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']) {
      expect(await night(one, slot)).toMatchObject({ exit: 0, did: 'published' });
    }
    const asked = company.simulator.requests.length;
    const retract = { retract: '2026-03-04', why: 'the clock was wrong' };
    expect(answered(await one.invoke(retract))).toMatchObject({
      ...{ exit: 0, did: 'published', slot: '2026-03-04' },
      said: 'The run of 2026-03-04 is retracted; the run of 2026-03-03 is the current run again.',
    });
    expect(company.object('muster/commits/0000000005.json')).toMatch(
      /"Lambda request [\w-]+"[^}]*"the clock was wrong"/,
    );
    expect(company.object('muster/latest/coverage.csv')).toContain('2026-03-03,macs,macos,complete');
    expect(company.object('muster/devices/date=2026-03-04/devices.csv')).toBeUndefined();
    const [told] = logLines(one.log()).filter(({ message }) => message === 'run.corrected');
    expect(told).toMatchObject({ slot: '2026-03-04', sentence: expect.stringContaining('is retracted') });
    const refused = await one.invoke({ ...retract, retract: '2026-03-02' });
    expect(refused).toMatchObject({ kind: 'error', errorMessage: expect.stringContaining('[retract-refused]') });
    // The schedule leaves a retracted slot alone.
    expect(await night(one, '2026-03-04')).toMatchObject({
      ...{ exit: 0, did: 'unchanged', slot: '2026-03-04' },
      said: expect.stringMatching(/^The run of this date was retracted, /),
    });

    expect(answered(await one.invoke({ prune: true }))).toMatchObject({
      ...{
        exit: 0,
        did: 'unchanged',
        slot: '2026-03-03',
        said: expect.stringMatching(/^Nothing to remove: .*\(400\)/),
      },
    });
    await company.putSettings((yaml) => `${yaml}retention: { nights: 1 }\n`);
    expect(answered(await one.invoke({ prune: true }))).toMatchObject({
      ...{ exit: 0, did: 'published', slot: '2026-03-03' },
      said: 'No longer kept: 2 runs, 2026-03-01 to 2026-03-02.',
    });
    const kept = new Set(
      [...company.s3.objects(bucket).keys()].flatMap((key) => /runs\/([\d-]+)\//.exec(key)?.[1] ?? []),
    );
    expect([...kept]).toEqual(['2026-03-03', '2026-03-04']);
    expect(company.simulator.requests).toHaveLength(asked);
    await expectSound();
  });

  it('signs in to Entra with a token that AWS signs, and finds a rotated secret by itself [A10]', async () => {
    company = await openCompany();
    const { aws, simulator } = company;
    await company.putSettings((yaml) => yaml.replace('clientSecret: aws-ssm:/muster/graph', 'federated: aws'));
    const good = aws.secrets.get('muster/jamf') ?? '';
    const values = [JSON.stringify({ id: simulator.environment.JAMF_CLIENT_ID, secret: rotatedAway }), good];
    aws.secrets.get = () => values.shift();
    expect(await night(await company.start(), '2026-03-01')).toMatchObject({ exit: 0, did: 'published' });
    expect(values).toEqual([]);
    expect(aws.calls).toContainEqual({
      service: 'sts',
      action: 'GetWebIdentityToken',
      of: 'api://AzureADTokenExchange',
    });
  });

  it('fails by name, and publishes nothing, where the event or the settings are wrong', async () => {
    company = await openCompany();
    const one = await company.start();
    const errorOf = async (event: unknown) => {
      const answer = await one.invoke(event);
      return answer.kind === 'error' ? `${answer.errorType}: ${answer.errorMessage}` : JSON.stringify(answer);
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

  it('when the store never answers, the function says so before its time ends, and is as good as new [C4]', async () => {
    company = await openCompany();
    const one = await company.start();
    company.s3.setFault(({ key }) => (key.startsWith('muster/runs/') ? { kind: 'hang' } : undefined));
    const late = await one.invoke(eventOf('2026-03-01'), 3_000);
    expect(late).toMatchObject({ kind: 'error', errorMessage: expect.stringContaining('[deadline]') });
    // Nothing of the abandoned night is left in the function.
    company.s3.setFault(undefined);
    expect(await night(one, '2026-03-01')).toMatchObject({ exit: 0, did: 'published' });
    await expectSound();
  });
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
