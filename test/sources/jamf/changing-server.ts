/** A server of Jamf Pro, as a model, whose devices come and go while it is read. */
import { MusterError } from '../../../src/base/errors.ts';
import { readEveryRow } from '../../../src/sources/jamf/devices.ts';
import type { Inventory } from '../../../src/sources/jamf/inventory.ts';
import type { InventoryRow } from '../../../src/sources/jamf/parse.ts';
import { maximumPageBytes, Pace } from '../../../src/sources/reading/pace.ts';
import type { WalkPage } from '../../../src/sources/reading/received-pages.ts';

export const makeRow = (id: number): InventoryRow => ({ id: String(id), definitions: [] });

interface ChangingServer {
  ids: number[];
  /** Rows the server gives at most. */
  cap: number;
  /** Rows above which it times out. */
  patience: number;
  rowBytes: number;
  hidden: Set<number>;
  /** Whether a page with these rows fails. */
  fails: (ids: readonly number[]) => boolean;
  /** What else happens when a page is asked for; counts from 1. */
  before: (ask: number) => void;
  /** What happens after a page was read, and before it arrives. */
  after: (ask: number) => void;
  asked: [page: number, size: number][];
  newestAsked: number;
}

export function makeServer(changes: Partial<ChangingServer> = {}): ChangingServer {
  return {
    ids: Array.from({ length: 1_234 }, (_, index) => index * 3 + 1),
    cap: 2_000,
    patience: 2_000,
    rowBytes: 5_000,
    hidden: new Set(),
    fails: () => false,
    before: () => undefined,
    after: () => undefined,
    asked: [],
    newestAsked: 0,
    ...changes,
  };
}

export function openInventory(server: ChangingServer): Inventory {
  async function page(page: number, asked: number, rowBytes = server.rowBytes): Promise<WalkPage<InventoryRow>> {
    server.asked.push([page, asked]);
    const ask = server.asked.length;
    server.before(ask);
    await new Promise((resolve) => setImmediate(resolve));
    const size = Math.min(asked, server.cap);
    const rows = server.ids.slice(page * size, (page + 1) * size);
    if (rows.length > server.patience) {
      throw new MusterError('request-timed-out', 'Jamf Pro sent nothing for 60 s.');
    }
    if (server.fails(rows)) {
      throw new MusterError('request-failed', 'Jamf Pro answered 500.');
    }
    const bytes = rows.length * rowBytes;
    if (bytes > maximumPageBytes) {
      throw new MusterError('answer-too-large', 'Jamf Pro sent more than 32 MB.');
    }
    const total = server.ids.length;
    server.after(ask);
    return { total, rows: rows.filter((id) => !server.hidden.has(id)).map(makeRow), bytes, milliseconds: 10 };
  }
  return {
    who: 'Jamf Pro "macs"',
    async askNewest() {
      server.newestAsked += 1;
      return { id: server.ids.at(-1) ?? 0, total: server.ids.length };
    },
    page: (number, size) => page(number, size),
    idPage: (number, size) => page(number, size, 100),
    async lookUp(ids) {
      const rows = server.ids.filter((id) => ids.includes(String(id)) && !server.hidden.has(id)).map(makeRow);
      return { rows, unread: [] };
    },
  };
}
export const pace = (size = 500): Pace => new Pace({ size, idle: 60_000 });
export const makePaces = (ids = 500) => ({ rows: pace(), ids: pace(ids) });
export const createObserver = () => {
  const seen = { walks: 0, pages: 0, known: 0, total: 0, denials: 0 };
  return {
    seen,
    onWalkStart() {
      seen.walks += 1;
    },
    onPage() {
      seen.pages += 1;
    },
    onRows(rows: ReadonlyMap<string, InventoryRow>, total: number) {
      Object.assign(seen, { known: rows.size, total });
    },
    async onDenial() {
      seen.denials += 1;
    },
  };
};

export async function readProved(server: ChangingServer, { rows: rowPace, ids: idPace } = makePaces()) {
  const observer = createObserver();
  const { rows } = await readEveryRow(openInventory(server), { rows: rowPace, ids: idPace }, observer);
  return { ids: [...rows.keys()].map(Number).sort((one, other) => one - other), ...observer.seen };
}
