/** The sources in the settings: each kind's own shape, and what can be checked without knowing the kind. */
import * as v from 'valibot';
import { sourceName } from './fields.ts';
import { mustBeReference, readReference } from './references.ts';
import { sentence, sentences, unknownWord } from './sentences.ts';
import { urlProblem } from './urls.ts';

/** What the settings need to know of a kind of source. */
export interface SourceShape<Settings = unknown> {
  /** The word that stands under `platform`. */
  readonly kind: string;
  readonly schema: v.GenericSchema<unknown, Settings>;
  /** Keys whose values are only ever references to secrets. */
  readonly secretKeys: readonly string[];
}

export interface SourcesRead<Settings> {
  readonly sources: readonly Settings[];
  readonly problems: readonly string[];
}

export function readSources<Settings>(
  items: readonly unknown[],
  shapes: readonly SourceShape<Settings>[],
): SourcesRead<Settings> {
  const sources: Settings[] = [];
  const problems: string[] = [];
  const names = new Map<string, number>();
  items.forEach((item, index) => {
    const at = ['sources', index] as const;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      problems.push(sentence(at, 'must be a block with name and platform'));
      return;
    }
    const { platform, name } = item as { platform?: unknown; name?: unknown };
    const shape = shapes.find(({ kind }) => kind === platform);
    if (shape === undefined) {
      problems.push(...withoutKind(item as Record<string, unknown>, platform, at, shapes));
    } else {
      const result = v.safeParse(shape.schema, item);
      if (result.success) sources.push(result.output);
      else problems.push(...sentences(result.issues, at));
    }
    if (typeof name !== 'string') return;
    const first = names.get(name.toLowerCase());
    if (first !== undefined)
      problems.push(sentence([...at, 'name'], `is "${name}", as is sources[${first}].name; names must differ`));
    else names.set(name.toLowerCase(), index);
  });
  return { sources, problems };
}

function isLiteral(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'string' || readReference(value) === undefined);
}

/** A source of an unknown kind is still checked for what needs no kind: name, secret references, addresses. */
function withoutKind(
  item: Record<string, unknown>,
  platform: unknown,
  at: readonly (string | number)[],
  shapes: readonly SourceShape[],
): string[] {
  const known = shapes.map(({ kind }) => kind);
  const secretKeys = new Set(shapes.flatMap((shape) => shape.secretKeys));
  const problems = [
    sentence(
      [...at, 'platform'],
      platform === undefined
        ? `is missing; it must be one of ${known.join(', ')}`
        : unknownWord(String(platform), known),
    ),
  ];
  const name = v.safeParse(sourceName, item.name);
  if (!name.success) problems.push(...sentences(name.issues, [...at, 'name']));
  walk(item, at, (value, path) => {
    const key = path.at(-1);
    if (typeof key === 'string' && secretKeys.has(key) && isLiteral(value))
      problems.push(sentence(path, mustBeReference));
    else if (typeof value === 'string' && /^[a-z]+:\/\//i.test(value)) {
      const problem = urlProblem(value, { path: true, wildcard: true });
      if (problem !== undefined) problems.push(sentence(path, problem));
    }
  });
  return problems;
}

function walk(
  value: unknown,
  path: readonly (string | number)[],
  visit: (value: unknown, path: readonly (string | number)[]) => void,
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      walk(item, [...path, index], visit);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) walk(item, [...path, key], visit);
  } else {
    visit(value, path);
  }
}
