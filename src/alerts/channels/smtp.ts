/** E-mail through a mail server; the library is loaded for the first message. https://nodemailer.com/smtp/ */
import type { SMTPSentMessageInfo, SMTPTransportOptions, Transporter } from 'nodemailer';
import * as v from 'valibot';
import { isLoopbackHost } from '../../base/loopback.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { findProxy } from '../../http/proxy.ts';
import { retryBriefly } from '../../http/retry.ts';
import { clientSecretEntries } from '../../microsoft/application-settings.ts';
import {
  defineBlock,
  defineWholeNumber,
  describeOptional,
  describeSetting,
  textSchema,
} from '../../settings/fields.ts';
import { secretSchema } from '../../settings/secret-references.ts';
import { baseUrlSchema } from '../../settings/urls.ts';
import type { Channel, ConnectionContext, SendContext } from '../channel.ts';
import { type ChannelContext, defineChannel } from '../channel-kind.ts';
import {
  attachReport,
  describeMailChannel,
  formatMessageId,
  type Mail,
  mailDeliveryKeys,
  mailSettings,
} from './mail.ts';
import { toMailFailure } from './mail-failure.ts';
import { requestMailToken } from './mail-token.ts';

const defaultIdleTimeout = 15_000;
/** The port where TLS begins with the connection. */
const implicitTlsPort = 465;
/** Less than 10 MB when encoded for mail, which most mail servers accept. */
const maximumAttachmentBytes = 7_000_000;

const settings = {
  host: describeSetting(textSchema, 'the mail server'),
  port: describeOptional(defineWholeNumber(1, 65_535), 'its port; at 465 TLS comes first, elsewhere by STARTTLS', 587),
  user: describeOptional(
    secretSchema,
    'the account, where the server wants one; with `auth` the mailbox, which is `from` without it',
  ),
  password: describeOptional(secretSchema, 'its password; not with `auth`'),
  auth: v.optional(
    defineBlock({
      tokenUrl: describeOptional(
        baseUrlSchema,
        'where a token for the mail server comes from (OAuth 2.0, client credentials); without it Microsoft’s address for the tenant that has the domain of `from`',
      ),
      scope: describeOptional(
        textSchema,
        'what the token is for; without it Exchange Online, in the cloud that `tokenUrl` belongs to',
      ),
      ...clientSecretEntries,
    }),
  ),
  ...mailSettings,
};

type MailTransport = Transporter<SMTPSentMessageInfo, SMTPTransportOptions>;
type SmtpSettings = v.InferOutput<v.ObjectSchema<typeof settings, undefined>>;

export const smtpChannel = defineChannel({
  type: 'smtp',
  settings,
  // Another way of signing in still sends to the same people.
  deliveryKeys: [...mailDeliveryKeys, 'user', 'password', 'auth'],
  open: (settings, context) => {
    const channel = describeMailChannel(settings, maximumAttachmentBytes);
    const server = locateMailServer(settings);
    return {
      ...channel,
      ...omitUndefined({ server }),
      send: (payload, sending) =>
        withTransport(settings, context, sending, (transport) =>
          sendMail(transport, payload as Mail, settings, sending, channel.attaches),
        ),
      tryConnection: (sending) => withTransport(settings, context, sending, (transport) => transport.verify()),
    };
  },
});

/** Signs in for each attempt; all attempts share one token, where one is needed. */
async function withTransport(
  settings: SmtpSettings,
  context: ChannelContext,
  sending: ConnectionContext & Pick<SendContext, 'onFailure'>,
  use: (transport: MailTransport) => Promise<unknown>,
): Promise<void> {
  const { signal } = sending;
  const { createTransport } = await import('nodemailer');
  const auth = await readAuthentication(settings, context, sending);
  const options = buildTransportOptions(settings, context);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  ended.catch(() => undefined);
  await retryBriefly(sending, async () => {
    const transport = createTransport({ ...options, ...auth });
    try {
      await Promise.race([use(transport), ended]);
    } catch (error) {
      throw toMailFailure(error, settings.auth === undefined ? 'password' : 'token', findMailProxy(settings));
    } finally {
      transport.close();
    }
  });
}

async function readAuthentication(settings: SmtpSettings, context: ChannelContext, sending: ConnectionContext) {
  const { user, password, auth, from } = settings;
  const { secret } = context;
  if (auth !== undefined) {
    const accessToken = await requestMailToken({ from, auth }, context, sending);
    const mailbox = user === undefined ? from : await secret(user)(false);
    return { auth: { type: 'OAuth2' as const, user: mailbox, accessToken } };
  }
  return user && password ? { auth: { user: await secret(user)(false), pass: await secret(password)(false) } } : {};
}

function buildTransportOptions({ host, port }: SmtpSettings, { idle = defaultIdleTimeout }: ChannelContext) {
  return {
    host,
    port,
    secure: port === implicitTlsPort,
    ...omitUndefined({ proxy: findMailProxy({ host, port })?.href }),
    // Requires TLS except to a server on this machine.
    requireTLS: !isLoopbackHost(host),
    ...(isLoopbackHost(host) ? { ignoreTLS: true } : {}),
    connectionTimeout: idle,
    greetingTimeout: idle,
    socketTimeout: idle,
    dnsTimeout: idle,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function findMailProxy(settings: Pick<SmtpSettings, 'host' | 'port'>): URL | undefined {
  const server = locateMailServer(settings);
  return server && findProxy(server);
}

/** The server as an HTTPS address, because the proxy for HTTPS also tunnels to mail servers. */
function locateMailServer({ host, port }: Pick<SmtpSettings, 'host' | 'port'>): URL | undefined {
  return URL.parse(`https://${host.includes(':') ? `[${host}]` : host}:${port}`) ?? undefined;
}

async function sendMail(
  transport: MailTransport,
  mail: Mail,
  { from, to }: SmtpSettings,
  { key, clock, attachment }: SendContext,
  attaches: Channel['attaches'],
): Promise<void> {
  const messageId = formatMessageId(key);
  const { text, html, files } = attachReport(mail, attachment, attaches);
  await transport.sendMail({
    from,
    to: [...to],
    subject: mail.subject,
    text,
    html,
    attachments: files,
    date: clock.now(),
    messageId,
    baseBoundary: messageId.slice(1, 33),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Muster-Severity': mail.severity },
  });
}
