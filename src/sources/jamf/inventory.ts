/** The computers-inventory resource, in the newest version that the server supports. */
import { createDevicePacker } from '../../core/packed-devices.ts';
import { createSharing } from '../../core/share-equal.ts';
import { MusterError } from '../../errors.ts';
import { SlowAnswerError } from '../../http/client.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { callFirstSupported, hasCode, type JamfClient } from './client.ts';
import { maximumPageBytes } from './pace.ts';
import { type AttributeKey, type InventoryRow, parseIdPage, parseInventoryPage } from './parse.ts';
import { addPlaceNames, type PlaceNames } from './places.ts';
import type { PageReader, WalkPage } from './walk.ts';

/** v4 since 11.30; v1 is deprecated and still there. Of the fields that Muster reads, only the name of the last contact differs. */
const inventoryVersions = ['v4', 'v3', 'v2', 'v1'];
const permission = 'Read Computers';
const idsPerRequest = 50;
/** Every row has its id; this section, which has no extension attribute, keeps the rest of it small. */
const idSection = 'IBEACONS';
type RequestedSection = InventorySection | typeof idSection;

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
  page: PageReader<InventoryRow>;
  /** A page of ids. */
  idPage: PageReader<{ readonly id: string }>;
  /** The rows of the given ids that still exist. */
  stillThere(ids: readonly string[]): Promise<readonly InventoryRow[]>;
}

interface InventoryOptions {
  readonly attribute: AttributeKey;
  readonly sections: readonly InventorySection[];
  /** Idle timeout in milliseconds. */
  readonly idle: number;
  /** Never rejected. */
  readonly places: Promise<PlaceNames>;
}

export async function openInventory(jamf: JamfClient, options: InventoryOptions): Promise<Inventory> {
  const { attribute, sections, idle, places } = options;
  const newest = (version: string): Promise<readonly { readonly id: string }[]> =>
    jamf.json(
      {
        path: buildInventoryPath(version, ['GENERAL'], { page: '0', 'page-size': '1', sort: 'id:desc' }),
        permission,
        idle,
      },
      (body) => parseIdPage(body, jamf.who).rows,
    );
  const version = await callFirstSupported(
    inventoryVersions.map((candidate) => async () => {
      await newest(candidate);
      return candidate;
    }),
  );

  /** `size` is the number of rows that is asked for; fewer may come in time. */
  function readPage<Row>(
    wanted: readonly RequestedSection[],
    size: number,
    query: Readonly<Record<string, string>>,
    parse: (body: unknown) => Omit<WalkPage<Row>, 'bytes' | 'milliseconds'>,
  ): Promise<WalkPage<Row>> {
    const whole = { 'page-size': String(size), sort: 'id:asc', ...query };
    const bounds = size > 1 ? { shrinks: true, maximumBytes: maximumPageBytes } : {};
    return jamf.json(
      { path: buildInventoryPath(version, wanted, whole), permission, idle, ...bounds },
      (body, { body: bytes, milliseconds = 0 }) => ({ ...parse(body), bytes: bytes.length, milliseconds }),
    );
  }
  const pack = createDevicePacker();
  const share = createSharing<readonly string[]>();
  /** Packed as soon as they are read: a walk keeps the rows of all pages. */
  async function readRows(size: number, query: Readonly<Record<string, string>>): Promise<WalkPage<InventoryRow>> {
    const page = await readPage(sections, size, query, (body) => parseInventoryPage(body, jamf.who, attribute));
    const names = await places;
    const devices = pack(page.rows.map((row) => addPlaceNames(row, names)));
    const rows = page.rows.map(({ id, definitions }, index) => ({
      ...{ id, definitions: share(definitions) },
      ...omitUndefined({ device: devices[index] }),
    }));
    return { ...page, rows };
  }
  const readIds = (body: unknown) => parseIdPage(body, jamf.who);

  /** Half of the ids at a time where all of them are too many. */
  async function readByIds(wanted: readonly string[]): Promise<readonly InventoryRow[]> {
    const query = { page: '0', filter: `id=in=(${wanted.join(',')})` };
    try {
      const answer = await readRows(wanted.length, query);
      // If a server ignored the filter, devices would look as if they had been deleted.
      if (answer.total !== answer.rows.length || answer.rows.some((row) => !wanted.includes(row.id))) {
        throw new MusterError(
          'rows-missing',
          `${jamf.who} did not return what Muster asked for: the ${wanted.length} ids that one walk missed. Run again.`,
        );
      }
      return answer.rows;
    } catch (error) {
      const isTooMuch = error instanceof SlowAnswerError || hasCode(error, 'answer-too-large');
      if (!isTooMuch || wanted.length === 1) {
        throw error;
      }
      const half = Math.ceil(wanted.length / 2);
      return [...(await readByIds(wanted.slice(0, half))), ...(await readByIds(wanted.slice(half)))];
    }
  }

  async function stillThere(wanted: readonly string[]): Promise<readonly InventoryRow[]> {
    const rows: InventoryRow[] = [];
    for (let at = 0; at < wanted.length; at += idsPerRequest) {
      rows.push(...(await readByIds(wanted.slice(at, at + idsPerRequest))));
    }
    return rows;
  }

  return {
    who: jamf.who,
    newestId: async () => Number((await newest(version))[0]?.id ?? 0),
    page: (page, size) => readRows(size, { page: String(page) }),
    idPage: (page, size) => readPage([idSection], size, { page: String(page) }, readIds),
    stillThere,
  };
}

function buildInventoryPath(
  version: string,
  sections: readonly RequestedSection[],
  query: Readonly<Record<string, string>>,
): string {
  const search = new URLSearchParams(sections.map((section): [string, string] => ['section', section]));
  for (const [name, value] of Object.entries(query)) {
    search.set(name, value);
  }
  return `/api/${version}/computers-inventory?${search}`;
}
