/** Characters that show nothing: a name made of them alone is no name. */

/** Fillers of Hangul and Braille are letters and symbols by their class; joiners show nothing without a neighbour. */
export const blankCharacters = /[\u115f\u1160\u2800\u3164\uffa0]/gu;
const invisible = /[\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/gu;

export function isVisible(text: string): boolean {
  return text.toWellFormed().replace(invisible, '') !== '';
}
