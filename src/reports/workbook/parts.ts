/** The small parts of an Office Open XML workbook (ECMA-376) that style, list and connect its sheets. */

import { formatRange, formats, spreadsheetNamespace, styles, type Worksheet, xmlDeclaration } from './worksheet.ts';

const officeRelationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationshipsNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypesNamespace = 'http://schemas.openxmlformats.org/package/2006/content-types';
const spreadsheetContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const packageRelationships = `${xmlDeclaration}<Relationships xmlns="${relationshipsNamespace}"><Relationship Id="rId1" Type="${officeRelationshipType}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export function renderContentTypes(sheets: readonly Worksheet[]): string {
  const parts = sheets.map(
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${spreadsheetContentType}.worksheet+xml"/>`,
  );
  return `${xmlDeclaration}<Types xmlns="${contentTypesNamespace}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheetContentType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheetContentType}.styles+xml"/>${parts.join('')}</Types>`;
}

/** Renders the workbook; Muster writes the titles, which need no escaping. */
export function renderWorkbook(sheets: readonly Worksheet[]): string {
  const listed = sheets.map(
    ({ title }, index) => `<sheet name="${title}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // Spreadsheets require this hidden name for a filter as well. The head is printed on every page.
  const names = sheets.flatMap((sheet, index) =>
    'lines' in sheet
      ? []
      : [
          `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${sheet.title}'!${formatRange(sheet, true)}</definedName>`,
          `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">'${sheet.title}'!$1:$1</definedName>`,
        ],
  );
  return `${xmlDeclaration}<workbook xmlns="${spreadsheetNamespace}" xmlns:r="${officeRelationshipType}"><sheets>${listed.join('')}</sheets><definedNames>${names.join('')}</definedNames></workbook>`;
}

export function renderWorkbookRelationships(sheets: readonly Worksheet[]): string {
  const listed = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${officeRelationshipType}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return `${xmlDeclaration}<Relationships xmlns="${relationshipsNamespace}">${listed.join('')}<Relationship Id="rId${sheets.length + 1}" Type="${officeRelationshipType}/styles" Target="styles.xml"/></Relationships>`;
}

const fonts = {
  plain: '<font><sz val="11"/><name val="Calibri"/></font>',
  bold: '<font><b/><sz val="11"/><name val="Calibri"/></font>',
  large: '<font><b/><sz val="16"/><name val="Calibri"/></font>',
} as const;

const cellFormats = styles.map(([, format, font]) => {
  const fontId = Object.keys(fonts).indexOf(font);
  return `<xf numFmtId="${format}" fontId="${fontId}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
});

export const stylesXml = `${xmlDeclaration}<styleSheet xmlns="${spreadsheetNamespace}"><numFmts count="2"><numFmt numFmtId="${formats.date}" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="${formats.time}" formatCode="yyyy\\-mm\\-dd\\ hh:mm&quot; UTC&quot;"/></numFmts><fonts count="3">${Object.values(fonts).join('')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${styles.length}">${cellFormats.join('')}</cellXfs></styleSheet>`;
