/** Characters that are invisible or disguise text: a name made of them alone is no name. */

/** Fillers of Hangul and Braille, which Unicode classes as letters and symbols. */
const blanks = '\\u115f\\u1160\\u2800\\u3164\\uffa0';
export const blankCharacters = new RegExp(`[${blanks}]`, 'gu');
/** The body of a character class. */
export const invisibleCharacters = `\\p{C}\\p{Z}\\p{M}${blanks}`;
const invisible = new RegExp(`[${invisibleCharacters}]`, 'gu');

export function isVisible(text: string): boolean {
  return text.toWellFormed().replace(invisible, '') !== '';
}

/** Controls, line breaks, and characters that reverse or hide the text around them; joiners of scripts and emoji are kept. */
const deceptiveCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}\ufffe\uffff]|(?![\u200c\u200d])\p{Cf}/gu;
/** Joiners without a letter, mark or emoji before them. */
const loneJoiners = /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+/gu;

/** Replaces each deceptive character with a space, so that a person reads the text in its stored order. */
export function toReadableText(text: string): string {
  return text.replace(deceptiveCharacters, ' ').replace(loneJoiners, '');
}
