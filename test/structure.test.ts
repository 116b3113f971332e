/** The house rules: who may import whom, no circles, a pure core, and no room that nobody wrote a rule for. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { readImports } from './read-imports.ts';

const root = join(import.meta.dirname, '..');

/** With these a part says what its settings are. */
const settingsWords = ['settings/fields.ts', 'settings/secret-references.ts'];

/** What reads one platform. */
const source = [
  'core/*',
  'deployment/*',
  'settings/deployment/*',
  'base/errors.ts',
  'http/*',
  'base/sha256.ts',
  'sources/reading/*',
  'sources/source.ts',
];

/** The folders of `sources` that are kinds: all but what they share. */
const kinds = readdirSync(join(root, 'src', 'sources'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'reading')
  .map(({ name }) => `sources/${name}`);

/** Each kind has the same rooms, and never imports another. It brings the schema of its settings, and what `muster init` asks. */
const roomsOfKinds = Object.fromEntries(
  kinds.flatMap((kind) => [
    [kind, source],
    [`${kind}/kind.ts`, ['core/*', 'deployment/*', 'settings/*', 'sources/source-kind.ts', `${kind}/*`]],
    [`${kind}/init`, [...source, 'settings/*', 'sources/interview.ts', `${kind}/*`]],
  ]),
);

/** What each room may import of ours. `*` stands for any file of a folder; a room may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // How a run is started.
  'bin.ts': ['cli.ts'],
  'cli.ts': ['cli/*', 'base/refuse-unchecked-certificates.ts', 'base/version.ts', 'core/facts/calendar.ts'],
  cli: ['*'],
  'lambda.ts': ['*'],
  lambda: [
    'core/*',
    'base/errors.ts',
    'base/log.ts',
    'base/time-limit.ts',
    'run/corrections/*',
    'run/finish-run.ts',
    'run/outcome.ts',
    'run/parts.ts',
    'settings/schedule/schedule.ts',
    'settings/tenants.ts',
    'storage/damage.ts',
    'storage/verify/verify.ts',
    'storage/store.ts',
    'storage/with-deadline.ts',
  ],
  // Settings become parts; this room alone knows every part.
  compose: ['*'],
  // The whole way, and its steps.
  'night.ts': ['run/*'],
  run: [
    ...['alerts/*', 'core/*', 'settings/*', 'storage/*', 'base/errors.ts', 'base/log.ts', 'base/time-limit.ts'],
    ...['base/version.ts', 'http/clock.ts', 'http/wait-budget.ts'],
    ...[
      'deployment/checks/statements.ts',
      'reports/csv.ts',
      'reports/report.ts',
      'reports/table.ts',
      'sources/source.ts',
    ],
  ],
  base: [],
  // Parts know their contract, the core's words and what carries them; never another part.
  'core/text': [],
  'core/facts': ['core/text/*'],
  'core/record': ['core/facts/*', 'core/text/*'],
  'core/machine': ['core/record/*', 'core/facts/*', 'core/text/*'],
  'core/ledger': ['core/machine/*', 'core/record/*', 'core/facts/*', 'core/text/*'],
  'core/source': ['core/ledger/*', 'core/machine/*', 'core/record/*', 'core/facts/*', 'core/text/*'],
  'core/lists': ['core/ledger/*', 'core/machine/*', 'core/record/*', 'core/source/*', 'core/facts/*', 'core/text/*'],
  'core/alerts': [
    ...['core/ledger/*', 'core/machine/*', 'core/record/*', 'core/source/*', 'core/lists/*', 'core/facts/*'],
    ...['core/text/*'],
  ],
  'core/judge.ts': ['core/*'],
  http: ['base/errors.ts'],
  aws: ['base/errors.ts'],
  'alerts/channel.ts': ['alerts/message/*', 'http/clock.ts'],
  // A type of channel brings the schema of its settings.
  'alerts/channel-kind.ts': ['alerts/channel.ts', 'core/facts/*', ...settingsWords, 'http/secrets.ts'],
  'alerts/channel-kinds.ts': ['alerts/channel-kind.ts', 'alerts/channels/*'],
  'alerts/channels': [
    ...[
      'alerts/channel.ts',
      'alerts/channel-kind.ts',
      ...settingsWords,
      'alerts/message/*',
      'aws/client.ts',
      'core/text/pluralize.ts',
      'base/errors.ts',
      'http/*',
    ],
  ],
  'alerts/message': ['core/*', 'base/errors.ts', 'base/html.ts'],
  'alerts/delivery': [
    ...['alerts/channel.ts', 'alerts/channels/http-message.ts', 'alerts/message/*', 'core/*', 'base/errors.ts'],
    ...['base/time-limit.ts', 'http/clock.ts', 'http/secrets.ts', 'http/send-request.ts', 'storage/*'],
  ],
  'sources/source.ts': ['core/*', 'http/clock.ts', 'http/wait-budget.ts'],
  'sources/source-kind.ts': [
    ...['core/*', 'deployment/*', 'settings/deployment/*', 'http/secrets.ts'],
    ...['sources/interview.ts', 'sources/source.ts'],
  ],
  'sources/interview.ts': ['http/secrets.ts', 'sources/source.ts'],
  ...roomsOfKinds,
  'sources/reading': [
    ...['base/errors.ts', 'core/facts/*', 'http/*', 'sources/source.ts'],
    ...['deployment/checks/check.ts', 'settings/deployment/deployment.ts'],
  ],
  // The document's facts, checks and artifacts: pure.
  deployment: ['core/*', 'settings/deployment/*', 'base/errors.ts', 'base/sha256.ts'],
  reports: ['core/*', 'base/gzip-texts.ts', 'base/html.ts', 'base/log.ts'],
  settings: [
    'alerts/channel-kinds.ts',
    'aws/*',
    'core/*',
    'deployment/definition.ts',
    'base/errors.ts',
    'base/sha256.ts',
  ],
  'storage/store.ts': [],
  'storage/with-deadline.ts': ['storage/store.ts'],
  'storage/damage.ts': [],
  'storage/keys.ts': [],
  'storage/safe-keys.ts': ['base/errors.ts'],
  'storage/bounds.ts': [],
  'storage/side-by-side.ts': [],
  'storage/stored-json.ts': ['base/errors.ts'],
  'storage/unnamed-files.ts': ['base/errors.ts'],
  'storage/signing': ['base/errors.ts', 'base/log.ts', 'storage/damage.ts'],
  'storage/folder': [
    ...['core/text/order.ts', 'base/errors.ts', 'base/sha256.ts'],
    ...['storage/bounds.ts', 'storage/safe-keys.ts', 'storage/store.ts', 'storage/stored-json.ts'],
  ],
  'storage/s3': [
    ...['aws/client.ts', 'base/errors.ts', 'base/sha256.ts', 'http/clock.ts'],
    ...['storage/bounds.ts', 'storage/safe-keys.ts', 'storage/store.ts'],
  ],
  // The log knows no file of a run.
  'storage/commits': [
    ...['core/facts/*', 'base/errors.ts', 'base/sha256.ts', 'storage/signing/*'],
    ...['storage/damage.ts', 'storage/keys.ts', 'storage/store.ts', 'storage/stored-json.ts'],
  ],
  // Claims and marks of messages name commits, and no file of a run.
  'storage/deliveries': [
    ...['base/errors.ts', 'storage/commits/*', 'storage/signing/*'],
    ...['storage/keys.ts', 'storage/store.ts', 'storage/stored-json.ts'],
  ],
  'storage/runs': [
    ...['core/*', 'base/errors.ts', 'base/gzip-texts.ts', 'base/sha256.ts'],
    ...['reports/csv.ts', 'reports/report.ts', 'reports/table.ts'],
    ...['storage/commits/*', 'storage/signing/*', 'storage/keys.ts', 'storage/store.ts', 'storage/stored-json.ts'],
    ...['storage/side-by-side.ts', 'storage/unnamed-files.ts'],
  ],
  'storage/verify': [
    ...['core/facts/operations.ts', 'core/text/pluralize.ts', 'base/sha256.ts'],
    ...['storage/commits/*', 'storage/runs/*', 'storage/signing/*'],
    ...['storage/bounds.ts', 'storage/damage.ts', 'storage/keys.ts', 'storage/store.ts', 'storage/stored-json.ts'],
  ],
  // A misreading made on both sides would cancel out, so the simulator shares nothing.
  'simulator/sandbox.ts': ['simulator/*'],
  // What is true knows no platform, and no platform knows what controls the simulator.
  'simulator/devices': [],
  'simulator/platforms': ['simulator/devices/*'],
  'simulator/control': ['simulator/devices/*', 'simulator/platforms/*'],
};

/** Packages that belong to one room only: their replacement should touch one room only. */
const packageRooms: Readonly<Record<string, readonly string[]>> = {
  '@aws-lambda-powertools/logger': ['lambda.ts'],
  '@aws-lambda-powertools/metrics': ['run'],
  'aws-lambda': ['lambda.ts'],
  '@aws-sdk/client-eventbridge': ['alerts/channels'],
  '@aws-sdk/client-kms': ['aws'],
  '@aws-sdk/client-s3': ['aws', 'storage/s3'],
  '@aws-sdk/client-secrets-manager': ['aws'],
  '@aws-sdk/client-sns': ['alerts/channels'],
  '@aws-sdk/client-ssm': ['aws'],
  '@aws-sdk/client-sts': ['aws'],
  asn1js: ['deployment/profile'],
  '@bomb.sh/tab/commander': ['cli/completion.ts'],
  commander: ['cli.ts', 'cli/completion.ts'],
  'csv-parse': ['sources/intune'],
  'csv-parse/sync': ['settings'],
  'csv-stringify/sync': ['reports'],
  'node-cron': ['cli', 'settings'],
  nodemailer: ['alerts/channels'],
  oauth4webapi: [...kinds, 'sources/reading'],
  'p-limit': [
    'cli',
    'compose',
    'http',
    ...kinds,
    'sources/source-kind.ts',
    'storage/commits',
    'storage/side-by-side.ts',
  ],
  valibot: [
    'storage/deliveries',
    ...[
      'alerts/channel-kind.ts',
      'alerts/channel-kinds.ts',
      'alerts/channels',
      'compose',
      'settings',
      'storage/commits',
      'storage/runs',
      'storage/stored-json.ts',
    ],
    ...[...kinds, 'sources/interview.ts', 'sources/source-kind.ts', 'cli/init'],
  ],
  plist: ['deployment'],
  xml2js: ['deployment/profile', 'simulator/control', 'sources/jamf'],
  yaml: ['compose'],
  yauzl: ['sources/intune'],
  yazl: ['reports', 'simulator/platforms/graph'],
};

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
      ['cli/demo.ts', 'simulator/sandbox.ts'],
      ['cli/sandbox.ts', 'simulator/sandbox.ts'],
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
