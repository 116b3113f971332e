/**
 * One execution environment of AWS Lambda: a process with the packaged function, and the Runtime API that feeds it.
 * As in Lambda it is kept warm for the next event, frozen in between, and killed without a word when its time is over.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compileCache } from '../compile-cache.ts';
import { listen } from '../http/loopback.ts';

export type Answer =
  | { readonly kind: 'response'; readonly value: unknown }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string }
  /** The process is gone: killed, out of time, or it never came up. */
  | { readonly kind: 'gone' };

export interface FunctionOptions {
  /** Where the package was unpacked. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly handler?: string;
}

export interface LambdaFunction {
  /** One after the other. `told` is how many milliseconds the function is told that it has. */
  invoke(event: unknown, told?: number): Promise<Answer>;
  kill(): void;
  /** Everything that it wrote to its log. */
  log(): string;
  close(): Promise<void>;
}

/** The longest that Lambda gives any function. */
const longest = 900_000;
const bootstrap = join(import.meta.dirname, 'lambda-bootstrap.ts');
const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:muster-test-night';

export async function startFunction({ folder, environment, handler }: FunctionOptions): Promise<LambdaFunction> {
  let waiting: ServerResponse | undefined;
  let pending: { readonly event: unknown; readonly end: number } | undefined;
  let settle: ((answer: Answer) => void) | undefined;
  let count = 0;
  let log = '';

  const server = createServer(async (request, response) => {
    const path = request.url?.replace('/2018-06-01/runtime/', '') ?? '';
    if (path === 'invocation/next') {
      waiting = response;
      return feed();
    }
    const body = JSON.parse(await text(request)) as { errorType: string; errorMessage: string };
    response.writeHead(202).end();
    const { errorType, errorMessage } = body ?? {};
    if (path.endsWith('/response')) {
      settle?.({ kind: 'response', value: body });
    } else {
      settle?.({ kind: 'error', errorType, errorMessage });
    }
  });
  const { origin, close } = await listen(server);

  function feed(): void {
    if (waiting === undefined || pending === undefined) {
      return;
    }
    count += 1;
    const headers = {
      'lambda-runtime-aws-request-id': `request-${process.pid}-${count}`,
      'lambda-runtime-deadline-ms': String(pending.end),
      'lambda-runtime-invoked-function-arn': arn,
    };
    waiting.writeHead(200, headers).end(JSON.stringify(pending.event));
    waiting = undefined;
    pending = undefined;
  }

  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', bootstrap], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of ours is inherited, so that nothing of ours is needed.
    env: {
      AWS_LAMBDA_RUNTIME_API: new URL(origin).host,
      AWS_LAMBDA_FUNCTION_NAME: 'muster-test-night',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_REGION: 'eu-west-1',
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: handler ?? 'dist/lambda.handler',
      TZ: ':UTC',
      ...compileCache,
      ...environment,
    },
  });
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    log += piece;
  });
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    log += piece;
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isGone = gone.then((): Answer => ({ kind: 'gone' }));
  const kill = () => void child.kill('SIGKILL');

  return {
    async invoke(event, told = longest) {
      child.kill('SIGCONT');
      const answered = new Promise<Answer>((resolve) => {
        settle = resolve;
      });
      pending = { event, end: Date.now() + told };
      const timer = setTimeout(kill, longest);
      feed();
      const answer = await Promise.race([answered, isGone]);
      clearTimeout(timer);
      child.kill('SIGSTOP');
      return answer;
    },
    kill,
    log: () => log,
    async close() {
      kill();
      await gone;
      await close();
    },
  };
}
