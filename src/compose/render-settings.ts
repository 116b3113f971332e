/** Renders settings as a text for a person to edit: each line has its meaning above it, from the schema that checks it. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import { Document, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { isRecord } from '../base/is-record.ts';
import type { Schedule } from '../settings/schedule/schedule.ts';
import type { SourceDraft } from '../sources/interview.ts';
import { settingsSchema } from './settings-schema.ts';
import { sourceKinds } from './source-kinds.ts';

/** The schema with which editors complete and check: above `src` in a checkout, one folder higher in the package. */
const schemaFile = ['../..', '../../..']
  .map((folder) => join(import.meta.dirname, folder, 'docs/schemas/settings.schema.json'))
  .find((file) => existsSync(file));

interface GivenSettings {
  readonly store: string;
  readonly schedule: Schedule;
}

/** Renders settings; `folder` is that of the settings file. */
export function renderSettings(
  drafts: readonly SourceDraft[],
  { store, schedule }: GivenSettings,
  folder: string,
): string {
  const accepted = drafts.flatMap((draft) => draft.accepted ?? []);
  const blocks = drafts.map((draft) => draft.deployment);
  const deployment = Object.assign({}, ...blocks, accepted.length === 0 ? {} : { accepted });
  const settings = {
    sources: drafts.map(({ source }) => source),
    store,
    schedule,
    ...(Object.keys(deployment).length === 0 ? {} : { deployment }),
  };
  const document = new Document(settings);
  addMeanings(document.contents, settingsSchema);
  const sources: unknown = document.get('sources');
  if (isSeq<Node>(sources)) {
    for (const [index, item] of sources.items.entries()) {
      addMeanings(item, sourceKinds.find(({ kind }) => kind === drafts[index]?.source.platform)?.schema);
    }
  }
  const schemaLine = schemaFile ? `# yaml-language-server: $schema=${relative(folder, schemaFile)}\n` : '';
  return `${schemaLine}${header}${document.toString({ lineWidth: 0 })}${footer}`;
}

const header = `# Settings of Muster, as \`muster init\` asked for them. A secret is never here: only where it is.
# \`muster check\` tries them; docs/settings.md has every setting.

`;

const footer = `
# Who hears what changed; docs/alerts.md shows every channel:
# alerts:
#   channels:
#     - { type: slack, url: env:SLACK_WEBHOOK }

# More checks of the deployment, two canaries for each source, and your own limits: docs/settings.md
`;

function addMeanings(node: unknown, schema: unknown): void {
  if (!isMap(node)) {
    return;
  }
  for (const pair of node.items) {
    const entry = isPair(pair) && isScalar(pair.key) ? findEntry(schema, String(pair.key.value)) : undefined;
    const meaning = formatMeaning(entry);
    if (meaning !== undefined && isScalar(pair.key) && pair.key.value !== 'platform') {
      pair.key.commentBefore = ` ${meaning}`;
    }
    addMeanings(pair.value, entry);
  }
}

/** The meaning of a setting without Markdown. */
function formatMeaning(schema: v.GenericSchema | undefined): string | undefined {
  const meaning =
    schema && (v.getDescription(schema) ?? ('wrapped' in schema && v.getDescription(schema.wrapped as never)));
  return typeof meaning === 'string'
    ? meaning
        .replace(/: below$/, '')
        .replaceAll('`', '')
        .replace(/\[([^\]]+)\]\([^)]*\)/g, 'docs/$1')
    : undefined;
}

/** The schema of a key, through any wrapper around its block. */
function findEntry(schema: unknown, key: string): v.GenericSchema | undefined {
  if (!isRecord(schema)) {
    return undefined;
  }
  const { entries, wrapped, options } = schema;
  if (isRecord(entries)) {
    return entries[key] as v.GenericSchema | undefined;
  }
  const { alternatives = options } =
    'pipe' in schema ? (v.getMetadata(schema as never) as { alternatives?: unknown }) : {};
  const inner = Array.isArray(alternatives) ? alternatives : [wrapped];
  return inner.map((one) => findEntry(one, key)).find((found) => found !== undefined);
}
