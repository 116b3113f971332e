/** One message to one web address, which is a secret as a whole: it stands in no error, and no redirect is followed. */
import { MusterError } from '../../errors.ts';
import { createHttpClient } from '../../http/client.ts';
import { isLoopback } from '../../http/origin.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import type { SendContext } from '../channel.ts';

/** Reads a secret when it is used; `again` asks its keeper once more. */
export type SecretProvider = (again: boolean) => Promise<string>;

export interface Recipient {
  /** How sentences call the other side. */
  readonly who: string;
  readonly url: SecretProvider;
  /** Longest silence in milliseconds. */
  readonly idle?: number;
  /** A word of the other side's own list that says why it refused; never the body itself. */
  readonly explain?: (answer: HttpResponse) => string | undefined;
}

export interface HttpMessage {
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the address, as by adding a path. */
  readonly address?: (url: URL) => URL;
}

const defaultIdleTimeout = 15_000;
/** An answer says "ok"; whoever sends more is not listened to. */
const maximumAnswerBytes = 64 * 1024;
/** What trying again cannot mend. 408 and 429 pass by themselves. */
const permanentFailureStatuses = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (one) => one !== 408 && one !== 429,
);

export async function sendHttpMessage(
  to: Recipient,
  letter: HttpMessage,
  sending: Omit<SendContext, 'key'>,
): Promise<HttpResponse> {
  const { who, explain } = to;
  const url = (letter.address ?? ((same: URL) => same))(parseRecipientUrl(await to.url(false), who));
  const { clock, signal, deadline } = sending;
  const client = createHttpClient({ who, origin: url.origin, hidesPath: true, clock, signal, deadline });
  const request = {
    method: letter.method ?? 'POST',
    url: url.href,
    accept: '*/*',
    ...(letter.headers === undefined ? {} : { headers: letter.headers }),
    ...(letter.body === undefined ? {} : { body: letter.body }),
    alsoUnderstood: permanentFailureStatuses,
    idle: to.idle ?? defaultIdleTimeout,
    maximumBytes: maximumAnswerBytes,
  };
  return client.send(request, (answer) => {
    const why = explain?.(answer);
    if (answer.status < 300 && why === undefined) {
      return answer;
    }
    throw createChannelRefusedError(who, answer.status, why);
  });
}

function createChannelRefusedError(who: string, status: number, why: string | undefined): MusterError {
  const said = why === undefined ? '' : ` (${why})`;
  return new MusterError(
    'channel-refused',
    `${who} did not take it: it answered ${status}${said}. Check that its address is still valid.`,
  );
}

function parseRecipientUrl(text: string, who: string): URL {
  const url = URL.parse(text);
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
  if (isSafe && url.username === '' && url.password === '') {
    return url;
  }
  throw new MusterError('channel-refused', `The address of ${who} is no https:// address. It is not shown here.`);
}
