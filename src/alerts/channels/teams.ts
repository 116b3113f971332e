/**
 * Microsoft Teams, through a Workflows webhook ("Post to a channel when a webhook request is received") and an Adaptive
 * Card: https://adaptivecards.io/explorer. All text is in text runs, which have no Markdown, and there are no mentions.
 * The webhook answers 202 before the flow runs, so that Muster never knows whether the message was posted.
 */
import type { HttpResponse } from '../../http/send-request.ts';
import { readServiceError } from '../../microsoft/service-error.ts';
import { defineChannel, webAddressSchema } from '../channel-kind.ts';
import { type Digest, type DigestSection, formatHeading } from '../message/digest.ts';
import { isWebAddress, type LinkedText } from '../message/digest-lines.ts';
import { fitDigest, formatSubject, isWithinBytes, listFurtherTexts, listSectionTexts } from '../message/plain-text.ts';
import { type RefusalWord, sendJson } from './http-message.ts';

/** Bytes of a message: Microsoft documents 28 kB, but about 21 kB were rejected in practice. */
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

function buildTeamsMessage(digest: Digest) {
  const { title, figures, sections, link, severity } = digest;
  const head = [
    buildTextBlock(buildRun(formatHeading(digest), { weight: 'Bolder' })),
    buildTextBlock(buildRun(title, { size: 'Large', weight: 'Bolder' })),
  ];
  const body = [
    { type: 'Container', style: severityStyles[severity], bleed: true, items: head },
    ...(figures === undefined ? [] : [{ ...buildTextBlock(buildRun(figures)), spacing: 'Medium' }]),
    ...sections.map((section) => buildSectionContainer(section, link)),
    ...listFurtherTexts(digest).map((text) => buildTextBlock(...buildLinkedRuns(text))),
    ...(link === undefined || isWebAddress(link) ? [] : [buildTextBlock(buildRun(`The whole report: ${link}`))]),
  ];
  // Notifications show this text.
  const summary = formatSubject(digest);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: summary,
    body,
    ...(isWebAddress(link) ? { actions: [buildOpening(link, 'Open the whole report')] } : {}),
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    summary,
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

/** Container styles that Teams has in its light and its dark theme. */
const severityStyles = { error: 'attention', warning: 'warning', info: 'emphasis' } as const;

function buildSectionContainer(section: DigestSection, link: string | undefined) {
  const { title, ask } = section;
  const items = [
    buildTextBlock(buildRun(title, { size: 'Medium', weight: 'Bolder' })),
    { ...buildTextBlock(buildRun(ask, { isSubtle: true })), spacing: 'None' },
    ...listSectionTexts(section, link).map((text) => buildTextBlock(bullet, ...buildLinkedRuns(text))),
  ];
  return { type: 'Container', separator: true, spacing: 'Medium', items };
}

function buildLinkedRuns({ name, rest, link }: LinkedText) {
  const start = link === '' ? [] : [buildLink(name, link)];
  // Teams refuses a text run without text.
  return [...start, ...(rest === '' ? [] : [buildRun(rest)])];
}

function buildLink(text: string, url: string) {
  return { ...buildRun(text, { color: 'Accent' }), selectAction: buildOpening(url, 'Open') };
}

function buildOpening(url: string, title: string) {
  return { type: 'Action.OpenUrl', title, url };
}

interface TextStyle {
  readonly size?: 'Large' | 'Medium';
  readonly weight?: 'Bolder';
  readonly color?: 'Accent';
  readonly isSubtle?: true;
}

function buildRun(text: string, style: TextStyle = {}) {
  return { type: 'TextRun', text, ...style };
}

const bullet = buildRun('• ');

function buildTextBlock(...inlines: readonly object[]) {
  return { type: 'RichTextBlock', inlines, spacing: 'Small' };
}

/** Advice for the codes with which a workflow refuses a request. */
const workflowAdvice: ReadonlyMap<string, string> = new Map([
  [
    'WorkflowTriggerIsNotEnabled',
    'The workflow is switched off or deleted: turn it on in the Workflows app, or create it again and store its new address.',
  ],
  ['WorkflowNotFound', 'The workflow was deleted: create it again and store its new address.'],
  [
    'DirectApiAuthorizationRequired',
    'The workflow accepts requests of signed-in users alone: set "Who can trigger the flow?" to Anyone and store its new address.',
  ],
  [
    'TriggerInputSchemaMismatch',
    'The workflow expects other messages: create it from the template "Post to a channel when a webhook request is received".',
  ],
]);

function findTeamsError(answer: HttpResponse): RefusalWord | undefined {
  const { code: word } = readServiceError(answer);
  return word === undefined ? undefined : { word, advice: workflowAdvice.get(word) };
}
