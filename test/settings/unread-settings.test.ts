/** A setting that nothing reads is named: the compiler knows where each is read. */
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { kindsUnderTest } from '../kinds.ts';

const root = join(import.meta.dirname, '..', '..');

interface Read {
  readonly name: string;
  readonly file: string;
  readonly property: ts.Symbol;
}

let program: ts.Program;
let checker: ts.TypeChecker;
let reads: ReadonlyMap<string, readonly Read[]>;

beforeAll(() => {
  const file = join(root, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, root);
  const kinds = kindsUnderTest.map(({ folder }) => `${folder}/kind.ts`);
  const starts = ['src/cli.ts', 'src/lambda.ts', 'infra/deploy.ts', ...kinds].map((one) => join(root, one));
  program = ts.createProgram(starts, { ...options, noEmit: true, skipLibCheck: true });
  checker = program.getTypeChecker();
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(root) && !fileName.includes('node_modules'));
  const all = [listSharedSettings(), ...kindsUnderTest.map(({ folder }) => listKindSettings(folder))].flat();
  const names = new Set(all.map(({ property }) => property.name));
  reads = Map.groupBy(
    own.flatMap((one) => listReads(one, names)),
    ({ name }) => name,
  );
});

/** The compiler is asked only about the names of settings: about all that the program reads, it would take ten seconds. */
function listReads(file: ts.SourceFile, names: ReadonlySet<string>): Read[] {
  const found: Read[] = [];
  const add = (place: ts.Node, name: string) => {
    if (!names.has(name)) {
      return;
    }
    const owner = checker.getTypeAtLocation(place);
    for (const part of owner.isUnion() ? owner.types : [owner]) {
      const property = part.getProperty(name);
      if (property !== undefined) {
        found.push({ name, file: file.fileName, property });
      }
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      add(node.expression, node.name.text);
    } else if (ts.isElementAccessExpression(node)) {
      const key = checker.getTypeAtLocation(node.argumentExpression);
      for (const part of key.isUnion() ? key.types : [key]) {
        if (part.isStringLiteral()) {
          add(node.expression, part.value);
        }
      }
    } else if (ts.isCallExpression(node) && /^Object\.(entries|values)$/.test(node.expression.getText())) {
      const [owner] = node.arguments;
      for (const { name } of owner === undefined ? [] : checker.getTypeAtLocation(owner).getProperties()) {
        add(owner as ts.Node, name);
      }
    } else if (ts.isBinaryExpression(node) && ts.isStringLiteral(node.left)) {
      add(node.right, node.left.text);
    } else if (
      ts.isBindingElement(node) &&
      ts.isObjectBindingPattern(node.parent) &&
      node.dotDotDotToken === undefined
    ) {
      add(node.parent, (node.propertyName ?? node.name).getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

interface Setting {
  readonly path: string;
  readonly property: ts.Symbol;
  readonly block: ts.Type;
}

function findType(file: string, name: RegExp): ts.Type {
  const source = program.getSourceFile(join(root, file));
  const found = source?.statements.find((one) => ts.isTypeAliasDeclaration(one) && name.test(one.name.text));
  if (found === undefined) {
    throw new Error(`${file} has no type ${name}`);
  }
  return checker.getTypeAtLocation(found);
}

/** Settings are what a file of ours declares; methods of lists and texts are not. */
function listSettings(type: ts.Type, path: string): Setting[] {
  if (type.isUnion()) {
    return type.types.flatMap((part) => listSettings(part, path));
  }
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item !== undefined || (type.flags & ts.TypeFlags.Object) === 0) {
    return item === undefined || type.flags & ts.TypeFlags.StringLike ? [] : listSettings(item, `${path}[]`);
  }
  return type.getProperties().flatMap((property) => {
    const below = `${path === '' ? '' : `${path}.`}${property.name}`;
    return [{ path: below, property, block: type }, ...listSettings(checker.getTypeOfSymbol(property), below)];
  });
}

/** Its block itself is read, or a type of ours that names nothing but what the block has: the block is given to it. */
function isRead({ property, block }: Setting): boolean {
  const own = new Set(property.declarations);
  const names = new Set(block.getProperties().map(({ name }) => name));
  const isPart = ({ parent }: ts.Declaration) =>
    (ts.isInterfaceDeclaration(parent) || ts.isTypeLiteralNode(parent)) &&
    parent.members.length > 1 &&
    parent.members.every(({ name }) => name !== undefined && names.has(name.getText()));
  return (reads.get(property.name) ?? []).some(
    ({ property: { declarations } }) =>
      // Names that are computed from a list have no declaration.
      (declarations === undefined && own.size === 0) ||
      declarations?.some((declaration) => own.has(declaration) || isPart(declaration)),
  );
}

function listSharedSettings(): Setting[] {
  return listSettings(findType('src/compose/settings-schema.ts', /^SharedSettings$/), '');
}

function listKindSettings(folder: string): Setting[] {
  return listSettings(findType(`${folder}/kind.ts`, /SourceSettings$/), 'sources[]');
}

it('every setting is read', () => {
  const settings = listSharedSettings();
  expect(settings.length).toBeGreaterThan(60);
  expect([...new Set(settings.filter((setting) => !isRead(setting)).map(({ path }) => path))]).toEqual([]);
});

it.each(kindsUnderTest)('every setting of $kind.kind is read by its own files', ({ folder }) => {
  const settings = listKindSettings(folder);
  const own = join(root, folder);
  const isReadThere = ({ property }: Setting) => reads.get(property.name)?.some(({ file }) => dirname(file) === own);
  expect(settings.length).toBeGreaterThan(3);
  const unread = settings.filter((setting) => !isReadThere(setting) && !isRead(setting)).map(({ path }) => path);
  expect([...new Set(unread)]).toEqual([]);
});
