/** The sources in the settings: checked by the schema of their kind, or in part where the kind is unknown. */
import * as v from 'valibot';
import { isRecord } from '../base/is-record.ts';
import { describeUnknownWord, formatIssues, formatProblem, sourceNameSchema } from './fields.ts';
import { listValues, mustBeReference, parseReference } from './secret-references.ts';
import { findUrlProblem } from './urls.ts';

/** The properties of a kind of source on which the settings depend. */
export interface SourceShape<Settings = unknown> {
  /** The value of `platform`. */
  readonly kind: string;
  readonly schema: v.GenericSchema<unknown, Settings>;
  /** Keys whose values must be references to secrets. */
  readonly secretKeys: readonly string[];
}

export function readSourceSettings<Settings>(
  items: readonly unknown[],
  shapes: readonly SourceShape<Settings>[],
): { readonly sources: readonly Settings[]; readonly problems: readonly string[] } {
  const sources: Settings[] = [];
  const problems: string[] = [];
  const names = items.map((item) => (isRecord(item) && typeof item.name === 'string' ? item.name : undefined));
  const folded = names.map((name) => name?.toLowerCase());
  for (const [index, item] of items.entries()) {
    const at = ['sources', index] as const;
    if (!isRecord(item)) {
      problems.push(formatProblem(at, 'must be a block with name and platform'));
      continue;
    }
    const shape = shapes.find(({ kind }) => kind === item.platform);
    const result = shape && v.safeParse(shape.schema, item);
    if (result?.success) {
      sources.push(result.output);
    } else {
      problems.push(...(result ? formatIssues(result.issues, at) : checkUnknownKind(item, at, shapes)));
    }
    const first = folded.indexOf(folded[index]);
    if (names[index] !== undefined && first < index) {
      problems.push(
        formatProblem([...at, 'name'], `is "${names[index]}", as is sources[${first}].name; names must differ`),
      );
    }
  }
  return { sources, problems };
}

/** Checks the parts of a source of an unknown kind that need no kind: name, secret references, addresses. */
function checkUnknownKind(
  item: Record<string, unknown>,
  at: readonly (string | number)[],
  shapes: readonly SourceShape[],
): string[] {
  const { platform } = item;
  const known = shapes.map(({ kind }) => kind);
  const secretKeys = new Set(shapes.flatMap((shape) => shape.secretKeys));
  const wrongPlatform =
    platform === undefined
      ? `is missing; it must be one of ${known.join(', ')}`
      : describeUnknownWord(String(platform), known);
  return [
    formatProblem([...at, 'platform'], wrongPlatform),
    ...formatIssues(v.safeParse(sourceNameSchema, item.name).issues ?? [], [...at, 'name']),
    ...listValues(item, at).flatMap(({ path, value }) => {
      const problem = findValueProblem(value, secretKeys.has(String(path.at(-1))));
      return problem === undefined ? [] : [formatProblem(path, problem)];
    }),
  ];
}

function findValueProblem(value: unknown, isSecret: boolean): string | undefined {
  if (isSecret && parseReference(String(value)) === undefined) {
    return mustBeReference;
  }
  const isUrl = typeof value === 'string' && /^[a-z]+:\/\//i.test(value);
  return isUrl ? findUrlProblem(value, { path: 'any', wildcard: true }) : undefined;
}
