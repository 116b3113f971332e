/**
 * Slack, by an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and Block
 * Kit, https://docs.slack.dev/reference/block-kit/blocks. What comes from devices stands in plain text alone, which
 * Slack neither formats nor links; `&`, `<` and `>` are escaped everywhere, so that no mention can be spelled.
 */
import type { HttpResponse } from '../../http/exchange.ts';
import type { Channel } from '../channel.ts';
import type { Digest } from '../message/digest.ts';
import { fitting } from '../message/fit-digest.ts';
import { furtherLine, moreLine } from '../message/plain-text.ts';
import { plain } from '../message/safe-text.ts';
import { post, type Reading } from './http-message.ts';

interface SlackSettings {
  readonly name: string;
  readonly url: Reading;
  readonly idle?: number;
}

const maximumBlocks = 50;
const maximumSection = 3_000;
/** Nobody documents the limit of a whole message; above some 13,000 characters it is refused. */
const budget = 12_000;

export function slackChannel({ name, ...to }: SlackSettings): Channel {
  return {
    name,
    render: ({ digest }) => [fitting(digest, messageOf, fits)],
    async send(payload, sending) {
      const headers = { 'content-type': 'application/json' };
      await post({ who: 'Slack', explain, ...to }, { body: JSON.stringify(payload), headers }, sending);
    },
  };
}

interface Block {
  readonly type: 'header' | 'section';
  readonly text: { readonly type: 'plain_text' | 'mrkdwn'; readonly text: string };
}

function messageOf(digest: Digest) {
  const { about, agent, slot, title, figures, sections, further, link } = digest;
  const heading = `${agent} – ${about === 'test' ? 'test' : `night of ${slot}`}`;
  const blocks: Block[] = [
    { type: 'header', text: words(plain(escaped(heading), 150)) },
    section([title, ...(figures === undefined ? [] : [figures])]),
    ...sections.map(({ title: about, ask, count, lines, more }) =>
      section([
        count > 1 ? `${about} (${count})` : about,
        ask,
        ...[...lines, ...moreLine(more)].map((line) => `• ${line}`),
      ]),
    ),
    ...(further === 0 ? [] : [section(furtherLine(further).slice(1))]),
    ...(link === undefined ? [] : [linkBlock(link)]),
  ];
  const text = escaped(`${heading}: ${about === 'night' ? 'what changed, and whom to chase' : title}`);
  return { text, blocks, link_names: false, unfurl_links: false, unfurl_media: false };
}

function fits(message: ReturnType<typeof messageOf>): boolean {
  if (message.blocks.length > maximumBlocks || JSON.stringify(message).length > budget) return false;
  return message.blocks.every(({ text }) => text.text.length <= maximumSection);
}

function section(lines: readonly string[]): Block {
  return { type: 'section', text: words(escaped(lines.join('\n'))) };
}

function words(text: string) {
  return { type: 'plain_text', text, emoji: false } as const;
}

/** The settings' own address; a folder's path is no link. */
function linkBlock(link: string): Block {
  if (!/^https?:\/\//.test(link)) return section([`The whole report: ${link}`]);
  const address = escaped(link).replaceAll('|', '%7C');
  return { type: 'section', text: { type: 'mrkdwn', text: `<${address}|Open the whole report>` } };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors */
const known = [
  ...['action_prohibited', 'channel_is_archived', 'channel_not_found', 'invalid_blocks', 'invalid_payload'],
  ...['invalid_token', 'msg_blocks_too_long', 'msg_too_long', 'no_active_hooks', 'no_service', 'no_team', 'no_text'],
  ...['posting_to_general_channel_denied', 'rate_limited', 'team_disabled', 'user_not_found'],
];

/** Slack can refuse with 200 and a body that says so. */
function explain({ status, body }: HttpResponse): string | undefined {
  const text = body.toString('utf8').slice(0, 1000);
  const word = known.find((one) => new RegExp(`\\b${one}\\b`).test(text));
  if (word !== undefined) return word;
  return status === 200 && /"ok"\s*:\s*false/.test(text) ? 'no reason given' : undefined;
}
