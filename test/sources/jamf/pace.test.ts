/** How many rows a page of Jamf Pro has. */
import { describe, expect, it } from 'vitest';
import { maximumPageBytes } from '../../../src/sources/reading/pace.ts';
import { makeServer, pace, readProved } from './changing-server.ts';

describe('the pace', () => {
  const rows = (length: number) => Array.from({ length });
  const page = { rows: rows(100), bytes: 500_000, milliseconds: 100 };

  it.each([
    ['5 kB', 5_000, 500],
    ['30 kB', 30_000, 139],
    ['150 kB', 150_000, 27],
    ['10 MB', 10_000_000, 1],
  ])('follows bytes: about 4 MB of rows of %s', (_size, bytes, rows) => {
    const taken = pace();
    taken.onPage({ rows: [1, 2, 3], bytes: 3 * bytes, milliseconds: 100 });
    expect(taken.size).toBe(rows);
  });

  it('reads a fleet of 150 kB a Mac, whose first page is too large to be read', async () => {
    const server = makeServer({ rowBytes: 150_000 });
    expect(await readProved(server)).toMatchObject({ ids: server.ids, walks: 1 });
    expect(server.asked.filter(([, size]) => size * 150_000 > maximumPageBytes)).toHaveLength(1);
  });

  it('shrinks after slow failures, once for all that fail at the same time, and grows again', () => {
    const taken = pace();
    for (let failures = 0; failures < 4; failures += 1) {
      taken.onFailure('request-timed-out', 500);
    }
    expect(taken.size).toBe(250);
    taken.onFailure('request-timed-out', 250);
    expect(taken.size).toBe(125);
    for (let pages = 0; pages < 200; pages += 1) {
      taken.onPage(page);
    }
    expect(taken.size).toBe(500);
  });

  it('tries a larger page less and less often where that keeps failing', () => {
    const taken = pace();
    let failed = 0;
    for (let pages = 0; pages < 1_000; pages += 1) {
      if (taken.size > 125) {
        taken.onFailure('request-timed-out', taken.size);
        failed += 1;
      } else {
        taken.onPage(page);
      }
    }
    expect(failed).toBeLessThan(10);
  });

  it('goes down to one row, and never to none', () => {
    const taken = pace();
    while (taken.size > 1) {
      taken.onFailure('request-timed-out', taken.size);
    }
    taken.onFailure('request-timed-out', 1);
    taken.onFailure('answer-too-large', 1);
    expect(taken.size).toBe(1);
  });

  it('makes pages smaller before they fail where they take half of the time that there is', () => {
    const taken = pace();
    taken.onPage({ rows: rows(500), bytes: 500_000, milliseconds: 40_000 });
    expect(taken.size).toBe(250);
    for (let pages = 0; pages < 100; pages += 1) {
      taken.onPage({ rows: rows(250), bytes: 250_000, milliseconds: 20_000 });
    }
    expect(taken.size).toBe(250);
  });

  it('never asks for more than the server returns', () => {
    const taken = pace();
    taken.onServerLimit(17);
    for (let pages = 0; pages < 100; pages += 1) {
      taken.onPage({ rows: rows(17), bytes: 85_000, milliseconds: 100 });
    }
    expect(taken.size).toBe(17);
  });
});
