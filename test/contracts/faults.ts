/** What a platform, or whatever stands in front of it, can do to an answer. */
import { gzipSync } from 'node:zlib';
import { bytesOf, type Fault, type PlatformReply, planted, type SourceUnderTest, send } from './platform.ts';

export function refuses(
  subject: SourceUnderTest,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Fault {
  return ({ request, response }) => {
    const refusal = subject.refuse(request, status, planted);
    send(response, { ...refusal, headers: { ...refusal.headers, ...headers } });
  };
}

export const hangs: Fault = () => undefined;

export const hangsMidBody: Fault = ({ response, answer }) => {
  const body = bytesOf(answer);
  response.writeHead(200, { ...answer.headers, 'content-length': body.length + 1 });
  response.write(body);
};

export const resets: Fault = ({ incoming }) => void incoming.socket.resetAndDestroy();

export const resetsMidBody: Fault = ({ incoming, response, answer }) => {
  const body = bytesOf(answer);
  response.writeHead(200, { ...answer.headers, 'content-length': body.length });
  response.write(body.subarray(0, body.length / 2), () => incoming.socket.resetAndDestroy());
};

/** Half of the body, declared as if it were all. */
export const cutsShort: Fault = ({ response, answer }) => {
  const body = bytesOf(answer);
  send(response, { ...answer, body: body.subarray(0, body.length / 2) });
};

export const sendsWebPage: Fault = ({ response }) =>
  send(response, { headers: { 'content-type': 'text/html' }, body: `<${planted}><html><p>Sign in</p></html>` });

/** What a decoder that repairs would take for a good answer. */
export const sendsBrokenUtf8: Fault = ({ response, answer }) => {
  const body = bytesOf(answer);
  const broken = Buffer.concat([Buffer.from('{"unused":"'), Buffer.from([0xc3, 0x28]), Buffer.from('",')]);
  const isObject = body[0] === 0x7b && body.length > 2;
  send(response, {
    ...answer,
    body: isObject ? Buffer.concat([broken, body.subarray(1)]) : Buffer.concat([Buffer.from([0xff]), body]),
  });
};

export function redirectsTo(address: string): Fault {
  return ({ response }) => send(response, { status: 307, headers: { location: address }, body: '' });
}

export function sendsInstead(body: unknown): Fault {
  return ({ response, answer }) => send(response, { ...answer, body });
}

/** Changes what the answer says, where it is JSON. */
export function changesJson(change: (body: unknown) => string): Fault {
  return ({ response, answer }) => {
    const body = jsonIn(answer);
    send(response, body === undefined ? answer : { ...answer, body: change(body) });
  };
}

/** What an answer says, or undefined where it is no JSON. */
export function jsonIn(answer: PlatformReply): unknown {
  try {
    return JSON.parse(bytesOf(answer).toString());
  } catch {
    return undefined;
  }
}

const megabyte = Buffer.alloc(1024 * 1024, ' ');
export const floodMegabytes = 100;

/** Blanks without end, or nearly: `onTaken` is told how many megabytes of an answer were taken so far. */
export function floods(onTaken: (megabytes: number) => void): Fault {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    let left = floodMegabytes;
    const pour = (): void => {
      if (response.destroyed) {
        return;
      }
      if (left === 0) {
        return void response.end('{}');
      }
      left -= 1;
      response.write(megabyte, (error) => {
        if (error) {
          return;
        }
        onTaken(floodMegabytes - left);
        pour();
      });
    };
    pour();
  };
}

/** Small on the wire, and as large as the flood once it is unpacked. */
export const sendsBomb: Fault = ({ response }) => {
  const body = Buffer.concat(Array<Buffer>(floodMegabytes).fill(gzipSync(megabyte)));
  send(response, { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body });
};
