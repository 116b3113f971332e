/** What stands between Lambda's Runtime API and a handler: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const [file = '', name = ''] = (process.env._HANDLER ?? '').split('.');

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

async function tell(path: string, body: unknown): Promise<void> {
  await fetch(`${api}/${path}`, { method: 'POST', body: JSON.stringify(body ?? null) });
}

function described(error: unknown) {
  const { name: errorType, message: errorMessage, stack = '' } = error instanceof Error ? error : new Error('no error');
  return { errorType, errorMessage, trace: stack.split('\n') };
}

async function loaded(): Promise<Handler> {
  try {
    const module = (await import(`${process.env.LAMBDA_TASK_ROOT}/${file}.mjs`)) as Readonly<Record<string, Handler>>;
    const found = module[name];
    if (found) {
      return found;
    }
    throw new Error(`${name} is not exported`);
  } catch (error) {
    await tell('init/error', described(error));
    process.exit(1);
  }
}

const handler = await loaded();
for (;;) {
  const next = await fetch(`${api}/invocation/next`);
  const event: unknown = await next.json();
  const awsRequestId = next.headers.get('lambda-runtime-aws-request-id') ?? '';
  const end = Number(next.headers.get('lambda-runtime-deadline-ms'));
  const context = {
    awsRequestId,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: '$LATEST',
    invokedFunctionArn: next.headers.get('lambda-runtime-invoked-function-arn'),
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => end - Date.now(),
  };
  try {
    await tell(`invocation/${awsRequestId}/response`, await handler(event, context));
  } catch (error) {
    const body = described(error);
    process.stdout.write(`${JSON.stringify(body)}\n`);
    await tell(`invocation/${awsRequestId}/error`, body);
  }
}
