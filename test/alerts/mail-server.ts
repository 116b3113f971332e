/** A real SMTP server on loopback, whose answers the shared suite of channels decides as it does for HTTP. */
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { MailServer } from '../contracts/channel.ts';

export interface SignedIn {
  readonly method: string;
  readonly user: string | undefined;
  /** The password or the token. */
  readonly proof: string | null | undefined;
}

/** Hands each mail to `step` as it came, and takes what `step` answers; a sign-in that `refuse` has a word for is refused. */
export async function openSmtpServer(
  step: (mail: string, callback: (error?: Error | null) => void) => void,
  refuse: (signIn: SignedIn) => string | undefined = () => undefined,
): Promise<MailServer & { readonly port: number }> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    disabledCommands: ['STARTTLS'],
    onAuth({ method, username, password, accessToken }, _, callback) {
      const refusal = refuse({ method, user: username, proof: accessToken ?? password });
      callback(refusal === undefined ? null : Object.assign(new Error(refusal), { responseCode: 535 }), {
        user: username ?? '',
      });
    },
    async onData(stream, _, callback) {
      step(await text(stream), callback);
    },
  });
  // A client that hangs up while it waits is not this server's failure.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, close: () => new Promise((resolve) => server.close(resolve)) };
}

export function openMailServer(step: (response: ServerResponse, body: string) => void): Promise<MailServer> {
  return openSmtpServer((mail, callback) => step(toAnswer(callback), decodeMail(mail)));
}

/** The part of an HTTP answer that the suite uses: its status is the SMTP code. */
function toAnswer(callback: (error?: Error | null) => void): ServerResponse {
  let failure: Error | undefined;
  const answer = {
    setHeader: () => answer,
    writeHead(responseCode: number, message: string) {
      failure = Object.assign(new Error(message), { responseCode });
      return answer;
    },
    end: () => callback(failure),
  };
  return answer as unknown as ServerResponse;
}

/** Headers as they are; the text as a reader has it. */
function decodeMail(raw: string): string {
  const [headers = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\n\n');
  if (/content-transfer-encoding: base64/i.test(headers)) {
    return `${headers}\n\n${Buffer.from(body, 'base64').toString('utf8')}`;
  }
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /quoted-printable/i.test(headers) ? `${headers}\n\n${Buffer.from(bytes, 'latin1').toString('utf8')}` : raw;
}
