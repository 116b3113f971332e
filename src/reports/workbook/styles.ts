/** The styles of cells, and the first line of every part of the workbook. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Indexes into `cellXfs` below: plain numbers, text (format `@`), the bold head, percent with two decimals. */
export const cellStyle = { number: 0, plain: 1, head: 2, percent: 3 } as const;

export const stylesXml = `${xmlDeclaration}<styleSheet xmlns="${spreadsheetNamespace}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;
