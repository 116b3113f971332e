/**
 * State machines as moto plays them (`moto_server` on the PATH), with S3 as moto has it. What a machine asks of other
 * services comes to a door of ours, which answers for the function.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { vi } from 'vitest';
import { listen } from '../http/loopback.ts';
import { hangLimit } from '../limits.ts';
import { startMoto } from './moto.ts';

/** As Lambda answers: what the function returned, or the error that it threw. */
export type Invoked = { readonly returned: unknown } | { readonly errorType: string; readonly [more: string]: unknown };

export interface StateMachineOptions {
  readonly bucket: string;
  /** Of the function that a machine invokes. */
  readonly invoke: (event: Readonly<Record<string, unknown>>) => Promise<Invoked>;
}

export interface Execution {
  readonly status: string;
  readonly error?: string;
  readonly cause?: string;
}

export interface StateMachines {
  /** To its end, with these keys in the bucket. */
  execute(definition: object, input: object, keys: readonly string[]): Promise<Execution>;
  close(): Promise<void>;
}

export async function startStateMachines(options: StateMachineOptions): Promise<StateMachines> {
  let origin = '';
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (/\/functions\/.*\/invocations$/.test(request.url ?? '')) {
      const invoked = await options.invoke((await json(request)) as Record<string, unknown>);
      const isError = 'errorType' in invoked;
      response.writeHead(200, isError ? { 'x-amz-function-error': 'Unhandled' } : {});
      response.end(JSON.stringify(isError ? invoked : invoked.returned));
      return;
    }
    forward(request, new URL(origin), response);
  }

  const door = await listen(server);
  const moto = await startMoto(door.origin);
  origin = moto.origin;
  await fetch(`${origin}/moto-api/config`, {
    method: 'POST',
    body: JSON.stringify({ stepfunctions: { execute_state_machine: true } }),
  });
  const credentials = { accessKeyId: 'moto', secretAccessKey: 'moto' };
  const s3 = new S3Client({ endpoint: origin, credentials, region: 'us-east-1', forcePathStyle: true });

  /** A second execution would fail: moto copies what it has, and cannot copy one that has run. */
  async function startAnew(keys: readonly string[]): Promise<void> {
    await fetch(`${origin}/moto-api/reset`, { method: 'POST' });
    await s3.send(new CreateBucketCommand({ Bucket: options.bucket }));
    for (const key of keys) {
      await s3.send(new PutObjectCommand({ Bucket: options.bucket, Key: key, Body: 'a' }));
    }
  }

  async function ask<Answer>(action: string, input: object): Promise<Answer> {
    const response = await fetch(origin, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: {
        'x-amz-target': `AWSStepFunctions.${action}`,
        'content-type': 'application/x-amz-json-1.0',
        authorization: 'AWS4-HMAC-SHA256 Credential=moto/20261120/us-east-1/states/aws4_request, Signature=0',
      },
    });
    const body = await response.text();
    if (!response.ok) {
      throw new Error(`${action}: ${body}`);
    }
    return JSON.parse(body) as Answer;
  }

  return {
    async execute(definition, input, keys) {
      await startAnew(keys);
      const { stateMachineArn } = await ask<{ stateMachineArn: string }>('CreateStateMachine', {
        name: 'machine',
        definition: toMotosWords(definition),
        roleArn: 'arn:aws:iam::123456789012:role/machine',
      });
      const started = await ask<object>('StartExecution', {
        stateMachineArn,
        name: 'execution',
        input: JSON.stringify(input),
      });
      return vi.waitFor(
        async () => {
          const execution = await ask<Execution>('DescribeExecution', started);
          if (execution.status === 'RUNNING') {
            throw new Error('the execution has not ended');
          }
          return execution;
        },
        { timeout: hangLimit, interval: 50 },
      );
    },
    async close() {
      moto.stop();
      await door.close();
    },
  };
}

/** Moto reads a percentage with a point only; and it would really wait before it tries again. */
function toMotosWords(definition: object): string {
  return JSON.stringify(definition)
    .replace(/("ToleratedFailurePercentage":\d+)/g, '$1.0')
    .replace(/"IntervalSeconds":\d+/g, '"IntervalSeconds":1')
    .replace(/"BackoffRate":2/g, '"BackoffRate":1');
}

function forward(request: IncomingMessage, { hostname, port }: URL, response: ServerResponse): void {
  const { method, url: path, headers } = request;
  const passed = send({ hostname, port, method, path, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  });
  passed.once('error', () => response.destroy());
  request.pipe(passed);
}
