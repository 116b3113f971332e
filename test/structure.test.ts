/** The house rules: who may import whom, no circles, a pure core, and no room that nobody wrote a rule for. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', 'src');

/** A kind of source brings the schema of its settings. */
const sourceKind = [
  'core/*',
  'deployment/*',
  'settings/*',
  'sources/source-kind.ts',
  'sources/jamf/*',
  'sources/intune/*',
];

/** What reads one platform. */
const source = ['core/*', 'deployment/*', 'errors.ts', 'http/*', 'sha256.ts', 'sources/read.ts', 'sources/source.ts'];

/** What each room may import of ours. `*` stands for any file of a folder; a room may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // How a run is started.
  'cli.ts': ['cli/*', 'version.ts'],
  cli: ['*'],
  'lambda.ts': ['*'],
  lambda: [
    'core/*',
    'errors.ts',
    'log.ts',
    'night.ts',
    'settings/scheduled-time.ts',
    'settings/tenants.ts',
    'storage/store.ts',
  ],
  // Settings become parts; this room alone knows every part.
  compose: ['*'],
  // The whole way, and its steps.
  'night.ts': [
    ...['alerts/*', 'core/*', 'run/*', 'storage/*', 'errors.ts', 'version.ts'],
    ...['reports/report.ts', 'reports/table.ts', 'settings/schedule.ts'],
  ],
  run: [
    ...['alerts/*', 'core/*', 'settings/*', 'storage/*', 'errors.ts', 'log.ts', 'night.ts'],
    ...['http/clock.ts', 'http/patience.ts', 'http/server-clocks.ts'],
    ...['deployment/checks/statement.ts', 'sources/source.ts', 'version.ts'],
  ],
  'errors.ts': [],
  'gzip-texts.ts': [],
  'is-record.ts': [],
  'omit-undefined.ts': [],
  'sha256.ts': [],
  'log.ts': [],
  'version.ts': [],
  // Parts know their contract, the core's words and what carries them; never another part.
  core: [],
  http: ['errors.ts'],
  aws: ['errors.ts'],
  'alerts/channel.ts': ['alerts/message/*', 'http/clock.ts'],
  'alerts/channels': [
    ...['alerts/channel.ts', 'alerts/message/*', 'aws/failure.ts', 'core/pluralize.ts', 'errors.ts', 'http/*'],
  ],
  'alerts/message': ['core/*', 'errors.ts'],
  'alerts/delivery': [
    ...['alerts/channel.ts', 'alerts/channels/http-message.ts', 'alerts/message/*', 'core/*', 'errors.ts'],
    ...['http/clock.ts', 'http/secret-provider.ts', 'storage/*'],
  ],
  'sources/source.ts': ['core/*', 'http/clock.ts', 'http/patience.ts'],
  'sources/source-kind.ts': [
    ...['core/*', 'deployment/*', 'http/request-limit.ts', 'http/secret-provider.ts', 'sources/source.ts'],
  ],
  'sources/jamf/kind.ts': sourceKind,
  'sources/intune/kind.ts': sourceKind,
  'sources/read.ts': [],
  'sources/jamf': source,
  'sources/intune': source,
  // The document's facts, checks and artifacts: pure.
  deployment: ['core/*', 'errors.ts', 'sha256.ts'],
  // The block `deployment` of the settings.
  'deployment/deployment-settings.ts': [
    ...['core/vocabulary.ts', 'deployment/catalogue.ts', 'deployment/definition.ts'],
    ...['settings/fields.ts', 'settings/sentences.ts', 'settings/urls.ts'],
  ],
  reports: ['core/*', 'gzip-texts.ts', 'log.ts'],
  settings: ['aws/*', 'core/*', 'deployment/deployment-settings.ts', 'errors.ts', 'http/origin.ts'],
  'storage/store.ts': [],
  'storage/signing': ['errors.ts'],
  'storage/folder': ['core/order.ts', 'errors.ts', 'sha256.ts', 'storage/store.ts'],
  'storage/s3': ['errors.ts', 'http/clock.ts', 'sha256.ts', 'storage/store.ts'],
  'storage/runs': [
    ...[
      'core/*',
      'errors.ts',
      'gzip-texts.ts',
      'reports/csv.ts',
      'reports/report.ts',
      'reports/table.ts',
      'sha256.ts',
      'storage/signing/*',
      'storage/store.ts',
    ],
  ],
  // A misreading made on both sides would cancel out, so the sandbox shares nothing.
  sandbox: [],
  // What is true knows no platform, and no platform knows what controls the sandbox, but for its faults.
  'sandbox/devices': [],
  'sandbox/platforms': ['sandbox/devices/*', 'sandbox/control/faults.ts'],
  'sandbox/control': ['sandbox/devices/*', 'sandbox/platforms/*'],
};

/** Packages that belong to one room only: their replacement should touch one room only. */
const packageRooms: Readonly<Record<string, readonly string[]>> = {
  '@aws-lambda-powertools/logger': ['lambda'],
  '@aws-lambda-powertools/metrics': ['run'],
  'aws-lambda': ['lambda', 'lambda.ts'],
  '@aws-sdk/client-eventbridge': ['alerts/channels'],
  '@aws-sdk/client-kms': ['aws'],
  '@aws-sdk/client-s3': ['aws', 'storage/s3'],
  '@aws-sdk/client-secrets-manager': ['aws'],
  '@aws-sdk/client-sns': ['alerts/channels'],
  '@aws-sdk/client-ssm': ['aws'],
  '@aws-sdk/client-sts': ['aws'],
  asn1js: ['deployment/profile'],
  commander: ['cli.ts'],
  'csv-parse': ['sources/intune'],
  'csv-parse/sync': ['settings'],
  'csv-stringify/sync': ['reports'],
  'node-cron': ['cli', 'settings'],
  nodemailer: ['alerts/channels'],
  oauth4webapi: ['sources/jamf', 'sources/intune'],
  'p-limit': ['http'],
  valibot: [
    'compose',
    'deployment/deployment-settings.ts',
    'settings',
    'storage/runs',
    'sources/jamf',
    'sources/intune',
    'sources/source-kind.ts',
  ],
  plist: ['deployment'],
  xml2js: ['deployment/profile', 'sandbox/control', 'sources/jamf'],
  yaml: ['compose'],
  yauzl: ['sources/intune'],
  yazl: ['reports'],
};

/** Names of functions that stand in two files, and why. */
const sharedFunctionNames: Readonly<Record<string, string>> = {
  computeEditDistance: 'the sandbox shares no code with the rest',
  omitUndefined: 'the sandbox shares no code with the rest',
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

function importsOf(file: string): string[] {
  const text = (texts.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const patterns = [/\bfrom\s+'([^']+)'/g, /^import\s+'([^']+)'/gm, /\bimport\(\s*'([^']+)'\s*\)/g];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

/** Imports of our own files, as paths from src. */
function ownImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)).replaceAll('\\', '/'));
}

/** The longest key of the table that the file lies in. */
function roomOf(file: string): string | undefined {
  const rooms = Object.keys(mayImport).filter((room) => file === room || file.startsWith(`${room}/`));
  return rooms.sort((left, right) => right.length - left.length)[0];
}

function isAllowed(target: string, room: string): boolean {
  // Two small functions that every room may use.
  if (['is-record.ts', 'omit-undefined.ts'].includes(target) && !room.startsWith('sandbox')) {
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
    const foreign = ownImportsOf(file).filter((target) => !target.startsWith('..') && !isAllowed(target, room ?? ''));
    expect(foreign).toEqual([]);
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

  it('gives no two functions one name, so that a name has one meaning', () => {
    const functions = files.flatMap((file) => {
      const declared =
        /^(?:export )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+)(?::[^=]+)? = (?:async )?(?:\([^)]*\)|\w+)(?:: [^=]+)? =>/gm;
      return [...(texts.get(file) ?? '').matchAll(declared)].map(([, name, constant]) => ({
        file,
        name: name ?? constant ?? '',
      }));
    });
    expect(functions.length).toBeGreaterThan(1000);
    const repeated = [...Map.groupBy(functions, ({ name }) => name)].filter(([, all]) => all.length > 1);
    const unexplained = repeated.filter(([name]) => sharedFunctionNames[name] === undefined);
    expect(unexplained.map(([name, all]) => [name, ...all.map(({ file }) => file)])).toEqual([]);
    expect(Object.keys(sharedFunctionNames).filter((name) => !repeated.some(([known]) => known === name))).toEqual([]);
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

  const lock = JSON.parse(readFileSync(join(root, '..', 'package-lock.json'), 'utf8')) as {
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
