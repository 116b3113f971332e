/**
 * Microsoft Teams, by a Workflows webhook ("Post to a channel when a webhook request is received") and an Adaptive
 * Card: https://adaptivecards.io/explorer. All text is in text runs, which have no Markdown, and there are no
 * mentions. The answer is 202 before the flow has run, so Muster never knows whether the message was posted.
 */
import type { HttpResponse } from '../../http/send-request.ts';
import { defineChannel, webAddressSchema } from '../channel-kind.ts';
import { type Digest, formatHeading } from '../message/digest.ts';
import { fitDigest, formatFurtherLine, formatMoreLine, formatSubject, isWithinBytes } from '../message/plain-text.ts';
import { sendJson } from './http-message.ts';

/** Microsoft documents 28 kB; some 21 kB were rejected in practice. */
const maximumMessageBytes = 20_000;

export const teamsChannel = defineChannel({
  type: 'teams',
  settings: { url: webAddressSchema },
  open({ url }, { secret, idle }) {
    const to = { who: 'Microsoft Teams', explain: findTeamsError, url: secret(url), idle };
    return {
      audience: 'people',
      render: ({ digest }) => [fitDigest(digest, buildTeamsMessage, isWithinBytes(maximumMessageBytes))],
      send: (payload, sending) => sendJson(to, payload, sending),
    };
  },
});

interface TextStyle {
  readonly size?: 'Large';
  readonly weight?: 'Bolder';
  readonly color?: 'Attention' | 'Warning' | 'Default';
  readonly isSubtle?: true;
  readonly separator?: true;
}

function buildTeamsMessage(digest: Digest) {
  const { title, figures, sections, further, link, severity } = digest;
  const heading = formatHeading(digest);
  const body = [
    buildTextBlock(heading, { size: 'Large', weight: 'Bolder', color: severityColors[severity] }),
    buildTextBlock(title),
    ...(figures === undefined ? [] : [buildTextBlock(figures)]),
    ...sections.flatMap(({ title: name, ask, lines, links = [], more }) => [
      buildTextBlock(name, { weight: 'Bolder', separator: true }),
      buildTextBlock(ask, { isSubtle: true }),
      ...[...lines, ...formatMoreLine(more)].map((line, index) => buildTextBlock(`• ${line}`, {}, links[index])),
    ]),
    ...formatFurtherLine(further).map((line) => buildTextBlock(line)),
  ];
  const isAddress = link !== undefined && /^https?:\/\//.test(link);
  if (link !== undefined && !isAddress) {
    body.push(buildTextBlock(`The whole report: ${link}`));
  }
  // What a notification shows.
  const summary = formatSubject(digest);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: summary,
    body,
    ...(isAddress ? { actions: [{ type: 'Action.OpenUrl', title: 'Open the whole report', url: link }] } : {}),
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    summary,
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

const severityColors = { error: 'Attention', warning: 'Warning', info: 'Default' } as const;

function buildTextBlock(text: string, { separator, ...style }: TextStyle = {}, link = '') {
  const open = {
    type: 'TextRun',
    text: ' Open',
    color: 'Accent',
    selectAction: { type: 'Action.OpenUrl', title: 'Open', url: link },
  };
  const inlines = [{ type: 'TextRun', text, ...style }, ...(link === '' ? [] : [open])];
  return { type: 'RichTextBlock', inlines, ...(separator ? { separator, spacing: 'Medium' } : { spacing: 'Small' }) };
}

/** The older connectors answer 200 and describe the failure in the body. */
function findTeamsError({ status, body }: HttpResponse): string | undefined {
  const text = body.toString('utf8').slice(0, 1000);
  return status === 200 && /\b(failed|error)\b/i.test(text) ? 'the answer describes a failure' : undefined;
}
