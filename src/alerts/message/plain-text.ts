/** A digest as plain text, for e-mail and for a terminal, and as long as the limits of a receiver allow. */
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type Digest, formatHeading, shortenDigest } from './digest.ts';

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
    ...formatFurtherLine(further),
    ...(link === undefined ? [] : ['', `The whole report: ${link}`]),
  ];
}

export function formatMoreLine(more: number): string[] {
  return more === 0 ? [] : [`and ${formatCount(more)} more, in the report`];
}

export function formatFurtherLine(further: number): string[] {
  return further === 0
    ? []
    : ['', `${formatCount(further)} more of these lists ${pluralize(further, 'is', 'are')} in the report.`];
}

/** A digest as long as the recipient's limits allow: lines are left out, and counted, until it fits. */
export function fitDigest<Payload>(
  digest: Digest,
  render: (digest: Digest) => Payload,
  fits: (payload: Payload) => boolean,
): Payload {
  const longest = Math.max(0, ...digest.sections.map(({ lines }) => lines.length));
  const lines = findLargest(longest, (most) => fits(render(shortenDigest(digest, most))));
  if (lines !== undefined) {
    return render(shortenDigest(digest, lines));
  }
  for (let sections = digest.sections.length - 1; sections > 0; sections -= 1) {
    const payload = render(shortenDigest(digest, 0, sections));
    if (fits(payload)) {
      return payload;
    }
  }
  // The title and the figures are short on their own.
  return render(shortenDigest(digest, 0, 0));
}

/** The largest whole number up to `most` that fits, where all smaller ones do; a list of one place can be long. */
function findLargest(most: number, fits: (value: number) => boolean): number | undefined {
  let [fitting, tooLarge] = [-1, most + 1];
  while (tooLarge - fitting > 1) {
    // The whole is tried first: nearly always it fits.
    const middle = tooLarge > most ? most : Math.floor((fitting + tooLarge) / 2);
    if (fits(middle)) {
      fitting = middle;
    } else {
      tooLarge = middle;
    }
  }
  return fitting < 0 ? undefined : fitting;
}

export function isWithinBytes(maximum: number): (payload: unknown) => boolean {
  return (payload) => countBytes(payload) <= maximum;
}

/** In UTF-8, as it is sent. */
export function countBytes(payload: unknown): number {
  return Buffer.byteLength(typeof payload === 'string' ? payload : JSON.stringify(payload));
}
