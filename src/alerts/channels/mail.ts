/** Shared by all channels that send mail: settings, the message as HTML and plain text, and attachments. */
import type * as v from 'valibot';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { computeSha256 } from '../../base/sha256.ts';
import { defineChoice, defineForm, describeOptional, describeSetting, flagSchema } from '../../settings/fields.ts';
import type { Channel, SendContext } from '../channel.ts';
import { defineList } from '../channel-kind.ts';
import type { Digest } from '../message/digest.ts';
import { appendToHtml, renderHtml } from '../message/html.ts';
import { countBytes, fitDigest, formatSubject, renderPlainText } from '../message/plain-text.ts';
import { toSafeText } from '../message/safe-text.ts';

/** Gmail cuts a message off above 102 kB. */
const maximumHtmlBytes = 100_000;
const longestSubject = 150;

/** Files of a run, by the words of the settings. */
const attachments = { page: 'index.html', workbook: 'muster.xlsx' } as const;

const addressSchema = defineForm(/^[^\s<>,;@"]+@[^\s<>,;@"]+$/, 'must be one mail address');

export const mailSettings = {
  from: describeSetting(addressSchema, 'the sender'),
  to: describeSetting(defineList(addressSchema), 'the recipients'),
  attach: describeOptional(
    defineChoice(['page', 'workbook']),
    'the report that comes with each message: `page` (`index.html`) or `workbook` (`muster.xlsx`), up to 7 MB (`graph-mail`: 3 MB)',
  ),
  weekly: describeOptional(flagSchema, 'one summary a week, and errors at once, whatever `alerts.quiet` says', false),
};

export const mailDeliveryKeys = ['attach', 'weekly'] as const;

type MailSettings = v.InferOutput<v.ObjectSchema<typeof mailSettings, undefined>>;
export type Mail = ReturnType<typeof buildMail>;

export function describeMailChannel({ attach, weekly }: MailSettings, maximumBytes: number) {
  return {
    audience: 'people' as const,
    isWeekly: weekly,
    ...omitUndefined({ attaches: attach && { file: attachments[attach], maximumBytes } }),
    render: ({ digest }: { readonly digest: Digest }) => [
      fitDigest(digest, buildMail, ({ html }) => countBytes(html) <= maximumHtmlBytes),
    ],
  };
}

function buildMail(digest: Digest) {
  const subject = toSafeText(formatSubject(digest), longestSubject);
  return { subject, text: renderPlainText(digest), html: renderHtml(digest), severity: digest.severity };
}

/** A message id that every attempt shares, so that a mail server can recognize a message that it has received. */
export function formatMessageId(key: string): string {
  return `<${computeSha256(key)}@muster>`;
}

/** Adds the report to a mail, or a sentence that it is too large. */
export function attachReport(
  { text, html }: Pick<Mail, 'text' | 'html'>,
  attachment: SendContext['attachment'],
  attaches: Channel['attaches'],
) {
  if (attachment !== 'too large' || attaches === undefined) {
    const files = attachment instanceof Buffer && attaches ? [{ filename: attaches.file, content: attachment }] : [];
    return { text, html, files };
  }
  const limit = `more than ${attaches.maximumBytes / 1_000_000} MB`;
  const note = `The report is too large for a mail (${limit}), so it is not attached: open it in its store.`;
  return { text: `${text}\n${note}\n`, html: appendToHtml(html, note), files: [] };
}
