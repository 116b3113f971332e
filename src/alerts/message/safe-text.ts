import { blankCharacters, isVisible, toReadableText } from '../../core/text/visible-text.ts';

/** Text from devices and platforms as a message may hold it: one line, nothing invisible, no link, whole characters. */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A letter with hundreds of marks covers the lines around it. */
const longestCharacter = 32;

/** At most `maximum` UTF-16 units, an ellipsis included. */
export function toSafeText(text: string, maximum: number): string {
  // The rest is cut off anyway.
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
 * Mail readers and chats make links of bare addresses; an address in a device's name must not become a link: with a
 * scheme, a host with a path, a share of Windows.
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
