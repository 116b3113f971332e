import { describe, expect, it } from 'vitest';
import { MusterError } from '../../../src/base/errors.ts';
import type { InventoryRow } from '../../../src/sources/jamf/parse.ts';
import { isBearable } from '../../../src/sources/reading/failed-page.ts';
import type { WalkPage } from '../../../src/sources/reading/received-pages.ts';
import { walkPages } from '../../../src/sources/reading/walk.ts';
import { makeRow, makeServer, openInventory, pace, readProved } from './changing-server.ts';

const countRows = async () => 1_234;

describe('a walk', () => {
  it.each([0, 1, 499, 500, 501, 1_000, 2_001])('of %i rows gets them all [P12]', async (count) => {
    const server = makeServer({ ids: Array.from({ length: count }, (_, index) => index + 1) });
    const walked = await walkPages(openInventory(server).page, pace(), { countRows, atOnce: 4 });
    expect(walked).toMatchObject({ total: count, hasOneTotal: true });
    expect(walked.rows.map(({ id }) => id)).toEqual(server.ids.map(String));
    expect(server.asked.length).toBe(Math.max(1, Math.ceil(count / 500)));
  });

  it('does not ask again for rows that it has, when only a later page is slow', async () => {
    const server = makeServer({ ids: Array.from({ length: 2_000 }, (_, index) => index + 1) });
    server.before = (ask) => {
      if (ask === 3) {
        server.patience = 250;
      }
    };
    const { ids, pages } = await readProved(server);
    expect(ids).toEqual(server.ids);
    // Page one alone, then 1,500 rows in pages of 250; no more than the requests under way can have been lost.
    expect(pages).toBeLessThanOrEqual(1 + 6 + 1);
  });

  it('names a row that is too slow by itself', async () => {
    await expect(readProved(makeServer({ patience: 0 }))).rejects.toMatchObject({ code: 'request-timed-out' });
  });

  it('puts pages in order that arrive in another [P13]', async () => {
    const server = makeServer({ ids: Array.from({ length: 5_000 }, (_, index) => index + 1) });
    const { page } = openInventory(server);
    const arrived: number[] = [];
    const walked = await walkPages(
      async (number, size) => {
        const answer = await page(number, size);
        // Of the four under way, each is later than the next.
        for (let turns = 20 - 4 * (number % 4); turns > 0; turns -= 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        arrived.push(number);
        return answer;
      },
      pace(),
      { countRows, atOnce: 4 },
    );
    expect(arrived).not.toEqual(arrived.toSorted((one, other) => one - other));
    expect(walked).toMatchObject({ total: 5_000, hasOneTotal: true });
    expect(walked.rows.map(({ id }) => id)).toEqual(server.ids.map(String));
  });

  it('stops the others when one page fails for good [P14]', async () => {
    const server = makeServer({ ids: Array.from({ length: 50_000 }, (_, index) => index + 1) });
    server.before = (ask) => {
      if (ask === 5) {
        throw new MusterError('permission-missing', 'No.');
      }
    };
    await expect(readProved(server)).rejects.toMatchObject({ code: 'permission-missing' });
    const asked = server.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server.asked.length).toBe(asked);
    expect(asked).toBeLessThan(10);
  });

  it.each([
    [25, 11],
    [500, 51],
  ])('is given up as soon as too many of %i rows are too large, though no page has come', async (count, rows) => {
    const sizes: number[] = [];
    const readPage = async (_: number, size: number): Promise<WalkPage<InventoryRow>> => {
      sizes.push(size);
      throw new MusterError('answer-too-large', 'Jamf Pro sent more than 32 MB.');
    };
    const options = { countRows: async () => count, mayLeaveOut: isBearable };
    await expect(walkPages(readPage, pace(), options)).rejects.toMatchObject({ code: 'answer-too-large' });
    expect(sizes.filter((size) => size === 1)).toHaveLength(rows);
  });

  it('ends, with a server that never does', async () => {
    const endless = async (page: number, size: number): Promise<WalkPage<InventoryRow>> => ({
      ...{ total: Number.MAX_SAFE_INTEGER, bytes: 5_000, milliseconds: 10 },
      rows: Array.from({ length: 1 }, (_, index) => makeRow(page * size + index)),
    });
    await expect(walkPages(endless, pace(), { countRows, atOnce: 4 })).rejects.toMatchObject({ code: 'paging-broken' });
  });
});
