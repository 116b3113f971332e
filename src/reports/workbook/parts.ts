/** The small parts of an Office Open XML workbook (ECMA-376) that list and connect its sheets. */

import { spreadsheetNamespace, xmlDeclaration } from './styles.ts';
import { formatRange, type Worksheet } from './worksheet.ts';

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

/** Muster writes the titles, so nothing in them needs escaping. */
export function renderWorkbook(sheets: readonly Worksheet[]): string {
  const listed = sheets.map(
    ({ title }, index) => `<sheet name="${title}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // Spreadsheets know a filter by this hidden name as well. The head is printed on every page.
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
