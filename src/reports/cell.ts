/** The text of a CSV cell, so that no text from a device becomes a formula, a new row or a new column. */
import { invisibleCharacters } from '../core/text/visible-text.ts';

/** C0 and C1 controls, line breaks, and the two Unicode line separators that some readers take for one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are exactly what is looked for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** Characters at which a spreadsheet begins a formula, with their full-width twins (OWASP, CSV injection). */
const formulaStart = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** Blanks, characters that show nothing, and quotes: a spreadsheet, or a tool before it, may take them away. */
const lead = new RegExp(`^[\\s"${invisibleCharacters}]*`, 'u');
/** Where the list separator is another, a spreadsheet begins the next cell there. */
const separators = /([;\t])/;
/** They become a space, or are trimmed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are exactly what is looked for
const leadingControls = /^[\s\u0000-\u001f\u007f-\u009f]+/;
/** Most texts of a fleet: nothing in them to replace, to trim or to quote, and no beginning of a formula. */
const plainText = /^(\w([\w .:@()/’-]*[\w)])?)?$/;
const plainNumber = /^[+-]?(\d+(\.\d+)?|\.\d+)$/;

export type Cell = string | number | boolean | undefined;

export function formatCell(value: Cell): string {
  if (value === undefined) {
    return '';
  }
  if (typeof value !== 'string') {
    return String(value);
  }
  if (isPlainText(value)) {
    return value;
  }
  const text = toPrintableText(value.split(separators).map(quoteFormula).join(''));
  // What a comma ends is all of it, and a number in its first part does not make it one.
  return isFormula(text) ? `'${text}` : text;
}

/** The quote stands where the part begins for who reads it. */
function quoteFormula(part: string): string {
  const start = part.length - part.replace(leadingControls, '').length;
  return isFormula(part.slice(start)) ? `${part.slice(0, start)}'${part.slice(start)}` : part;
}

function isFormula(text: string): boolean {
  return formulaStart.test(text.replace(lead, '')) && !plainNumber.test(toPrintableText(text));
}

/** A text that stands in a file as it is. */
export function isPlainText(text: string): boolean {
  return plainText.test(text);
}

/** Text that a terminal or a sentence can show: controls and line breaks become a space. */
export function toPrintableText(text: string): string {
  return text.replace(controlCharacters, ' ').trim();
}
