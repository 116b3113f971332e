/** Formats text for a CSV cell, so that no text from a device becomes a formula, a new row or a new column. */
import { invisibleCharacters } from '../core/text/visible-text.ts';

/** C0 and C1 controls, line breaks, and the two Unicode line separators, at which some readers break lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are exactly what is looked for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** Characters with which a spreadsheet begins a formula, and their full-width twins (OWASP, CSV injection). */
const formulaStart = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** Blanks, invisible characters and quotes at the beginning, which a spreadsheet or a tool may remove. */
const lead = new RegExp(`^[\\s"${invisibleCharacters}]*`, 'u');
/** List separators of some spreadsheets, which begin the next cell there. */
const separators = /([;\t])/;
/** Controls that become a space, or are trimmed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are exactly what is looked for
const leadingControls = /^[\s\u0000-\u001f\u007f-\u009f]+/;
/** Matches most texts: nothing to replace, trim or quote, and no beginning of a formula. */
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
  // Tests the whole text too: a number as its first part does not make it a number.
  return isFormula(text) ? `'${text}` : text;
}

/** Puts the quote where a reader sees the part begin. */
function quoteFormula(part: string): string {
  const start = part.length - part.replace(leadingControls, '').length;
  return isFormula(part.slice(start)) ? `${part.slice(0, start)}'${part.slice(start)}` : part;
}

function isFormula(text: string): boolean {
  return formulaStart.test(text.replace(lead, '')) && !plainNumber.test(toPrintableText(text));
}

/** Whether a text is written to a file unchanged. */
export function isPlainText(text: string): boolean {
  return plainText.test(text);
}

/** Prepares text for a terminal or a sentence: controls and line breaks become a space. */
export function toPrintableText(text: string): string {
  return text.replace(controlCharacters, ' ').trim();
}
