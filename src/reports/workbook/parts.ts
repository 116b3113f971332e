/** The small parts of an Office Open XML workbook (ECMA-376) that hold its sheets together. */
import { rangeOf, type Sheet } from './sheet.ts';
import { declaration, main } from './styles.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const packageRelations = `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export function contentTypes(sheets: readonly Sheet[]): string {
  const parts = sheets.map(
    (_, place) =>
      `<Override PartName="/xl/worksheets/sheet${place + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  );
  return `${declaration}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${parts.join('')}</Types>`;
}

/** Titles are ours, so nothing in them needs escaping. */
export function workbook(sheets: readonly Sheet[]): string {
  const listed = sheets.map(
    ({ title }, place) => `<sheet name="${title}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  );
  // Spreadsheets know a filter by this hidden name as well.
  const filters = sheets.map(
    (sheet, place) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">'${sheet.title}'!${rangeOf(sheet, true)}</definedName>`,
  );
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets><definedNames>${filters.join('')}</definedNames></workbook>`;
}

export function workbookRelations(sheets: readonly Sheet[]): string {
  const listed = sheets.map(
    (_, place) =>
      `<Relationship Id="rId${place + 1}" Type="${office}/worksheet" Target="worksheets/sheet${place + 1}.xml"/>`,
  );
  return `${declaration}<Relationships xmlns="${relations}">${listed.join('')}<Relationship Id="rId${sheets.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`;
}
