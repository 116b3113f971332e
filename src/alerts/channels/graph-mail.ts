/**
 * E-mail from a mailbox of Exchange Online through Microsoft Graph, which answers 202 once the mail is accepted:
 * https://learn.microsoft.com/graph/api/user-sendmail. It signs in as an application of its own, so that the one that
 * reads devices cannot send.
 */
import * as v from 'valibot';
import type { HttpResponse } from '../../http/send-request.ts';
import type { TokenCredential } from '../../http/token.ts';
import {
  applicationSchema,
  chooseEndpoints,
  cloudSchema,
  graphEndpoints,
  listApplicationAudiences,
  tenantSchema,
  toEntraAuth,
} from '../../microsoft/application-settings.ts';
import { isServiceError, readServiceError } from '../../microsoft/service-error.ts';
import { defineBlock } from '../../settings/fields.ts';
import type { Channel, ConnectionContext, SendContext } from '../channel.ts';
import { type ChannelContext, defineChannel } from '../channel-kind.ts';
import { type RefusalWord, sendJson } from './http-message.ts';
import {
  attachReport,
  describeMailChannel,
  formatMessageId,
  type Mail,
  mailDeliveryKeys,
  mailSettings,
} from './mail.ts';
import { connectSignIn } from './mail-token.ts';

/** Largest attachment: a request may have 4 MB, and base64 makes a file larger by a third. */
const maximumAttachmentBytes = 3_000_000;

const settings = {
  tenantId: tenantSchema,
  auth: applicationSchema,
  cloud: cloudSchema,
  endpoints: v.optional(defineBlock(graphEndpoints), {}),
  ...mailSettings,
};

type GraphMailSettings = v.InferOutput<v.ObjectSchema<typeof settings, undefined>>;

export const graphMailChannel = defineChannel({
  type: 'graph-mail',
  settings,
  deliveryKeys: [...mailDeliveryKeys, 'auth'],
  listAudiences: listApplicationAudiences,
  open(settings, context) {
    const channel = describeMailChannel(settings, maximumAttachmentBytes);
    const { graph } = chooseEndpoints(settings);
    return {
      ...channel,
      server: new URL(graph),
      async send(payload, sending) {
        const message = buildMessage(payload as Mail, settings.to, sending, channel.attaches);
        const url = `${graph}/v1.0/users/${encodeURIComponent(settings.from)}/sendMail`;
        const credential = await createMailCredential(settings, context, sending);
        const to = {
          who: 'Microsoft Graph',
          url: async () => url,
          credential,
          explain,
          isOwnError: isServiceError,
          idle: context.idle,
        };
        await sendJson(to, { message, saveToSentItems: false }, sending);
      },
      async tryConnection(sending) {
        await (await createMailCredential(settings, context, sending)).header();
      },
    };
  },
});

async function createMailCredential(
  settings: GraphMailSettings,
  context: ChannelContext,
  connection: ConnectionContext,
): Promise<TokenCredential> {
  const { createEntraCredential } = await import('../../microsoft/sign-in.ts');
  const endpoints = chooseEndpoints(settings);
  const signIn = await connectSignIn('Microsoft sign-in for mail', endpoints.login, context, connection);
  return createEntraCredential(
    { auth: toEntraAuth(settings, context), tenantId: settings.tenantId, endpoints },
    signIn,
  );
}

/** A mail as HTML; Exchange derives the plain text. */
function buildMessage(
  mail: Mail,
  to: readonly string[],
  { key, attachment }: SendContext,
  attaches: Channel['attaches'],
) {
  const { html, files } = attachReport(mail, attachment, attaches);
  return {
    internetMessageId: formatMessageId(key),
    subject: mail.subject,
    body: { contentType: 'HTML', content: html },
    toRecipients: to.map((address) => ({ emailAddress: { address } })),
    // The only kind of header that Graph accepts; this one prevents out-of-office replies.
    internetMessageHeaders: [
      { name: 'X-Auto-Response-Suppress', value: 'All' },
      { name: 'X-Muster-Severity', value: mail.severity },
    ],
    attachments: files.map(({ filename, content }) => ({
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: filename,
      contentBytes: content.toString('base64'),
    })),
  };
}

const mailboxAdvice = 'The sender (from) must be a mailbox of this tenant in Exchange Online.';

/** Advice for the codes with which Graph refuses a mail. */
const mailAdvice: ReadonlyMap<string, string> = new Map([
  [
    'ErrorAccessDenied',
    'The application may not send from this mailbox: give it the role Application Mail.Send for it (docs/alerts.md); that takes up to two hours to have effect.',
  ],
  ['ErrorSendAsDenied', 'The application may not send as this sender: name its own mailbox in from.'],
  ['ErrorInvalidUser', mailboxAdvice],
  ['ResourceNotFound', mailboxAdvice],
  ['Request_ResourceNotFound', mailboxAdvice],
  ['MailboxNotEnabledForRESTAPI', mailboxAdvice],
  ['ErrorInvalidRecipients', 'Check the recipients (to).'],
]);

function explain(answer: HttpResponse): RefusalWord | undefined {
  if (answer.status < 300) {
    return undefined;
  }
  const { code: word = 'no reason given' } = readServiceError(answer);
  return { word, advice: mailAdvice.get(word) ?? 'Check the mailbox (from) and the rights of the application.' };
}
