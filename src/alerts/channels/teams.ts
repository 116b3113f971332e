/**
 * Microsoft Teams, by a Workflows webhook ("Post to a channel when a webhook request is received") and an Adaptive
 * Card: https://adaptivecards.io/explorer. All text stands in text runs, which know no Markdown, and nothing is listed
 * as a mention. The answer is 202 before the flow has run, so that it was posted is never known.
 */
import type { HttpResponse } from '../../http/send-request.ts';
import type { Channel } from '../channel.ts';
import type { Digest } from '../message/digest.ts';
import { countBytes, fitDigest } from '../message/fit-digest.ts';
import { formatFurtherLine, formatMoreLine } from '../message/plain-text.ts';
import { type SecretProvider, sendHttpMessage } from './http-message.ts';

interface TeamsSettings {
  readonly name: string;
  readonly url: SecretProvider;
  readonly idle?: number;
}

/** Microsoft says 28 kB; some 21 kB were refused in practice. */
const maximumMessageBytes = 20_000;

export function createTeamsChannel({ name, ...to }: TeamsSettings): Channel {
  return {
    name,
    render: ({ digest }) => [
      fitDigest(digest, buildTeamsMessage, (message) => countBytes(message) <= maximumMessageBytes),
    ],
    async send(payload, sending) {
      const headers = { 'content-type': 'application/json' };
      await sendHttpMessage(
        { who: 'Microsoft Teams', explain: findTeamsError, ...to },
        { body: JSON.stringify(payload), headers },
        sending,
      );
    },
  };
}

interface TextStyle {
  readonly size?: 'Large';
  readonly weight?: 'Bolder';
  readonly isSubtle?: true;
  readonly separator?: true;
}

function buildTeamsMessage(digest: Digest) {
  const { about, agent, slot, title, figures, sections, further, link } = digest;
  const body = [
    buildTextBlock(`${agent} – ${about === 'test' ? 'test' : `night of ${slot}`}`, { size: 'Large', weight: 'Bolder' }),
    buildTextBlock(title),
    ...(figures === undefined ? [] : [buildTextBlock(figures)]),
    ...sections.flatMap(({ title: about, ask, count, lines, more }) => [
      buildTextBlock(count > 1 ? `${about} (${count})` : about, { weight: 'Bolder', separator: true }),
      buildTextBlock(ask, { isSubtle: true }),
      ...[...lines, ...formatMoreLine(more)].map((line) => buildTextBlock(`• ${line}`)),
    ]),
    ...formatFurtherLine(further)
      .slice(1)
      .map((line) => buildTextBlock(line)),
  ];
  const isAddress = link !== undefined && /^https?:\/\//.test(link);
  if (link !== undefined && !isAddress) {
    body.push(buildTextBlock(`The whole report: ${link}`));
  }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    ...(isAddress ? { actions: [{ type: 'Action.OpenUrl', title: 'Open the whole report', url: link }] } : {}),
    msteams: { width: 'Full' },
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

function buildTextBlock(text: string, { separator, ...style }: TextStyle = {}) {
  const inlines = [{ type: 'TextRun', text, ...style }];
  return { type: 'RichTextBlock', inlines, ...(separator ? { separator, spacing: 'Medium' } : { spacing: 'Small' }) };
}

/** Connectors of old answered 200 and the failure as text. */
function findTeamsError({ status, body }: HttpResponse): string | undefined {
  const said = body.toString('utf8').slice(0, 1000);
  return status === 200 && /\b(failed|error)\b/i.test(said) ? 'it speaks of a failure' : undefined;
}
