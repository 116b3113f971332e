/**
 * Slack, by an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and Block
 * Kit, https://docs.slack.dev/reference/block-kit/blocks. What comes from devices stands in plain text alone, which
 * Slack neither formats nor links; `&`, `<` and `>` are escaped everywhere, so that no mention can be spelled.
 */
import type { HttpResponse } from '../../http/send-request.ts';
import type { Channel } from '../channel.ts';
import type { Digest } from '../message/digest.ts';
import { fitDigest } from '../message/fit-digest.ts';
import { formatFurtherLine, formatMoreLine } from '../message/plain-text.ts';
import { toSafeText } from '../message/safe-text.ts';
import { type SecretProvider, sendHttpMessage } from './http-message.ts';

interface SlackSettings {
  readonly name: string;
  readonly url: SecretProvider;
  readonly idle?: number;
}

const maximumBlocks = 50;
const maximumSectionLength = 3_000;
/** Nobody documents the limit of a whole message; above some 13,000 characters it is refused. */
const maximumMessageLength = 12_000;

export function createSlackChannel({ name, ...to }: SlackSettings): Channel {
  return {
    name,
    render: ({ digest }) => [fitDigest(digest, buildSlackMessage, isWithinLimits)],
    async send(payload, sending) {
      const headers = { 'content-type': 'application/json' };
      await sendHttpMessage(
        { who: 'Slack', explain: findSlackError, ...to },
        { body: JSON.stringify(payload), headers },
        sending,
      );
    },
  };
}

interface Block {
  readonly type: 'header' | 'section';
  readonly text: { readonly type: 'plain_text' | 'mrkdwn'; readonly text: string };
}

function buildSlackMessage(digest: Digest) {
  const { about, agent, slot, title, figures, sections, further, link } = digest;
  const heading = `${agent} – ${about === 'test' ? 'test' : `night of ${slot}`}`;
  const blocks: Block[] = [
    { type: 'header', text: buildPlainTextObject(toSafeText(escapeSlackText(heading), 150)) },
    buildSectionBlock([title, ...(figures === undefined ? [] : [figures])]),
    ...sections.map(({ title: about, ask, count, lines, more }) =>
      buildSectionBlock([
        count > 1 ? `${about} (${count})` : about,
        ask,
        ...[...lines, ...formatMoreLine(more)].map((line) => `• ${line}`),
      ]),
    ),
    ...(further === 0 ? [] : [buildSectionBlock(formatFurtherLine(further).slice(1))]),
    ...(link === undefined ? [] : [buildLinkBlock(link)]),
  ];
  const text = escapeSlackText(`${heading}: ${about === 'night' ? 'what changed, and whom to chase' : title}`);
  return { text, blocks, link_names: false, unfurl_links: false, unfurl_media: false };
}

function isWithinLimits(message: ReturnType<typeof buildSlackMessage>): boolean {
  if (message.blocks.length > maximumBlocks || JSON.stringify(message).length > maximumMessageLength) {
    return false;
  }
  return message.blocks.every(({ text }) => text.text.length <= maximumSectionLength);
}

function buildSectionBlock(lines: readonly string[]): Block {
  return { type: 'section', text: buildPlainTextObject(escapeSlackText(lines.join('\n'))) };
}

function buildPlainTextObject(text: string) {
  return { type: 'plain_text', text, emoji: false } as const;
}

/** The settings' own address; a folder's path is no link. */
function buildLinkBlock(link: string): Block {
  if (!/^https?:\/\//.test(link)) {
    return buildSectionBlock([`The whole report: ${link}`]);
  }
  const address = escapeSlackText(link).replaceAll('|', '%7C');
  return { type: 'section', text: { type: 'mrkdwn', text: `<${address}|Open the whole report>` } };
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

/** Slack can refuse with 200 and a body that says so. */
function findSlackError({ status, body }: HttpResponse): string | undefined {
  const text = body.toString('utf8').slice(0, 1000);
  const word = slackErrorCodes.find((one) => new RegExp(`\\b${one}\\b`).test(text));
  if (word !== undefined) {
    return word;
  }
  return status === 200 && /"ok"\s*:\s*false/.test(text) ? 'no reason given' : undefined;
}
