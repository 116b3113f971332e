/** Sends one message to a web address, which is a secret: errors never contain it, and redirects are not followed. */
import { MusterError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type Credential, HttpClient } from '../../http/client.ts';
import type { SecretProvider } from '../../http/secrets.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import type { SendContext } from '../channel.ts';

export interface Recipient {
  /** The receiver's name in error messages. */
  readonly who: string;
  readonly url: SecretProvider;
  /** Milliseconds without data before the request is abandoned. */
  readonly idle?: number | undefined;
  readonly credential?: Credential;
  readonly explain?: (answer: HttpResponse) => RefusalWord | undefined;
  readonly isOwnError?: (answer: HttpResponse) => boolean;
}

/** The receiver's own word for a refusal; never the body itself. */
export interface RefusalWord {
  readonly word: string;
  /** Advice for this word; without it, the error asks to check the address. */
  readonly advice?: string | undefined;
}

export interface HttpMessage {
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the address, for example by adding a path. */
  readonly address?: (url: URL) => URL;
}

const defaultIdleTimeout = 15_000;
/** Bytes of an answer that are read; receivers answer as shortly as "ok". */
const maximumAnswerBytes = 64 * 1024;
/** Statuses that a retry cannot change; 408 and 429 are temporary. */
const permanentFailureStatuses = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (status) => status !== 408 && status !== 429,
);

export async function sendHttpMessage(
  to: Recipient,
  message: HttpMessage,
  sending: Omit<SendContext, 'key'>,
): Promise<void> {
  const { who, explain, credential, isOwnError } = to;
  const url = (message.address ?? ((unchanged: URL) => unchanged))(parseRecipientUrl(await to.url(false), who));
  const { clock, signal, deadline, onFailure } = sending;
  const options = { who, origin: url.origin, hidesPath: true, clock, signal, deadline, onFailure };
  const client = new HttpClient({ ...options, ...omitUndefined({ credential, isOwnError }) });
  const request = {
    method: message.method ?? 'POST',
    url: url.href,
    accept: '*/*',
    ...omitUndefined({ headers: message.headers, body: message.body }),
    alsoUnderstood: permanentFailureStatuses,
    idle: to.idle ?? defaultIdleTimeout,
    maximumBytes: maximumAnswerBytes,
  };
  await client.send(request, (answer) => {
    const why = explain?.(answer);
    if (answer.status < 300 && why === undefined) {
      return;
    }
    const { word, advice = 'Check that its address is still valid.' } = why ?? {};
    const reason = word === undefined ? '' : `, ${word}`;
    throw new MusterError('channel-refused', `${who} rejected the message (HTTP ${answer.status}${reason}). ${advice}`);
  });
}

export async function sendJson(
  to: Recipient,
  payload: unknown,
  sending: SendContext,
  headers: HttpMessage['headers'] = {},
): Promise<void> {
  const message = { body: JSON.stringify(payload), headers: { 'content-type': 'application/json', ...headers } };
  await sendHttpMessage(to, message, sending);
}

function parseRecipientUrl(text: string, who: string): URL {
  const url = URL.parse(text);
  const isSafe =
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)));
  if (isSafe && url.username === '' && url.password === '') {
    return url;
  }
  throw new MusterError(
    'channel-refused',
    `The address of ${who} is not an https:// address. It is a secret and not shown here. Correct it where it is stored.`,
  );
}
