/** The styles of cells, and the first line of every part of the workbook. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Number formats: those below 164 are the format's own, `@` is text. */
const formats = { general: 0, twoDecimals: 2, text: 49, date: 164, time: 165 } as const;

/** In the order of `cellXfs`. A cell that names no style has the first one: text, which is most of them. */
const styles = [
  ['text', formats.text, 'plain', false],
  ['number', formats.general, 'plain', false],
  ['head', formats.text, 'bold', false],
  ['percent', formats.twoDecimals, 'plain', false],
  ['date', formats.date, 'plain', false],
  ['time', formats.time, 'plain', false],
  ['title', formats.text, 'large', false],
  ['sentence', formats.text, 'plain', true],
  ['headline', formats.twoDecimals, 'large', false],
] as const;

const fonts = {
  plain: '<font><sz val="11"/><name val="Calibri"/></font>',
  bold: '<font><b/><sz val="11"/><name val="Calibri"/></font>',
  large: '<font><b/><sz val="16"/><name val="Calibri"/></font>',
} as const;

export type CellStyle = (typeof styles)[number][0];

/** Indexes into `cellXfs`. */
export const cellStyle = Object.fromEntries(styles.map(([name], index) => [name, index])) as Readonly<
  Record<CellStyle, number>
>;

const cellFormats = styles.map(([, format, font, isWrapped]) => {
  const alignment = isWrapped ? '<alignment wrapText="1" vertical="top"/>' : '';
  const attributes = `numFmtId="${format}" fontId="${Object.keys(fonts).indexOf(font)}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"`;
  return alignment === '' ? `<xf ${attributes}/>` : `<xf ${attributes} applyAlignment="1">${alignment}</xf>`;
});

export const stylesXml = `${xmlDeclaration}<styleSheet xmlns="${spreadsheetNamespace}"><numFmts count="2"><numFmt numFmtId="${formats.date}" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="${formats.time}" formatCode="yyyy\\-mm\\-dd\\ hh:mm&quot; UTC&quot;"/></numFmts><fonts count="3">${Object.values(fonts).join('')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${styles.length}">${cellFormats.join('')}</cellXfs></styleSheet>`;
