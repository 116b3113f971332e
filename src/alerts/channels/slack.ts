/**
 * Slack, through an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and
 * Block Kit, https://docs.slack.dev/reference/block-kit/blocks. All text is in plain text objects and rich text
 * elements, in which Slack recognizes no link, mention or formatting; in plain text objects and in the notification
 * `&`, `<` and `>` are escaped as well.
 */
import type { HttpResponse } from '../../http/send-request.ts';
import { defineChannel, webAddressSchema } from '../channel-kind.ts';
import { type Digest, type DigestSection, formatHeading } from '../message/digest.ts';
import { isWebAddress, type LinkedText } from '../message/digest-lines.ts';
import { fitDigest, formatSubject, listFurtherTexts, listSectionTexts } from '../message/plain-text.ts';
import { toSafeText } from '../message/safe-text.ts';
import { type RefusalWord, sendJson } from './http-message.ts';

const maximumBlocks = 50;
/** Characters of a whole message: Slack documents no limit, and rejects more than about 13,000. */
const maximumMessageLength = 12_000;

export const slackChannel = defineChannel({
  type: 'slack',
  settings: { url: webAddressSchema },
  open({ url }, { secret, idle }) {
    const to = { who: 'Slack', explain: findSlackError, url: secret(url), idle };
    return {
      audience: 'people',
      render: ({ digest }) => [fitDigest(digest, buildSlackMessage, isWithinLimits)],
      send: (payload, sending) => sendJson(to, payload, sending),
    };
  },
});

function buildSlackMessage(digest: Digest) {
  const { title, figures, sections, link } = digest;
  const header = toSafeText(escapeSlackText(formatHeading(digest)), 150);
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: header, emoji: false } } as const,
    buildRichTextBlock(buildHeadedText(title, figures)),
    ...sections.map((section) => buildSectionBlock(section, link)),
    ...listFurtherTexts(digest).map((text) => buildRichTextBlock(buildTextElements(buildLinkedElements(text)))),
    ...(link === undefined ? [] : [buildRichTextBlock(buildTextElements(buildReportLink(link)))]),
  ];
  // Notifications show this text.
  const text = escapeSlackText(formatSubject(digest));
  return { text, blocks, link_names: false, unfurl_links: false, unfurl_media: false };
}

function isWithinLimits(message: ReturnType<typeof buildSlackMessage>): boolean {
  return message.blocks.length <= maximumBlocks && JSON.stringify(message).length <= maximumMessageLength;
}

function buildSectionBlock(section: DigestSection, link: string | undefined) {
  const { title, ask } = section;
  const items = listSectionTexts(section, link).map(buildLinkedElements);
  const list = { type: 'rich_text_list', style: 'bullet', elements: items.map(buildTextElements) };
  return buildRichTextBlock(buildHeadedText(title, ask), ...(items.length === 0 ? [] : [list]));
}

function buildLinkedElements({ name, rest, link }: LinkedText) {
  const start = link === '' ? [] : [{ type: 'link', url: link, text: name }];
  // Slack refuses an element without text.
  return [...start, ...(rest === '' ? [] : [buildText(rest)])];
}

/** Plain text where the report's place is a folder's path. */
function buildReportLink(link: string) {
  return isWebAddress(link)
    ? [{ type: 'link', url: link, text: 'Open the whole report' }]
    : [buildText(`The whole report: ${link}`)];
}

function buildHeadedText(heading: string, text: string | undefined) {
  const bold = { ...buildText(heading), style: { bold: true } };
  return buildTextElements([bold, ...(text === undefined ? [] : [buildText(`\n${text}`)])]);
}

function buildText(text: string) {
  return { type: 'text', text };
}

function buildTextElements(elements: readonly object[]) {
  return { type: 'rich_text_section', elements };
}

function buildRichTextBlock(...elements: readonly object[]) {
  return { type: 'rich_text', elements } as const;
}

function escapeSlackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors */
const slackErrorCodes = [
  ...['action_prohibited', 'channel_is_archived', 'channel_not_found', 'invalid_blocks', 'invalid_payload'],
  ...['invalid_token', 'msg_blocks_too_long', 'msg_too_long', 'no_active_hooks', 'no_service', 'no_team', 'no_text'],
  ...['posting_to_general_channel_denied', 'rate_limited', 'team_disabled', 'user_not_found'],
];

/** The error in the body of an answer, which Slack can send with HTTP 200. */
function findSlackError({ status, body }: HttpResponse): RefusalWord | undefined {
  const text = body.toString('utf8').slice(0, 1000);
  const word = slackErrorCodes.find((one) => new RegExp(`\\b${one}\\b`).test(text));
  if (word !== undefined) {
    return { word };
  }
  return status === 200 && /"ok"\s*:\s*false/.test(text) ? { word: 'no reason given' } : undefined;
}
