/** A company whose nights run as the built function: simulated platforms, a bucket, and AWS's keepers of secrets. */
import { gunzipSync } from 'node:zlib';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import { openBundle } from '../infra/packaged.ts';
import { type AwsPeer, startAws } from '../peers/aws.ts';
import { type Answer, type LambdaFunction, startFunction } from '../peers/lambda-runtime.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf } from '../peers/s3/place.ts';

export const bucket = 'muster-reports';
export const auditBucket = 'muster-audit';
/** A secret that is no longer one. */
export const rotatedAway = 'canary-rotated-away';

export interface Company {
  readonly simulator: Simulator;
  readonly s3: S3Peer;
  readonly aws: AwsPeer;
  /** What every function of this company has in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts a new execution environment, with more in it than `environment`. */
  start(more?: Readonly<Record<string, string>>): Promise<LambdaFunction>;
  putSettings(change?: (yaml: string) => string): Promise<void>;
  /** A stored text, or undefined. */
  object(key: string): string | undefined;
  /** No secret in any answer, log line or object; none sent elsewhere. */
  expectClean(): void;
  close(): Promise<void>;
}

export const eventOf = (slot: string) => ({ scheduledTime: `${slot}T05:15:00Z` });
export const momentOf = (slot: string) => new Date(`${slot}T05:15:00Z`);

/** `packaged` is where the function lies; without it, the one that all tests share. */
export async function openCompany(options: SimulatorOptions = {}, packaged?: string): Promise<Company> {
  const folder = packaged ?? (await openBundle());
  const graph = { exportPolls: 0, ...options.graph };
  const simulator = await startSimulator({ devices: 40, seed: 7, moment: momentOf('2026-03-01'), ...options, graph });
  const s3 = await startS3Peer({ buckets: [bucket, auditBucket] });
  const aws = await startAws(s3.credentials);
  const { JAMF_CLIENT_ID, JAMF_CLIENT_SECRET, GRAPH_CLIENT_ID, GRAPH_CLIENT_SECRET = '' } = simulator.environment;
  aws.secrets.set('muster/jamf', JSON.stringify({ id: JAMF_CLIENT_ID, secret: JAMF_CLIENT_SECRET }));
  aws.parameters.set('/muster/graph', `${GRAPH_CLIENT_SECRET}\n`);
  const environment = {
    ...aws.environment,
    ...s3.environment,
    MUSTER_SETTINGS: `s3://${bucket}/settings/muster.yaml`,
    POWERTOOLS_SERVICE_NAME: 'muster-test',
    POWERTOOLS_METRICS_NAMESPACE: 'Muster',
    POWERTOOLS_LOG_LEVEL: 'INFO',
  };
  const functions: LambdaFunction[] = [];
  const object = (key: string) => s3.objects(bucket).get(key)?.toString('utf8');

  async function putSettings(change: (yaml: string) => string = (yaml) => yaml): Promise<void> {
    const yaml = simulator
      .settings()
      .replace('env:JAMF_CLIENT_ID', 'aws-secret:muster/jamf#id')
      .replace('env:JAMF_CLIENT_SECRET', 'aws-secret:muster/jamf#secret')
      .replace('env:GRAPH_CLIENT_ID', GRAPH_CLIENT_ID ?? '')
      .replace('env:GRAPH_CLIENT_SECRET', 'aws-ssm:/muster/graph')
      .replace('./muster-data', `s3://${bucket}/muster\naudit: s3://${auditBucket}`);
    const Body = change(yaml);
    await clientOf(s3).send(new PutObjectCommand({ Bucket: bucket, Key: 'settings/muster.yaml', Body }));
  }
  await putSettings();

  return {
    ...{ simulator, s3, aws, environment, putSettings, object },
    async start(more = {}) {
      const started = await startFunction({ folder, environment: { ...environment, ...more } });
      functions.push(started);
      return started;
    },
    expectClean() {
      const { accessKeyId, secretAccessKey, sessionToken = secretAccessKey } = s3.credentials;
      const secrets = [...simulator.canaries, accessKeyId, secretAccessKey, sessionToken, rotatedAway];
      const logs = functions.map((one) => one.log());
      const objects = [...s3.objects(bucket)].map(([key, body]) =>
        String(key.endsWith('.gz') ? gunzipSync(body) : body),
      );
      const texts = [...logs, ...objects];
      expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
      // Tokens that STS signed.
      expect(texts.filter((text) => /\beyJ[\w-]{20,}\.eyJ/.test(text))).toEqual([]);
      // Nothing that a log viewer could take for a new line or another direction.
      expect(logs.filter((log) => /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(log))).toEqual([]);
      expect(simulator.leaks).toEqual([]);
      expect(simulator.violations).toEqual([]);
    },
    async close() {
      for (const one of functions) {
        await one.close();
      }
      await Promise.all([simulator.close(), s3.close(), aws.close()]);
    },
  };
}

/** What a function answered, or a failure that says what it said instead. */
export function answered(answer: Answer): Record<string, unknown> {
  if (answer.kind === 'response') {
    return answer.value as Record<string, unknown>;
  }
  throw new Error(`no answer but ${JSON.stringify(answer)}`);
}

export function logLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** What one line of the embedded metric format measures. */
export function metricsOf(line: Readonly<Record<string, unknown>>) {
  const { CloudWatchMetrics } = line._aws as { CloudWatchMetrics: readonly MetricDirective[] };
  const [directive] = CloudWatchMetrics;
  const metrics = (directive?.Metrics ?? []).map(({ Name }) => Name).sort();
  return { namespace: directive?.Namespace, dimensions: directive?.Dimensions[0], source: line.source, metrics };
}

interface MetricDirective {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}
