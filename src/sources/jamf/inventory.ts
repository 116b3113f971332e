/** The computers-inventory resource, in the newest version that the server supports. */

import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { createDeviceInterner, createInterner } from '../../core/facts/device-fields.ts';
import { callFirstSupported } from '../reading/attempt.ts';
import { readRecord, readRecords } from '../reading/fields.ts';
import { maximumPageBytes, Pace } from '../reading/pace.ts';
import type { WalkPage } from '../reading/received-pages.ts';
import { type PageReader, walkPages } from '../reading/walk.ts';
import type { JamfClient } from './client.ts';
import { type AttributeKey, type InventoryPage, type InventoryRow, parseIdPage, parseInventoryPage } from './parse.ts';

/** v4 since 11.30; v1 is deprecated but still exists. Of the fields that Muster reads, they differ in the last contact's name. */
const inventoryVersions: readonly [string, ...string[]] = ['v4', 'v3', 'v2', 'v1'];
const permission = 'Read Computers';
const idsPerRequest = 50;
/** Pages read at once; one of the requests that the server allows is left for others. */
export const pagesAtOnce = 4;
/** A small section without extension attributes, for walks that need only ids. */
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

/** The parts of the inventory that a proof needs. */
export type Inventory = Pick<JamfInventory, 'who' | 'askNewest' | 'page' | 'idPage' | 'lookUp'>;

export interface LookUp {
  /** Rows of the ids that exist, several of one id where the server has them. */
  readonly rows: readonly InventoryRow[];
  /** Ids whose rows the server could not return. */
  readonly unread: readonly string[];
}

interface PageQuery {
  /** Number of rows to request; fewer may arrive in time. */
  readonly size: number;
  /** Extra room on the page for repeated rows. */
  readonly spare?: number;
  readonly tries: number | undefined;
  readonly page: number;
  readonly filter?: string;
}

interface InventoryOptions {
  readonly attribute: AttributeKey;
  readonly sections: readonly InventorySection[];
  /** Idle timeout in milliseconds. */
  readonly idle: number;
}

const sampleSize = 100;

/** Reads the first computers with every section, enough to recognize an attribute's purpose. */
export function readSample(jamf: JamfClient): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const query = { page: '0', 'page-size': String(sampleSize), sort: 'id:asc' };
  return callFirstSupported(
    inventoryVersions.map((version) => () => {
      const path = buildInventoryPath(version, allSections, query);
      return jamf.json({ path, permission }, (body) => readRecords(readRecord(body)?.results));
    }),
  );
}

export class JamfInventory {
  readonly who: string;
  readonly #jamf: JamfClient;
  readonly #options: InventoryOptions;
  readonly #shareWords = createDeviceInterner();
  readonly #share = createInterner<readonly string[]>();
  /** Versions to try; only the supported one, once the server has answered. */
  #versions = inventoryVersions;

  constructor(jamf: JamfClient, options: InventoryOptions) {
    this.who = jamf.who;
    this.#jamf = jamf;
    this.#options = options;
  }

  /** The highest current id, as a number, and the number of devices. Called before any page, it finds the version. */
  askNewest(): Promise<{ readonly id: number; readonly total: number }> {
    const query = { page: '0', 'page-size': '1', sort: 'id:desc' };
    return callFirstSupported(
      this.#versions.map((version) => async () => {
        const path = buildInventoryPath(version, [idSection], query);
        const request = { path, permission, idle: this.#options.idle };
        const { rows, total } = await this.#jamf.json(request, (body) => parseIdPage(body, this.who));
        this.#versions = [version];
        return { id: Number(rows[0]?.id ?? 0), total };
      }),
    );
  }

  readonly page: PageReader<InventoryRow> = (page, size, tries) => this.#readRows({ page, size, tries });

  readonly idPage: PageReader<{ readonly id: string }> = (page, size, tries) =>
    this.#readPage([idSection], { page, size, tries }, (body) => parseIdPage(body, this.who));

  async lookUp(wanted: readonly string[]): Promise<LookUp> {
    const readPage: PageReader<readonly InventoryRow[]> = (page, size, tries) =>
      this.#readByIds(wanted.slice(page * size, (page + 1) * size), wanted.length, tries);
    const pace = new Pace({ size: idsPerRequest, idle: this.#options.idle });
    // The list is as long as the requested ids, whatever the server counts.
    const countRows = async () => {
      await this.askNewest();
      return wanted.length;
    };
    const options = { countRows, mayLeaveOut: () => true, atOnce: pagesAtOnce };
    const { rows, unreadPlaces } = await walkPages(readPage, pace, options);
    const unread = new Set(unreadPlaces.map((place) => wanted[place]));
    return {
      rows: rows.flat(),
      unread: wanted.filter((id) => unread.has(id)),
    };
  }

  /** Reads rows by id; the result has an entry for each id, empty where the device is gone. */
  async #readByIds(
    wanted: readonly string[],
    total: number,
    tries: number | undefined,
  ): Promise<WalkPage<readonly InventoryRow[]>> {
    if (wanted.length === 0) {
      return { total, rows: [], bytes: 0, milliseconds: 0 };
    }
    const filter = `id=in=(${wanted.join(',')})`;
    const answer = await this.#readRows({ page: 0, size: wanted.length, spare: idsPerRequest, tries, filter });
    const found = Map.groupBy(answer.rows, ({ id }) => id);
    // If the server ignored the filter, devices would look deleted.
    if (answer.total !== answer.rows.length || answer.rows.some((row) => !wanted.includes(row.id))) {
      throw new MusterError(
        'rows-missing',
        `${this.who} did not return what Muster asked for: the ${wanted.length} ids that one reading missed. Run again.`,
      );
    }
    return { ...answer, total, rows: wanted.map((id) => found.get(id) ?? []) };
  }

  /** Reads rows and shares their words at once, since a walk keeps the rows of all pages. */
  async #readRows(query: PageQuery): Promise<WalkPage<InventoryRow>> {
    const { sections, attribute } = this.#options;
    const page = await this.#readPage(sections, query, (body) => parseInventoryPage(body, this.who, attribute));
    const rows = page.rows.map((row) => ({
      ...row,
      definitions: this.#share(row.definitions),
      ...(row.device && { device: this.#shareWords(row.device) }),
    }));
    return { ...page, rows };
  }

  #readPage<Row>(
    sections: readonly RequestedSection[],
    { page, size, spare = 0, tries, filter }: PageQuery,
    parse: (body: unknown) => InventoryPage<Row>,
  ): Promise<WalkPage<Row>> {
    const query = {
      'page-size': String(size + spare),
      sort: 'id:asc',
      page: String(page),
      ...omitUndefined({ filter }),
    };
    const path = buildInventoryPath(this.#versions[0], sections, query);
    // One row may be as large as any other answer, as no smaller page can be requested.
    const bounds = size > 1 ? { maximumBytes: maximumPageBytes } : {};
    const request = { path, permission, idle: this.#options.idle, tries, ...bounds };
    return this.#jamf.json(request, (body, { body: bytes, milliseconds = 0 }) => ({
      ...parse(body),
      bytes: bytes.length,
      milliseconds,
    }));
  }
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
