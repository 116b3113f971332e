/** The house rules: who may import whom, no circles, a pure core, and no room that nobody wrote a rule for. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { readImports } from './read-imports.ts';
import { mayImport, packageRooms, root } from './rooms.ts';

/** Words of the design: wherever one is read, it is the same function. */
const wordsOfTheHouse = ['gather', 'judge', 'publish', 'findSourceKind', 'pluralize', 'renderCsv', 'toDeviceKey'];

/** The two houses; a file of `src` is named without it. */
const files = ['src', 'simulator']
  .flatMap((house) =>
    readdirSync(join(root, house), { recursive: true, encoding: 'utf8' }).map((file) => `${house}/${file}`),
  )
  .filter((file) => file.endsWith('.ts'))
  .map((file) => toName(file))
  .sort();

const texts = new Map(files.map((file) => [file, readFileSync(toPath(file), 'utf8')]));

function toName(path: string): string {
  return path.replaceAll('\\', '/').replace(/^src\//, '');
}

function toPath(file: string): string {
  return join(root, file.startsWith('simulator/') ? '' : 'src', file);
}

function importsOf(file: string): string[] {
  return readImports((texts.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, ''));
}

/** Imports of our own files, as paths from src. */
function ownImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => toName(relative(root, join(dirname(toPath(file)), name))));
}

/** The longest key of the table that the file lies in. */
function roomOf(file: string): string | undefined {
  const rooms = Object.keys(mayImport).filter((room) => file === room || file.startsWith(`${room}/`));
  return rooms.sort((left, right) => right.length - left.length)[0];
}

function isAllowed(target: string, room: string): boolean {
  // Small functions that every room of src may use.
  if (
    ['base/index-by.ts', 'base/is-record.ts', 'base/loopback.ts', 'base/omit-undefined.ts'].includes(target) &&
    !room.startsWith('simulator')
  ) {
    return true;
  }
  if (target === room || target.startsWith(`${room}/`)) {
    return true;
  }
  return (mayImport[room] ?? []).some((allowed) =>
    allowed.endsWith('*') ? target.startsWith(allowed.slice(0, -1)) : target === allowed,
  );
}

describe('structure', () => {
  it('has found the source', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(importsOf('night.ts').length).toBeGreaterThan(5);
  });

  it.each(files)('%s lies in a known room and imports only what that room may', (file) => {
    const room = roomOf(file);
    expect(room, `${file} is in no room of the table; write down what it may import`).toBeDefined();
    const foreign = ownImportsOf(file).filter((target) => target !== 'package.json' && !isAllowed(target, room ?? ''));
    expect(foreign).toEqual([]);
  });

  it('starts the simulator only from two commands, through one file', () => {
    const starters = files
      .filter((file) => !file.startsWith('simulator/'))
      .flatMap((file) => ownImportsOf(file).map((target) => [file, target]))
      .filter(([, target]) => target?.startsWith('simulator/'));
    expect(starters).toEqual([
      ['cli/demo/demo.ts', 'simulator/simulator.ts'],
      ['cli/sandbox.ts', 'simulator/simulator.ts'],
    ]);
  });

  it('has no circle of imports, type imports included', () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      }
      if (done.has(file) || path.includes(file)) {
        return;
      }
      for (const target of ownImportsOf(file)) {
        visit(target, [...path, file]);
      }
      done.add(file);
    };
    for (const file of files) {
      visit(file, []);
    }
    expect(circles).toEqual([]);
  });

  it.each(files.filter((file) => file.startsWith('core/')))('%s is pure', (file) => {
    expect(importsOf(file).filter((name) => !name.startsWith('.'))).toEqual([]);
    const impure = /\bDate\.now\b|new Date\(\)|\bprocess\b\.|\bfetch\(|Math\.random|\bsetTimeout\b|\bperformance\b/;
    expect(texts.get(file)).not.toMatch(impure);
  });

  it('reads the environment and the process only where something is started', () => {
    const readers = files.filter((file) => /\bprocess\.(env|argv|stdout|stdin)\b/.test(texts.get(file) ?? ''));
    expect(readers.filter((file) => !/^(cli|lambda)/.test(file))).toEqual([]);
  });

  it('gives no two functions of a room one name, and words of the whole house one meaning', () => {
    const functions = files.flatMap((file) => {
      const declared =
        /^(?:export )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+)(?::[^=]+)? = (?:async )?(?:\([^)]*\)|\w+)(?:: [^=]+)? =>/gm;
      return [...(texts.get(file) ?? '').matchAll(declared)].map(([, name, constant]) => ({
        name: name ?? constant ?? '',
        room: dirname(file),
      }));
    });
    expect(functions.length).toBeGreaterThan(1000);
    const byName = Map.groupBy(functions, ({ name }) => name);
    const repeated = [...byName].filter(([, all]) => new Set(all.map(({ room }) => room)).size < all.length);
    expect(repeated).toEqual([]);
    const ambiguous = wordsOfTheHouse.filter((word) => byName.get(word)?.length !== 1);
    expect(ambiguous).toEqual([]);
  });

  it('keeps each package in its own rooms', () => {
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
        .filter((name) => !packageRooms[name]?.some((room) => file === room || file.startsWith(`${room}/`)))
        .map((name) => `${file} imports ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('never executes what came from outside', () => {
    const dangerous = /\beval\(|new Function\(|node:vm|child_process/;
    // One file starts a program: the platform's opener, with one path of ours and no shell.
    expect(files.filter((file) => dangerous.test(texts.get(file) ?? ''))).toEqual(['cli/open.ts']);
    expect(texts.get('cli/open.ts')).not.toMatch(/\bshell\b\s*:|exec/);
  });

  it('leaves out no test without a reason that the end of the run prints', () => {
    const testFiles = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(testFiles.length).toBeGreaterThan(100);
    const silent = /\.(runIf|skipIf)\(|\bskip\(\)/;
    expect(testFiles.filter((file) => silent.test(readFileSync(join(import.meta.dirname, file), 'utf8')))).toEqual([]);
  });

  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, { readonly version?: string; readonly hasInstallScript?: true }>>;
  };

  it('says for each install script of a package whether it may run, so that npm ci warns of none', () => {
    const scripted = Object.entries(lock.packages).flatMap(([path, entry]) =>
      entry.hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
    );
    expect(Object.keys(manifest.allowScripts).sort()).toEqual(scripted.sort());
  });

  it('has one version', () => {
    expect([lock.version, lock.packages['']?.version]).toEqual([manifest.version, manifest.version]);
  });

  it('never turns off the check of certificates', () => {
    expect(
      files.filter((file) => /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED *=[^=]/.test(texts.get(file) ?? '')),
    ).toEqual([]);
  });
});
