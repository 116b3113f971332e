/** The texts of all cells, each written once: a status stands in 100,000 rows. */
import { toPrintableText } from '../cell.ts';
import { spreadsheetNamespace, xmlDeclaration } from './styles.ts';

export interface SharedTexts {
  /** The index of a text; undefined where nothing is left to be shown. */
  add(text: string): number | undefined;
  /** The part of the workbook that has them; complete when all sheets are rendered. */
  render(): Generator<string>;
}

export function createSharedTexts(): SharedTexts {
  const indexes = new Map<string, number | undefined>();
  const values: string[] = [];
  return {
    add(text) {
      const known = indexes.get(text);
      if (known !== undefined || indexes.has(text)) {
        return known;
      }
      const value = escapeCellText(text);
      const index = value === '' ? undefined : values.push(value) - 1;
      indexes.set(text, index);
      return index;
    },
    *render() {
      yield `${xmlDeclaration}<sst xmlns="${spreadsheetNamespace}" uniqueCount="${values.length}">`;
      for (const value of values) {
        yield /^\S+( \S+)*$/.test(value) ? `<si><t>${value}</t></si>` : `<si><t xml:space="preserve">${value}</t></si>`;
      }
      yield '</sst>';
    },
  };
}

/** The most UTF-16 characters that a cell can hold. */
const longestText = 32_767;

/** As in the CSV before its formula guard; characters that XML does not allow are written as the format's own `_xHHHH_`. */
function escapeCellText(text: string): string {
  const value = toPrintableText(text).toWellFormed();
  const whole = value.length <= longestText ? value : `${value.slice(0, longestText - 1).toWellFormed()}…`;
  return whole
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase()}_`)
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'));
}
