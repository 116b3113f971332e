/** Parses the text of `muster.yaml` into settings, or lists every problem at once. Pure apart from its arguments. */

import * as v from 'valibot';
import { type ErrorCode, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';
import { MusterError } from '../base/errors.ts';
import { isRecord } from '../base/is-record.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { formatIssues, formatProblem } from '../settings/fields.ts';
import { canariesSchema, findCanaryProblems } from '../settings/people/canaries.ts';
import { listReferences } from '../settings/secret-references.ts';
import { readSourceSettings } from '../settings/sources.ts';
import { type Environment, readVariable } from '../settings/tenants.ts';
import { type SharedSettings, settingsSchema } from './settings-schema.ts';
import { type AnySourceKind, type SourceSettings, sourceKinds } from './source-kinds.ts';

export interface Settings extends SharedSettings {
  readonly sources: readonly SourceSettings[];
}

/** Settings, or their problems. */
interface SettingsResult {
  readonly settings: Settings | undefined;
  readonly problems: readonly string[];
}

/** Characters of a settings file; a much larger file is a mistake or an attack. */
const maximumLength = 250_000;

/** YAML errors to report; one file can have thousands. */
const maximumYamlErrors = 20;
/** Errors after which parsing remains reliable; after any other, YAML may misread all that follows. */
const separateErrors: ReadonlySet<ErrorCode> = new Set(['DUPLICATE_KEY', 'MULTIPLE_DOCS']);

interface ReadOptions {
  readonly kinds?: readonly AnySourceKind[];
  /** Whether platforms will be asked, so that their secrets are needed too. */
  readonly asksSources?: boolean;
}

/** Parses settings; with `environment`, the variables to which they refer must be set. */
export function readSettings(
  yaml: string,
  environment?: Environment,
  { kinds = sourceKinds, asksSources = true }: ReadOptions = {},
): SettingsResult {
  if (yaml.length > maximumLength) {
    return { settings: undefined, problems: [`settings: is longer than ${maximumLength} characters.`] };
  }
  // Reports only errors: a parser's warning would print the setting, and `silent` would accept a second document. Its
  // pretty errors are slow when there are thousands.
  const lineCounter = new LineCounter();
  // The parser's own check for duplicate keys compares each with each.
  const document = parseDocument(yaml, { prettyErrors: false, lineCounter, logLevel: 'error', uniqueKeys: false });
  const errors = [...document.errors, ...findDoubledKeys(document)].sort((one, other) => one.pos[0] - other.pos[0]);
  if (errors.length > 0) {
    return { settings: undefined, problems: describeYamlErrors(errors, lineCounter) };
  }
  const value = toValue(document);
  if (!isRecord(value)) {
    const problem =
      value === 'unresolvable'
        ? 'an alias (*name) stands inside its own anchor, or too many do.'
        : 'must be a block with sources and store, such as docs/connect.md shows.';
    return { settings: undefined, problems: [`settings: ${problem}`] };
  }
  const result = v.safeParse(settingsSchema, value);
  const items: unknown[] = Array.isArray(value.sources) ? value.sources : [];
  const sources = readSourceSettings<SourceSettings>(items, kinds);
  const problems = [
    ...formatIssues(result.issues ?? [], []),
    ...sources.problems,
    ...listCanaryProblems(value.deployment, items, kinds),
    ...(environment === undefined
      ? []
      : listUnsetVariables(asksSources ? value : { ...value, sources: [] }, environment)),
  ];
  if (!result.success || problems.length > 0) {
    return { settings: undefined, problems };
  }
  return { settings: { ...result.output, sources: sources.sources }, problems: [] };
}

/** Problems of canaries, found even where another setting is wrong, so that all are reported at once. */
function listCanaryProblems(
  deployment: unknown,
  sources: readonly unknown[],
  kinds: readonly AnySourceKind[],
): string[] {
  const canaries = v.safeParse(canariesSchema, isRecord(deployment) ? deployment.canaries : undefined);
  if (!canaries.success) {
    return [];
  }
  const named = sources.filter(isRecord).flatMap(({ name, platform }) => {
    const kind = kinds.find((candidate) => candidate.kind === platform);
    const operatingSystems = Object.keys(kind?.rules.operatingSystems ?? {});
    return typeof name === 'string' ? [{ name, operatingSystems }] : [];
  });
  return findCanaryProblems(canaries.output, named);
}

function listUnsetVariables(settings: object, environment: Environment): string[] {
  return listReferences(settings)
    .filter(({ reference: { from, name } }) => from === 'env' && !readVariable(environment, name)?.trim())
    .map(({ path, reference }) =>
      formatProblem(path, `refers to the environment variable ${reference.name}, which is not set`),
    );
}

/** Converts the document. Limits aliases, so that a small file cannot become a huge value, and rejects cycles. */
function toValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    JSON.stringify(value);
    return value;
  } catch {
    return 'unresolvable';
  }
}

type Mistake = Pick<YAMLError, 'code' | 'pos'>;

function findDoubledKeys(document: ReturnType<typeof parseDocument>): Mistake[] {
  const doubled: Mistake[] = [];
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (isScalar(key)) {
          const [start = 0, end = 0] = key.range ?? [];
          doubled.push(
            ...(known.has(key.value) ? [{ code: 'DUPLICATE_KEY' as const, pos: [start, end] as Mistake['pos'] }] : []),
          );
          known.add(key.value);
        }
      }
    },
  });
  return doubled;
}

/** Describes YAML errors without the parser's own message, which quotes the line and perhaps a secret. */
function describeYamlErrors(errors: readonly Mistake[], lineCounter: LineCounter): string[] {
  const first = errors.find(({ code }) => !separateErrors.has(code));
  const told = errors.filter((error) => error === first || separateErrors.has(error.code));
  const described = told.slice(0, maximumYamlErrors).map((error) => describeYamlError(error, lineCounter));
  const more = told.length - described.length;
  return more === 0
    ? described
    : [...described, `settings: and ${more} more ${pluralize(more, 'place')} that YAML does not allow.`];
}

function describeYamlError({ code, pos }: Mistake, lineCounter: LineCounter): string {
  const { line, col } = lineCounter.linePos(pos[0]);
  return `settings: line ${line}, column ${col}: ${yamlProblems[code] ?? `is not valid YAML (${code})`}.`;
}

const yamlProblems: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a second document begins, of which nothing would be read; remove the line ---',
  BAD_INDENT: 'the indentation is wrong, or a bracket before it is not closed',
  TAB_AS_INDENT: 'a tab is used for indentation, where YAML allows only spaces',
  DUPLICATE_KEY: 'this setting stands twice in its block',
  MISSING_CHAR: 'a closing bracket or quote, a comma or a colon is missing, here or on a line before',
  BAD_SCALAR_START: 'the value begins with a character that needs quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes is not followed by a known character',
  MULTILINE_IMPLICIT_KEY: 'the name of a setting must stand on one line, followed by a colon',
  BLOCK_AS_IMPLICIT_KEY: 'two colons stand on one line; put the value in quotes',
};

export function createSettingsError(file: string, problems: readonly string[]): MusterError {
  const count = `${problems.length} ${pluralize(problems.length, 'problem')}`;
  return new MusterError(
    'settings-invalid',
    `The settings in ${file} have ${count}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );
}
