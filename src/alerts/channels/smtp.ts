/**
 * E-mail by a company's own mail server. The message is HTML beside plain text, with a report where the settings say so;
 * the library is loaded when the first is sent. https://nodemailer.com/smtp/
 */
import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import { MusterError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { PassingFailure } from '../../http/failures.ts';
import { retryBriefly } from '../../http/retry.ts';
import {
  defineChoice,
  defineForm,
  defineWholeNumber,
  describeOptional,
  describeSetting,
  flagSchema,
  textSchema,
} from '../../settings/fields.ts';
import { secretSchema } from '../../settings/secret-references.ts';
import type { SendContext } from '../channel.ts';
import { type ChannelContext, defineChannel, defineList } from '../channel-kind.ts';
import type { Digest } from '../message/digest.ts';
import { appendToHtml, renderHtml } from '../message/html.ts';
import { countBytes, fitDigest, formatSubject, renderPlainText } from '../message/plain-text.ts';
import { toSafeText } from '../message/safe-text.ts';

/** Gmail cuts a message off above 102 kB; nobody reads more. */
const maximumHtmlBytes = 100_000;
const longestSubject = 150;
const tooLargeNote =
  'The report is too large for a mail (more than 7 MB), so it is not attached: open it in its store.';
const defaultIdleTimeout = 15_000;
/** The port where TLS comes before the first word. */
const implicitTlsPort = 465;

/** The files of a run, by the words of the settings. */
const attachments = { page: 'index.html', workbook: 'muster.xlsx' } as const;

const addressSchema = defineForm(/^[^\s<>,;@"]+@[^\s<>,;@"]+$/, 'must be one mail address');

const settings = {
  host: describeSetting(textSchema, 'the mail server'),
  port: describeOptional(defineWholeNumber(1, 65_535), 'its port; at 465 TLS comes first, elsewhere by STARTTLS', 587),
  user: describeOptional(secretSchema, 'the account, where the server wants one'),
  password: describeOptional(secretSchema, 'its password'),
  from: describeSetting(addressSchema, 'the sender'),
  to: describeSetting(defineList(addressSchema), 'the recipients'),
  attach: describeOptional(
    defineChoice(['page', 'workbook']),
    'the report that comes with each message: `page` (`index.html`) or `workbook` (`muster.xlsx`), up to 7 MB',
  ),
  weekly: describeOptional(flagSchema, 'one summary a week, and errors at once, whatever `alerts.quiet` says', false),
};

type MailSettings = v.InferOutput<v.ObjectSchema<typeof settings, undefined>>;

export const smtpChannel = defineChannel({
  type: 'smtp',
  settings,
  manner: ['attach', 'weekly'],
  open: (given, context) => ({
    audience: 'people',
    isWeekly: given.weekly,
    ...omitUndefined({ attaches: given.attach && attachments[given.attach] }),
    render: ({ digest }) => [fitDigest(digest, buildMailMessage, ({ html }) => countBytes(html) <= maximumHtmlBytes)],
    send: (payload, sending) =>
      retryBriefly(sending, async () => {
        try {
          await sendMail(payload as ReturnType<typeof buildMailMessage>, given, context, sending);
        } catch (error) {
          throw toMailFailure(error);
        }
      }),
  }),
});

function buildMailMessage(digest: Digest) {
  const subject = toSafeText(formatSubject(digest), longestSubject);
  return { subject, text: renderPlainText(digest), html: renderHtml(digest), severity: digest.severity };
}

async function sendMail(
  { subject, text, html, severity }: ReturnType<typeof buildMailMessage>,
  { host, port, user, password, from, to, attach }: MailSettings,
  { secret, idle = defaultIdleTimeout }: ChannelContext,
  { key, clock, signal, attachment }: SendContext,
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const auth =
    user && password ? { auth: { user: await secret(user)(false), pass: await secret(password)(false) } } : {};
  const transport = createTransport({
    host,
    port,
    secure: port === implicitTlsPort,
    ...auth,
    // Never in clear text, except to a server on this machine.
    requireTLS: !isLoopbackHost(host),
    ...(isLoopbackHost(host) ? { ignoreTLS: true } : {}),
    connectionTimeout: idle,
    greetingTimeout: idle,
    socketTimeout: idle,
    dnsTimeout: idle,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  ended.catch(() => undefined);
  // The same for every attempt, so that a mail server can recognize a message that it has received.
  const id = createHash('sha256').update(key).digest('hex');
  const note = attachment === 'too large' ? tooLargeNote : undefined;
  try {
    const sent = transport.sendMail({
      from,
      to: [...to],
      subject,
      text: note === undefined ? text : `${text}\n${note}\n`,
      html: note === undefined ? html : appendToHtml(html, note),
      attachments:
        attach && attachment instanceof Buffer ? [{ filename: attachments[attach], content: attachment }] : [],
      date: clock.now(),
      messageId: `<${id}@muster>`,
      baseBoundary: id.slice(0, 32),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Muster-Severity': severity },
    });
    await Promise.race([sent, ended]);
  } finally {
    transport.close();
  }
}

interface MailFailure {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly responseCode?: unknown;
}

function toMailFailure(error: unknown): MusterError | PassingFailure {
  const { code, syscall, responseCode }: MailFailure = typeof error === 'object' && error !== null ? error : {};
  const isReached = syscall !== 'connect' && code !== 'EDNS' && code !== 'ETLS';
  const failure = createMailError(code, responseCode, isReached);
  // 5xx, and what an account or a certificate is refused for, are final; 4xx and connections that break can pass.
  const isFinal = (typeof responseCode === 'number' && responseCode >= 500) || code === 'EAUTH' || code === 'ETLS';
  return isFinal ? failure : new PassingFailure(failure);
}

/** The server's own sentence may contain anything, so only its number is shown. */
function createMailError(code: unknown, responseCode: unknown, isReached: boolean): MusterError {
  if (typeof responseCode === 'number') {
    const advice = code === 'EAUTH' ? 'Check the account and its password.' : 'Check sender, recipients and account.';
    return new MusterError('channel-refused', `The mail server rejected the message (SMTP ${responseCode}). ${advice}`);
  }
  const word = typeof code === 'string' && /^E[A-Z]{2,20}$/.test(code) ? code : 'no reason given';
  return new MusterError(
    isReached ? 'channel-unanswered' : 'channel-refused',
    `The mail server did not accept the message (${word}). Check its name, its port and its certificate.`,
  );
}
