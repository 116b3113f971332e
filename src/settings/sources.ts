/** The sources in the settings: each platform's own shape, and what can be checked without knowing the platform. */
import * as v from 'valibot';
import { block, choice, sentence, sentences, unknownWord } from './problems.ts';
import { mustBeReference, publicSchema, readReference, secretKeys, secretSchema } from './references.ts';
import { clientCredentials, sourceName, text } from './schema.ts';
import { originSchema, urlProblem, wildcardOriginSchema } from './urls.ts';

const appList = v.pipe(v.array(text), v.minLength(1, 'must name at least one app'));
const account = block({ username: publicSchema, password: secretSchema });
const client = block(clientCredentials);
const certificate = block({ clientId: publicSchema, certificate: secretSchema });
const federated = block({ clientId: publicSchema, federated: choice(['aws']) });

/** Chosen by the keys that are there, so that a wrong value is named by its own path. */
const jamfAuth = v.lazy((auth) => (has(auth, 'username') || has(auth, 'password') ? account : client));
const intuneAuth = v.lazy((auth) => {
  if (has(auth, 'certificate')) return certificate;
  return has(auth, 'federated') ? federated : client;
});

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value;
}

const jamf = block({
  name: sourceName,
  platform: v.literal('jamf'),
  url: originSchema,
  auth: jamfAuth,
  extensionAttribute: text,
  groups: v.optional(block({ installed: text, notInstalled: text })),
  site: v.optional(v.string('must be text'), ''),
});

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const domain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

const intune = block({
  name: sourceName,
  platform: v.literal('intune'),
  tenantId: v.pipe(
    v.string('must be text'),
    v.check((id) => guid.test(id) || domain.test(id), 'must be the tenant’s id (a GUID) or its domain'),
  ),
  auth: intuneAuth,
  app: v.lazy((app) => (Array.isArray(app) ? appList : text)),
  population: v.optional(choice(['all', 'company']), 'all'),
  cloud: v.optional(choice(['global', 'usgov', 'china']), 'global'),
  endpoints: v.optional(
    block({
      login: v.optional(originSchema),
      graph: v.optional(originSchema),
      downloads: v.optional(wildcardOriginSchema),
    }),
    {},
  ),
});

const platforms = { jamf, intune };

export type JamfSourceSettings = v.InferOutput<typeof jamf>;
export type IntuneSourceSettings = v.InferOutput<typeof intune>;
export type SourceSettings = JamfSourceSettings | IntuneSourceSettings;

export interface SourcesRead {
  readonly sources: readonly SourceSettings[];
  readonly problems: readonly string[];
}

export function readSources(items: readonly unknown[]): SourcesRead {
  const sources: SourceSettings[] = [];
  const problems: string[] = [];
  const names = new Map<string, number>();
  items.forEach((item, index) => {
    const at = ['sources', index] as const;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      problems.push(sentence(at, 'must be a block with name and platform'));
      return;
    }
    const { platform, name } = item as { platform?: unknown; name?: unknown };
    if (platform === 'jamf' || platform === 'intune') {
      const result = v.safeParse(platforms[platform], item);
      if (result.success) sources.push(result.output);
      else problems.push(...sentences(result.issues, at));
    } else {
      problems.push(...withoutPlatform(item as Record<string, unknown>, platform, at));
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

/** An unknown platform's source is still checked for what needs no platform: name, secret references, addresses. */
function withoutPlatform(item: Record<string, unknown>, platform: unknown, at: readonly (string | number)[]): string[] {
  const known = Object.keys(platforms);
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
