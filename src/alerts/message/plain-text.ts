/** Renders a digest as plain text for e-mail and terminals, within the limits of a receiver. */
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type Digest, type DigestSection, formatHeading, shortenDigest } from './digest.ts';
import { type LinkedText, toLinkedTexts, toReportText } from './digest-lines.ts';

/** The subject, also shown on the screen of a phone. */
export function formatSubject({ about, title, agent, slot, severity }: Digest): string {
  const prefix = severity === 'error' ? 'Muster error' : 'Muster';
  return `${prefix}: ${title}${about === 'night' ? ` (${agent}, ${slot})` : ''}`;
}

export function renderPlainText(digest: Digest): string {
  return `${formatDigestLines(digest).join('\n')}\n`;
}

function formatDigestLines(digest: Digest): string[] {
  const { title, figures, sections, further, link } = digest;
  return [
    formatHeading(digest),
    title,
    ...(figures === undefined ? [] : [figures]),
    ...sections.flatMap(({ title: heading, ask, lines, links = [], more }) => [
      '',
      heading,
      ask,
      ...lines.flatMap((line, index) => [`  - ${line}`, ...(links[index] ? [`    ${links[index]}`] : [])]),
      ...formatMoreLine(more).map((line) => `  - ${line}`),
    ]),
    ...formatFurtherLine(further).flatMap((line) => ['', line]),
    ...(link === undefined ? [] : ['', `The whole report: ${link}`]),
  ];
}

/** Lines of a section for a message with links, with a last one about the rest. */
export function listSectionTexts(section: DigestSection, report: string | undefined): LinkedText[] {
  return [...toLinkedTexts(section), ...formatMoreLine(section.more).map((line) => toReportText(line, report))];
}

export function listFurtherTexts({ further, link }: Digest): LinkedText[] {
  return formatFurtherLine(further).map((line) => toReportText(line, link));
}

function formatMoreLine(more: number): string[] {
  return more === 0 ? [] : [`and ${formatCount(more)} more, in the report`];
}

function formatFurtherLine(further: number): string[] {
  return further === 0
    ? []
    : [`${formatCount(further)} more of these lists ${pluralize(further, 'is', 'are')} in the report.`];
}

/** The longest digest within the receiver's limits: leaves out lines, and counts them, until it fits. */
export function fitDigest<Payload>(
  digest: Digest,
  render: (digest: Digest) => Payload,
  fits: (payload: Payload) => boolean,
): Payload {
  const longest = Math.max(0, ...digest.sections.map(({ lines }) => lines.length));
  // Shortens a long list in larger steps, because each step renders and measures a message.
  for (let lines = longest; lines >= 0; lines = Math.min(lines - 1, Math.floor(lines * 0.95))) {
    const payload = render(shortenDigest(digest, lines));
    if (fits(payload)) {
      return payload;
    }
  }
  for (let sections = digest.sections.length - 1; sections > 0; sections -= 1) {
    const payload = render(shortenDigest(digest, 0, sections));
    if (fits(payload)) {
      return payload;
    }
  }
  // The title and the figures alone are always short enough.
  return render(shortenDigest(digest, 0, 0));
}

export function isWithinBytes(maximum: number): (payload: unknown) => boolean {
  return (payload) => countBytes(payload) <= maximum;
}

/** Bytes in UTF-8, as the payload is sent. */
export function countBytes(payload: unknown): number {
  return Buffer.byteLength(typeof payload === 'string' ? payload : JSON.stringify(payload));
}
