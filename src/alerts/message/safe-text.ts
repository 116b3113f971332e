/** Text from devices and platforms as a message may hold it: one line, nothing invisible, no link, whole characters. */

/** Controls, line breaks, and what turns or hides the text around it; the joiners of scripts and emoji stay. */
const invisibleCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}\ufffe\uffff]|(?![\u200c\u200d])\p{Cf}/gu;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A letter with hundreds of marks is a smear over the lines around it. */
const longestCharacter = 32;

/** At most `maximum` UTF-16 units, an ellipsis included. */
export function toSafeText(text: string, maximum: number): string {
  // What is cut off anyway needs no care.
  const start = text.slice(0, 16 * maximum).toWellFormed();
  const line = defangLinks(start.replace(invisibleCharacters, ' ').replace(/ {2,}/g, ' ').trim());
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

/** Mail readers and chats make links of bare addresses; one in a device's name is never meant to be followed. */
function defangLinks(line: string): string {
  return line.replace(/:(?=\/\/)/g, '[:]').replace(/\bwww\.(?=\S)/gi, 'www[.]');
}
