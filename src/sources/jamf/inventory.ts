/** The computers-inventory resource, in the newest version that the server supports. */
import { MusterError } from '../../errors.ts';
import { callFirstSupported, type JamfClient } from './client.ts';
import { type AttributeKey, type InventoryPage, type InventoryRow, parseInventoryPage } from './parse.ts';
import type { PageReader } from './walk.ts';

/** v4 since 11.30; v1 is deprecated and still there. Of the fields that Muster reads, only the name of the last contact differs. */
const inventoryVersions = ['v4', 'v3', 'v2', 'v1'];
const permission = 'Read Computers';
const idsPerRequest = 50;

export const allSections = [
  'GENERAL',
  'HARDWARE',
  'OPERATING_SYSTEM',
  'USER_AND_LOCATION',
  'PURCHASING',
  'EXTENSION_ATTRIBUTES',
] as const;
export type InventorySection = (typeof allSections)[number];

/** Sections with the fields that facts need, besides the attribute's own. */
export const requiredSections: readonly InventorySection[] = [
  'GENERAL',
  'HARDWARE',
  'OPERATING_SYSTEM',
  'USER_AND_LOCATION',
];

export interface Inventory {
  readonly who: string;
  /** The highest current id, as a number. */
  newestId(): Promise<number>;
  page: PageReader;
  /** The rows of the given ids that still exist. */
  stillThere(ids: readonly string[]): Promise<readonly InventoryRow[]>;
}

interface InventoryOptions {
  readonly attribute: AttributeKey;
  readonly sections: readonly InventorySection[];
  /** Idle timeout in milliseconds. */
  readonly idle: number;
}

export async function openInventory(jamf: JamfClient, options: InventoryOptions): Promise<Inventory> {
  const { attribute, sections, idle } = options;
  const read = (body: unknown) => parseInventoryPage(body, jamf.who, attribute);
  const newest = (version: string): Promise<InventoryPage> =>
    jamf.json(
      {
        path: buildInventoryPath(version, ['GENERAL'], { page: '0', 'page-size': '1', sort: 'id:desc' }),
        permission,
        idle,
      },
      read,
    );
  const version = await callFirstSupported(
    inventoryVersions.map((candidate) => async () => {
      await newest(candidate);
      return candidate;
    }),
  );
  const readPage = (query: Readonly<Record<string, string>>): Promise<InventoryPage> =>
    jamf.json({ path: buildInventoryPath(version, sections, query), permission, shrinks: true, idle }, read);

  async function stillThere(wanted: readonly string[]): Promise<readonly InventoryRow[]> {
    const rows: InventoryRow[] = [];
    for (let at = 0; at < wanted.length; at += idsPerRequest) {
      const some = wanted.slice(at, at + idsPerRequest);
      const filter = `id=in=(${some.join(',')})`;
      const answer = await readPage({ page: '0', 'page-size': String(idsPerRequest), sort: 'id:asc', filter });
      // If a server ignored the filter, devices would look as if they had been deleted.
      if (answer.total !== answer.rows.length || answer.rows.some((row) => !some.includes(row.id))) {
        throw new MusterError(
          'rows-missing',
          `${jamf.who} did not return what Muster asked for: the ${some.length} ids that one walk missed. Run again.`,
        );
      }
      rows.push(...answer.rows);
    }
    return rows;
  }

  return {
    who: jamf.who,
    newestId: async () => Number((await newest(version)).rows[0]?.id ?? 0),
    page: (page, size) => readPage({ page: String(page), 'page-size': String(size), sort: 'id:asc' }),
    stillThere,
  };
}

function buildInventoryPath(
  version: string,
  sections: readonly InventorySection[],
  query: Readonly<Record<string, string>>,
): string {
  const search = new URLSearchParams(sections.map((section): [string, string] => ['section', section]));
  for (const [name, value] of Object.entries(query)) {
    search.set(name, value);
  }
  return `/api/${version}/computers-inventory?${search}`;
}
