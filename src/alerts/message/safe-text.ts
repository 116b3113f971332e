import { blankCharacters, isVisible, toReadableText } from '../../core/text/visible-text.ts';

/** Makes text from devices and platforms safe for messages: one line of whole characters, without invisible ones and links. */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** UTF-16 units of a character: one with hundreds of marks would cover the lines around it. */
const longestCharacter = 32;

/** Shortens to `maximum` UTF-16 units, including the ellipsis. */
export function toSafeText(text: string, maximum: number): string {
  // Later text would be cut off in any case.
  const start = text.slice(0, 16 * maximum).toWellFormed();
  const shown = toReadableText(start).replace(blankCharacters, ' ');
  const line = isVisible(shown) ? defangLinks(shown.replace(/ {2,}/g, ' ').trim()) : '';
  let kept = '';
  for (const { segment } of segmenter.segment(line)) {
    const character = segment.length > longestCharacter ? segment.slice(0, longestCharacter).toWellFormed() : segment;
    if (kept.length + character.length <= maximum - (line.length > maximum ? 1 : 0)) {
      kept += character;
    } else {
      return `${kept.slice(0, maximum - 1)}…`;
    }
  }
  return kept === '' ? '(no text)' : kept;
}

/**
 * Breaks addresses in device names, of which mail readers and chats would make links: those with a scheme, a host with
 * a path, and Windows shares.
 */
function defangLinks(line: string): string {
  return line
    .replace(/:(?=\/\/)/g, '[:]')
    .replace(
      /\b(mailto|tel|sms|callto|sip|facetime|javascript|vbscript|data|file|slack|msteams|ms-[a-z]+):(?=\S)/gi,
      '$1[:]',
    )
    .replace(/\\(?=\\[^\s\\])/g, '[\\]')
    .replace(/\bwww\.(?=\S)/gi, 'www[.]')
    .replace(/\.(?=[a-z\u00a1-\uffff][a-z0-9\u00a1-\uffff-]*(:\d+)?\/)/gi, '[.]');
}
