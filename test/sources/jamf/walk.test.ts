import { describe, expect, it } from 'vitest';
import { MusterError } from '../../../src/errors.ts';
import type { Inventory } from '../../../src/sources/jamf/inventory.ts';
import type { InventoryPage, InventoryRow } from '../../../src/sources/jamf/parse.ts';
import { readEveryRow } from '../../../src/sources/jamf/proof.ts';
import { type Pace, walkInventory } from '../../../src/sources/jamf/walk.ts';

const rowOf = (id: number): InventoryRow => ({ id: String(id), definitions: [] });

interface World {
  ids: number[];
  /** Rows the server gives at most. */
  cap: number;
  /** Rows above which it times out. */
  patience: number;
  hidden: Set<number>;
  /** What else happens when a page is asked for; counts from 1. */
  before: (ask: number) => void;
  asked: [page: number, size: number][];
  newestAsked: number;
}

function world(changes: Partial<World> = {}): World {
  return {
    ids: Array.from({ length: 1_234 }, (_, index) => index * 3 + 1),
    cap: 2_000,
    patience: 2_000,
    hidden: new Set(),
    before: () => undefined,
    asked: [],
    newestAsked: 0,
    ...changes,
  };
}

function inventoryOf(server: World): Inventory {
  return {
    who: 'Jamf Pro "macs"',
    async newestId() {
      server.newestAsked += 1;
      return server.ids.at(-1) ?? 0;
    },
    async page(page, asked): Promise<InventoryPage> {
      server.asked.push([page, asked]);
      server.before(server.asked.length);
      await new Promise((resolve) => setImmediate(resolve));
      const size = Math.min(asked, server.cap);
      const rows = server.ids.slice(page * size, (page + 1) * size);
      if (rows.length > server.patience) {
        throw new MusterError('request-timed-out', 'Jamf Pro was silent for 60 s.');
      }
      return { total: server.ids.length, rows: rows.filter((id) => !server.hidden.has(id)).map(rowOf) };
    },
    async stillThere(ids) {
      return server.ids.filter((id) => ids.includes(String(id)) && !server.hidden.has(id)).map(rowOf);
    },
  };
}

const pace = (size = 500): Pace => ({ size, atOnce: 4 });
const notes = () => {
  const seen = { walks: 0, pages: 0, known: 0, total: 0 };
  return {
    seen,
    begun() {
      seen.walks += 1;
    },
    page() {
      seen.pages += 1;
    },
    known(rows: ReadonlyMap<string, InventoryRow>, total: number) {
      Object.assign(seen, { known: rows.size, total });
    },
  };
};

async function proved(server: World, start = pace()) {
  const taken = notes();
  const rows = await readEveryRow(inventoryOf(server), start, taken);
  return { ids: [...rows.keys()].map(Number).sort((one, other) => one - other), ...taken.seen };
}

describe('a walk', () => {
  it.each([0, 1, 2, 499, 500, 501, 1_000, 1_999, 2_000, 2_001, 5_000])('of %i rows gets them all', async (count) => {
    const server = world({ ids: Array.from({ length: count }, (_, index) => index + 1) });
    const walked = await walkInventory(inventoryOf(server).page, pace(), () => undefined);
    expect(walked).toMatchObject({ total: count, steady: true });
    expect([...walked.rows.keys()]).toEqual(server.ids.map(String));
    expect(server.asked.length).toBe(Math.max(1, Math.ceil(count / 500)));
  });

  it.each([1, 7, 100, 499])('is not fooled by a server that gives %i rows at most', async (cap) => {
    const server = world({ cap, ids: Array.from({ length: 900 }, (_, index) => index + 1) });
    expect(await proved(server)).toMatchObject({ ids: server.ids, walks: 1 });
  });

  it.each([499, 250, 249, 100, 62])(
    'asks for less until %i rows come in time, and goes on from there',
    async (patience) => {
      const server = world({ patience });
      const taken = pace();
      expect(await proved(server, taken)).toMatchObject({ ids: server.ids, walks: 1 });
      expect(taken.size).toBeLessThanOrEqual(patience);
      expect(taken.atOnce).toBeLessThan(4);
    },
  );

  it('does not ask again for rows that it has, when only a later page is slow', async () => {
    const server = world({ ids: Array.from({ length: 2_000 }, (_, index) => index + 1) });
    server.before = (ask) => {
      if (ask === 3) {
        server.patience = 250;
      }
    };
    const { ids, pages } = await proved(server);
    expect(ids).toEqual(server.ids);
    // Page one alone, then 1,500 rows in pages of 250; no more than the requests under way can have been lost.
    expect(pages).toBeLessThanOrEqual(1 + 6 + 1);
  });

  it('remembers the smaller size', async () => {
    const server = world({ patience: 125 });
    await proved(server);
    expect(server.asked.filter(([, size]) => size > 125).length).toBe(2);
  });

  it('gives up where not even small pages come', async () => {
    await expect(proved(world({ patience: 40 }))).rejects.toMatchObject({
      code: 'request-timed-out',
      message: expect.stringContaining('Pages of 62 rows'),
    });
  });

  it('has at most four pages under way', async () => {
    let open = 0;
    let most = 0;
    const server = world({ ids: Array.from({ length: 9_000 }, (_, index) => index + 1) });
    const { page } = inventoryOf(server);
    await walkInventory(
      async (...question) => {
        open += 1;
        most = Math.max(most, open);
        const answer = await page(...question);
        open -= 1;
        return answer;
      },
      pace(),
      () => undefined,
    );
    expect(most).toBe(4);
  });

  it('stops the others when one page fails for good', async () => {
    const server = world({ ids: Array.from({ length: 50_000 }, (_, index) => index + 1) });
    server.before = (ask) => {
      if (ask === 5) {
        throw new MusterError('permission-missing', 'No.');
      }
    };
    await expect(proved(server)).rejects.toMatchObject({ code: 'permission-missing' });
    const asked = server.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server.asked.length).toBe(asked);
    expect(asked).toBeLessThan(10);
  });

  it('ends, with a server that never does', async () => {
    const endless = async (page: number, size: number): Promise<InventoryPage> => ({
      total: Number.MAX_SAFE_INTEGER,
      rows: Array.from({ length: 1 }, (_, index) => rowOf(page * size + index)),
    });
    await expect(walkInventory(endless, pace(), () => undefined)).rejects.toMatchObject({ code: 'paging-broken' });
  });
});

describe('the proof', () => {
  it('takes one steady walk', async () => {
    const server = world();
    expect(await proved(server)).toMatchObject({ ids: server.ids, walks: 1, known: 1_234, total: 1_234 });
  });

  it('takes a second, steady walk after a row was hidden from the first', async () => {
    const server = world({ hidden: new Set([301]) });
    server.before = () => {
      if (server.newestAsked === 2) {
        server.hidden.clear();
      }
    };
    expect(await proved(server)).toMatchObject({ ids: server.ids, walks: 2 });
  });

  it.each([[[301]], [[1]], [[3_700]], [[1, 4, 7, 301]]])(
    'does not believe a fleet of which %j stay hidden',
    async (ids) => {
      await expect(proved(world({ hidden: new Set(ids) }))).rejects.toMatchObject({
        code: 'rows-missing',
        message: expect.stringContaining(`counts 1234 computers but gave ${1_234 - ids.length} `),
      });
    },
  );

  it('notices an addition that masks a deletion', async () => {
    const server = world();
    server.before = (ask) => {
      // After the first page: its first device goes, a new one comes, and row 501 becomes row 500.
      if (ask === 2) {
        server.ids = [...server.ids.slice(1), 9_999];
      }
    };
    const { ids, walks } = await proved(server);
    expect(walks).toBe(2);
    expect(ids).toEqual(server.ids);
  });

  it('explains devices that go and come in both walks', async () => {
    const server = world();
    const from = { first: server.ids.at(700), second: server.ids.at(900) };
    let walks = 0;
    server.before = () => {
      if (server.newestAsked === walks) {
        return;
      }
      walks = server.newestAsked;
      // Before the first page of each walk is answered, after the newest id was asked for.
      const leaver = walks === 1 ? from.first : from.second;
      server.ids = [...server.ids.filter((id) => id !== leaver), 9_000 + walks];
    };
    const result = await proved(server);
    expect(result.walks).toBe(2);
    expect(result.ids).toEqual(server.ids);
  });

  it.each([
    ['keeps a device that only the first walk saw, where it is still there', true],
    ['lets it go where it is not', false],
  ])('%s', async (_name, stays) => {
    const server = world();
    const inventory = inventoryOf(server);
    server.before = (ask) => {
      // In each walk a device enrols; in the second, one more has slipped out of sight or has left.
      if (ask === 2) {
        server.ids = [...server.ids, 8_000];
      }
      if (server.newestAsked === 2 && ask === 5) {
        server.ids = [...server.ids, 8_001];
      }
      if (server.newestAsked !== 2 || ask !== 4) {
        return;
      }
      if (stays) {
        server.hidden.add(301);
      } else {
        server.ids = server.ids.filter((id) => id !== 301);
      }
    };
    const stillThere: Inventory['stillThere'] = (ids) => {
      expect(ids).toEqual(['301']);
      server.hidden.clear();
      return inventory.stillThere(ids);
    };
    const rows = await readEveryRow({ ...inventory, stillThere }, pace(), notes());
    expect([...rows.keys()].map(Number).sort((one, other) => one - other)).toEqual(server.ids);
    expect(rows.has('301')).toBe(stays);
  });

  it('walks a third time when a device left after it was read twice', async () => {
    const server = world();
    server.before = (ask) => {
      if (ask === 2) {
        server.ids = [...server.ids, 8_000];
      }
      if (ask === 5) {
        server.ids = server.ids.slice(1);
      }
    };
    const { ids, walks } = await proved(server);
    expect(walks).toBe(3);
    expect(ids).toEqual(server.ids);
  });

  it('calls nothing complete where devices leave in every walk', async () => {
    const server = world();
    let walks = 0;
    server.before = (ask) => {
      if (ask % 3 !== 0 || walks === server.newestAsked) {
        return;
      }
      walks = server.newestAsked;
      server.ids = server.ids.slice(1);
    };
    await expect(proved(server)).rejects.toMatchObject({
      code: 'rows-missing',
      message: expect.stringContaining('in 3 walks'),
    });
  });

  it('does not believe a server that gives the same page again and again', async () => {
    const server = world();
    const inventory = { ...inventoryOf(server), page: () => inventoryOf(server).page(0, 500) };
    await expect(readEveryRow(inventory, pace(), notes())).rejects.toMatchObject({ code: 'rows-missing' });
  });
});
