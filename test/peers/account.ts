/**
 * An AWS account of moto's (`moto_server` on the PATH), behind a door that writes down what is asked, and answers two
 * things itself: termination protection, which moto does not know, and the validation of templates, for which moto asks the
 * cfn-lint that it finds; `test/infra/stack.test.ts` has more to say about that.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../http/loopback.ts';
import { startMoto } from './moto.ts';

export interface AccountCall {
  readonly service: string;
  /** Of services with a query or JSON protocol; of others, method and path. */
  readonly action: string;
  readonly method: string;
  readonly path: string;
}

export interface Account {
  /** What a process needs to find its way here. */
  readonly environment: Readonly<Record<string, string>>;
  readonly calls: AccountCall[];
  /** Moto's own address, for a test that looks. */
  readonly behind: string;
  /** Names of stacks whose termination protection is on. */
  readonly protectedStacks: Set<string>;
  close(): Promise<void>;
}

export async function startAccount(): Promise<Account> {
  const moto = await startMoto();
  const target = new URL(moto.origin);
  const calls: AccountCall[] = [];
  const protectedStacks = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const call = describe(request, body);
    calls.push(call);
    if (call.action === 'UpdateTerminationProtection') {
      const name = setProtection(new URLSearchParams(body.toString()), protectedStacks);
      answer(call.action, `<StackId>${name}</StackId>`, response);
    } else if (call.action === 'ValidateTemplate') {
      answer(call.action, '', response);
    } else {
      forward(request, body, target, response);
    }
  });
  const { origin, close } = await listen(server);
  return {
    environment: {
      ...{ AWS_ENDPOINT_URL: origin, AWS_ACCESS_KEY_ID: 'moto', AWS_SECRET_ACCESS_KEY: 'moto' },
    },
    calls,
    behind: target.origin,
    protectedStacks,
    async close() {
      moto.stop();
      await close();
    },
  };
}

function describe({ method = '', url = '', headers }: IncomingMessage, body: Buffer): AccountCall {
  const [, service = ''] = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '') ?? [];
  const path = new URL(url, 'http://moto').pathname;
  const [, target] = String(headers['x-amz-target'] ?? '').split('.');
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  const asked = isForm ? new URLSearchParams(body.toString()).get('Action') : undefined;
  return { service, action: asked ?? target ?? `${method} ${path}`, method, path };
}

function setProtection(form: URLSearchParams, stacks: Set<string>): string {
  const name = form.get('StackName') ?? '';
  if (form.get('EnableTerminationProtection') === 'true') {
    stacks.add(name);
  } else {
    stacks.delete(name);
  }
  return name;
}

/** In CloudFormation's words. */
function answer(action: string, content: string, response: ServerResponse): void {
  const result = `<${action}Result>${content}</${action}Result><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>`;
  const body = `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">${result}</${action}Response>`;
  response.writeHead(200, { 'content-type': 'text/xml' }).end(body);
}

function forward(request: IncomingMessage, body: Buffer, { hostname, port }: URL, response: ServerResponse): void {
  const { method, url: path, headers } = request;
  const passed = send({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.once('error', () => response.destroy());
  passed.end(body);
}
