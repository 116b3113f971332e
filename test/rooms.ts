/** The rooms of the source: what each may import of ours, and which packages belong to it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** With these a part says what its settings are. */
const settingsWords = ['settings/fields.ts', 'settings/secret-references.ts'];

/** What reads one platform. */
const source = [
  'core/*',
  'deployment/*',
  'base/errors.ts',
  'http/*',
  'base/sha256.ts',
  'microsoft/*',
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
    [`${kind}/kind.ts`, ['core/*', 'deployment/*', 'microsoft/*', 'settings/*', 'sources/source-kind.ts', `${kind}/*`]],
    [`${kind}/init`, [...source, 'settings/*', 'sources/interview.ts', `${kind}/*`]],
  ]),
);

/** What each room may import of ours. `*` stands for any file of a folder; a room may always import itself. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  // How a run is started.
  'bin.ts': ['cli.ts'],
  'cli.ts': ['cli/*', 'base/version.ts', 'core/time/calendar.ts', 'http/prepare-network.ts'],
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
    'settings/schedule/scheduled-time.ts',
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
    ...[
      'alerts/*',
      'core/*',
      'settings/schedule/*',
      'settings/tenants.ts',
      'storage/*',
      'base/errors.ts',
      'base/log.ts',
    ],
    ...['base/time-limit.ts'],
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
  'core/time': ['core/text/*'],
  'core/facts': ['core/time/*', 'core/text/*'],
  'core/record': ['core/facts/*', 'core/time/*', 'core/text/*'],
  'core/machine': ['core/record/*', 'core/facts/*', 'core/time/*', 'core/text/*'],
  'core/ledger': ['core/machine/*', 'core/record/*', 'core/facts/*', 'core/time/*', 'core/text/*'],
  'core/source': ['core/ledger/*', 'core/machine/*', 'core/record/*', 'core/facts/*', 'core/time/*', 'core/text/*'],
  'core/lists': [
    'core/ledger/*',
    'core/machine/*',
    'core/record/*',
    'core/source/*',
    'core/facts/*',
    'core/time/*',
    'core/text/*',
  ],
  'core/alerts': [
    ...['core/ledger/*', 'core/machine/*', 'core/record/*', 'core/source/*', 'core/lists/*', 'core/facts/*'],
    ...['core/time/*', 'core/text/*'],
  ],
  'core/judge.ts': ['core/*'],
  http: ['base/errors.ts'],
  aws: ['base/errors.ts', 'http/connection-failures.ts'],
  // Signing in at Entra, and what sources and channels of Microsoft have in common.
  microsoft: ['base/errors.ts', 'http/*', ...settingsWords, 'settings/urls.ts'],
  'alerts/channel.ts': ['alerts/message/*', 'http/clock.ts'],
  // A type of channel brings the schema of its settings.
  'alerts/channel-kind.ts': ['alerts/channel.ts', 'core/facts/*', ...settingsWords, 'http/secrets.ts'],
  'alerts/channel-kinds.ts': ['alerts/channel-kind.ts', 'alerts/channels/*', 'settings/fields.ts'],
  'alerts/channels': [
    ...[
      'alerts/channel.ts',
      'alerts/channel-kind.ts',
      ...settingsWords,
      'settings/urls.ts',
      'alerts/message/*',
      'aws/client.ts',
      'microsoft/*',
      'core/text/pluralize.ts',
      'base/errors.ts',
      'base/sha256.ts',
      'http/*',
    ],
  ],
  'alerts/message': ['core/*', 'base/errors.ts', 'base/html.ts'],
  'alerts/delivery': [
    ...['alerts/channel.ts', 'alerts/channels/http-message.ts', 'alerts/message/*', 'core/*', 'base/errors.ts'],
    ...['base/time-limit.ts', 'http/clock.ts', 'http/connection-failures.ts', 'http/secrets.ts', 'storage/*'],
  ],
  'sources/source.ts': ['core/*', 'http/clock.ts', 'http/wait-budget.ts'],
  'sources/source-kind.ts': [
    ...['core/*', 'deployment/*', 'http/secrets.ts'],
    ...['sources/interview.ts', 'sources/source.ts'],
  ],
  'sources/interview.ts': ['http/secrets.ts', 'sources/source.ts'],
  ...roomsOfKinds,
  'sources/reading': [
    ...['base/errors.ts', 'core/facts/*', 'http/*', 'sources/source.ts'],
    ...['deployment/checks/check.ts', 'deployment/settings.ts'],
  ],
  // The document's facts, checks and artifacts: pure.
  deployment: ['core/*', 'base/errors.ts', 'base/sha256.ts'],
  // The block `deployment` of the settings.
  'deployment/settings.ts': [
    'deployment/definition.ts',
    'settings/fields.ts',
    'settings/people/canaries.ts',
    'settings/urls.ts',
  ],
  reports: ['core/*', 'base/gzip-texts.ts', 'base/html.ts', 'base/log.ts'],
  settings: ['aws/*', 'core/*', 'base/errors.ts', 'base/sha256.ts'],
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
    ...['aws/client.ts', 'base/errors.ts', 'base/sha256.ts', 'http/clock.ts', 'http/connection-failures.ts'],
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
  'simulator/simulator.ts': ['simulator/*'],
  // What is true knows no platform, and no platform knows what controls the simulator.
  'simulator/devices': [],
  'simulator/platforms': ['simulator/devices/*'],
  'simulator/control': ['simulator/devices/*', 'simulator/platforms/*'],
};

/** Packages that belong to one room only: their replacement should touch one room only. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
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
  commander: ['cli.ts', 'cli/completion.ts', 'cli/help.ts'],
  'csv-parse': ['sources/intune'],
  'csv-parse/sync': ['settings'],
  'csv-stringify/sync': ['reports'],
  'node-cron': ['cli', 'settings'],
  nodemailer: ['alerts/channels'],
  oauth4webapi: [...kinds, 'http', 'microsoft'],
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
      'deployment/settings.ts',
      'microsoft',
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
