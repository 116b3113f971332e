/**
 * Slack, by an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and Block
 * Kit, https://docs.slack.dev/reference/block-kit/blocks. Text from devices is only in plain text objects and in
 * texts of lists, which Slack neither formats nor links; elsewhere `&`, `<` and `>` are escaped, so that no text becomes
 * a mention.
 */
import type { HttpResponse } from '../../http/send-request.ts';
import { defineChannel, webAddressSchema } from '../channel-kind.ts';
import { type Digest, formatHeading } from '../message/digest.ts';
import { fitDigest, formatFurtherLine, formatMoreLine, formatSubject } from '../message/plain-text.ts';
import { toSafeText } from '../message/safe-text.ts';
import { sendJson } from './http-message.ts';

const maximumBlocks = 50;
const maximumSectionLength = 3_000;
/** The limit of a whole message is not documented; Slack rejects more than some 13,000 characters. */
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
  const { title, figures, sections, further, link } = digest;
  const header = formatHeading(digest);
  const blocks = [
    { type: 'header', text: buildPlainTextObject(toSafeText(escapeSlackText(header), 150)) } as const,
    buildSectionBlock([title, ...(figures === undefined ? [] : [figures])]),
    ...sections.flatMap(({ title: heading, ask, lines, links, more }) => [
      buildSectionBlock([heading, ask]),
      ...buildListBlock([...lines, ...formatMoreLine(more)], links),
    ]),
    ...formatFurtherLine(further).map((line) => buildSectionBlock([line])),
    ...(link === undefined ? [] : [buildLinkBlock(link)]),
  ];
  // What a notification shows.
  const text = escapeSlackText(formatSubject(digest));
  return { text, blocks, link_names: false, unfurl_links: false, unfurl_media: false };
}

function isWithinLimits(message: ReturnType<typeof buildSlackMessage>): boolean {
  if (message.blocks.length > maximumBlocks || JSON.stringify(message).length > maximumMessageLength) {
    return false;
  }
  return message.blocks.every((block) => block.type === 'rich_text' || block.text.text.length <= maximumSectionLength);
}

/** Its texts are literal: Slack finds no link, mention or mark in them. */
function buildListBlock(lines: readonly string[], links: readonly string[] = []) {
  const items = lines.map((text, index) => {
    const url = links[index];
    const space = { type: 'text', text: ' ' };
    const link = url ? [space, { type: 'link', url, text: 'Open' }] : [];
    return { type: 'rich_text_section', elements: [{ type: 'text', text }, ...link] };
  });
  const list = { type: 'rich_text_list', style: 'bullet', elements: items };
  return items.length === 0 ? [] : [{ type: 'rich_text', elements: [list] } as const];
}

function buildSectionBlock(lines: readonly string[]) {
  return { type: 'section', text: buildPlainTextObject(escapeSlackText(lines.join('\n'))) } as const;
}

function buildPlainTextObject(text: string) {
  return { type: 'plain_text', text, emoji: false } as const;
}

/** The address in the settings; the path of a folder is not a link. */
function buildLinkBlock(link: string) {
  if (!/^https?:\/\//.test(link)) {
    return buildSectionBlock([`The whole report: ${link}`]);
  }
  const address = escapeSlackText(link).replaceAll('|', '%7C');
  return { type: 'section', text: { type: 'mrkdwn', text: `<${address}|Open the whole report>` } } as const;
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

/** Slack can reject a message with HTTP 200 and an error in the body. */
function findSlackError({ status, body }: HttpResponse): string | undefined {
  const text = body.toString('utf8').slice(0, 1000);
  const word = slackErrorCodes.find((one) => new RegExp(`\\b${one}\\b`).test(text));
  if (word !== undefined) {
    return word;
  }
  return status === 200 && /"ok"\s*:\s*false/.test(text) ? 'no reason given' : undefined;
}
