/** The computers-inventory resource, in the newest version that the server has. */
import { MusterError } from '../../errors.ts';
import { firstKnown, type Jamf } from './client.ts';
import { type AttributeKey, type Page, parsePage, type Row } from './parse.ts';
import type { AskPage } from './walk.ts';

/** v4 since 11.30; v1 is deprecated and still there. Of what is read, only the last contact's name differs. */
const versions = ['v4', 'v3', 'v2', 'v1'];
const permission = 'Read Computers';
const ids = 50;

export const allSections = [
  'GENERAL',
  'HARDWARE',
  'OPERATING_SYSTEM',
  'USER_AND_LOCATION',
  'PURCHASING',
  'EXTENSION_ATTRIBUTES',
] as const;
export type Section = (typeof allSections)[number];

/** Sections with the fields that facts hold, besides the attribute's own. */
export const ownSections: readonly Section[] = ['GENERAL', 'HARDWARE', 'OPERATING_SYSTEM', 'USER_AND_LOCATION'];

export interface Inventory {
  readonly who: string;
  /** The highest id there is now, as a number. */
  newestId(): Promise<number>;
  page: AskPage;
  /** Rows of those of the given ids that are still there. */
  stillThere(ids: readonly string[]): Promise<readonly Row[]>;
}

interface InventoryOptions {
  readonly attribute: AttributeKey;
  readonly sections: readonly Section[];
  /** Longest silence in milliseconds. */
  readonly idle: number;
}

export async function openInventory(jamf: Jamf, options: InventoryOptions): Promise<Inventory> {
  const { attribute, sections, idle } = options;
  const read = (body: unknown) => parsePage(body, jamf.who, attribute);
  const newest = (version: string): Promise<Page> =>
    jamf.json(
      { path: address(version, ['GENERAL'], { page: '0', 'page-size': '1', sort: 'id:desc' }), permission, idle },
      read,
    );
  const version = await firstKnown(
    versions.map((candidate) => async () => {
      await newest(candidate);
      return candidate;
    }),
  );
  const ask = (query: Readonly<Record<string, string>>): Promise<Page> =>
    jamf.json({ path: address(version, sections, query), permission, shrinks: true, idle }, read);

  async function stillThere(wanted: readonly string[]): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let at = 0; at < wanted.length; at += ids) {
      const some = wanted.slice(at, at + ids);
      const filter = `id=in=(${some.join(',')})`;
      const answer = await ask({ page: '0', 'page-size': String(ids), sort: 'id:asc', filter });
      // A server that took no notice of the filter would seem to say that the devices have gone.
      if (answer.total !== answer.rows.length || answer.rows.some((row) => !some.includes(row.id))) {
        throw new MusterError(
          'rows-missing',
          `${jamf.who} did not answer for ${some.length} ids that one walk missed.`,
        );
      }
      rows.push(...answer.rows);
    }
    return rows;
  }

  return {
    who: jamf.who,
    newestId: async () => Number((await newest(version)).rows[0]?.id ?? 0),
    page: (page, size) => ask({ page: String(page), 'page-size': String(size), sort: 'id:asc' }),
    stillThere,
  };
}

function address(version: string, sections: readonly Section[], query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(sections.map((section): [string, string] => ['section', section]));
  for (const [name, value] of Object.entries(query)) search.set(name, value);
  return `/api/${version}/computers-inventory?${search}`;
}
