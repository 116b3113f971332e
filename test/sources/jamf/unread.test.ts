import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../../src/http/client.ts';
import { WaitBudget } from '../../../src/http/wait-budget.ts';
import { JamfClient } from '../../../src/sources/jamf/client.ts';
import { readEveryRow } from '../../../src/sources/jamf/devices.ts';
import { JamfInventory } from '../../../src/sources/jamf/inventory.ts';
import { locateServer } from '../../../src/sources/jamf/server.ts';
import { Pace } from '../../../src/sources/reading/pace.ts';
import { fakeClock, type Loopback, loopback } from '../../http/loopback.ts';
import { hangLimit } from '../../limits.ts';
import { attribute, computer, who } from './builders.ts';

const minute = 60_000;
let server: Loopback | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Fleet {
  readonly ids: readonly number[];
  readonly poisoned?: (id: number) => boolean;
  /** Also where only ids are asked for. */
  readonly isPoisonedWhole?: boolean;
  /** Rows above which a gateway answers 504 at once. */
  readonly gatewayRows?: number;
  readonly fail?: (response: ServerResponse) => void;
  /** What happens before a request is answered; false where the whole server answers 503. */
  readonly before?: (query: URLSearchParams, elapsed: number) => boolean;
}

const refuse = (status: number) => (response: ServerResponse) => void response.writeHead(status).end('Error');
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const isTenth = (id: number) => id % 10 === 0;

async function read(fleet: Fleet, { idle = hangLimit, size = 500 } = {}) {
  const clock = fakeClock();
  const { fail = refuse(500), poisoned = () => false, gatewayRows = 5_000 } = fleet;
  server = await loopback((request, response) => {
    const query = new URL(request.url ?? '/', 'http://server.test').searchParams;
    if (fleet.before?.(query, clock.elapsed()) === false) {
      refuse(503)(response);
      return;
    }
    const wanted = /\((.*)\)/
      .exec(query.get('filter') ?? '')?.[1]
      ?.split(',')
      .map(Number);
    const known = wanted?.filter((id) => fleet.ids.includes(id));
    const listed = known ?? (query.get('sort') === 'id:desc' ? fleet.ids.toReversed() : fleet.ids);
    const size = Number(query.get('page-size'));
    const from = Number(query.get('page')) * size;
    const rows = listed.slice(from, from + size);
    const isLight = !fleet.isPoisonedWhole && query.get('section') === 'IBEACONS';
    if (size > gatewayRows) {
      refuse(504)(response);
    } else if (!isLight && query.get('sort') !== 'id:desc' && rows.some(poisoned)) {
      fail(response);
    } else {
      const results = rows.map((id) => computer({ id: String(id) }));
      response.end(JSON.stringify({ totalCount: listed.length, results }));
    }
  });
  const signal = new AbortController().signal;
  const patience = new WaitBudget({ clock, limit: 10 * minute });
  const client = new HttpClient({ who, origin: server.origin, clock, signal, patience, random: () => 1 });
  const jamf = new JamfClient(client, locateServer({ url: server.origin }), who);
  const inventory = new JamfInventory(jamf, { attribute, sections: ['GENERAL'], idle });
  const observer = {
    onWalkStart: () => undefined,
    onPage: () => undefined,
    onRows: () => undefined,
    onDenial: async () => undefined,
  };
  const paces = { rows: new Pace({ size, idle }), ids: new Pace({ size: 2000, idle }) };
  const outcome = await readEveryRow(inventory, paces, observer).then(
    ({ rows, unread }) => ({ ids: [...rows.keys()].map(Number).sort((one, other) => one - other), unread }),
    (failure: unknown) => ({ failure }),
  );
  return { ...outcome, elapsed: clock.elapsed(), asked: server.requests };
}

describe('a row that the server cannot render', () => {
  it.each<[string, number, (response: ServerResponse) => void]>([
    ['500', 300, refuse(500)],
    ['502', 120, refuse(502)],
    ['a web page with 200', 120, (response) => void response.end('<html>Sign in</html>')],
    ['cut JSON', 120, (response) => void response.end('{"totalCount": 300, "results": [{"id":')],
    [
      'a body that ends too early',
      120,
      (response) => void response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    ],
  ])('leaves every tenth of a fleet named and the others read: %s (F1) [P21]', async (_name, count, fail) => {
    const ids = upTo(count);
    const night = await read({ ids, poisoned: isTenth, fail });
    expect(night).toMatchObject({
      ids: ids.filter((id) => !isTenth(id)),
      unread: ids.filter(isTenth).map(String),
    });
    expect(night.elapsed).toBeLessThan(3 * minute);
  });

  it('is named where there are more than one look-up asks for (F1) [P21]', async () => {
    const ids = upTo(600);
    const night = await read({ ids, poisoned: isTenth });
    expect(night).toMatchObject({ ids: ids.filter((id) => !isTenth(id)), unread: ids.filter(isTenth).map(String) });
  });

  it('that a lagging node denies at first is named as well (F1) [P21]', async () => {
    const ids = upTo(20);
    let denials = 1;
    const before = (query: URLSearchParams) => {
      if (query.has('filter') && denials > 0) {
        denials -= 1;
        ids.splice(6, 1);
      } else if (!ids.includes(7)) {
        ids.splice(6, 0, 7);
      }
      return true;
    };
    const night = await read({ ids, poisoned: (id) => id === 7, before });
    expect(night).toMatchObject({ ids: upTo(20).filter((id) => id !== 7), unread: ['7'] });
  });

  it('that never ends leaves the others read (F1) [P21]', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const fail = (response: ServerResponse) => {
      const write = () => {
        while (!response.destroyed && response.write(piece)) {
          // Until the other side has enough for now.
        }
      };
      response.on('drain', write);
      write();
    };
    const night = await read({ ids: upTo(3), poisoned: (id) => id === 2, fail });
    expect(night).toMatchObject({ ids: [1, 3], unread: ['2'], elapsed: expect.any(Number) });
    expect(night.elapsed).toBeLessThan(3 * minute);
  });

  it('that drips leaves the others read (F1) [P21]', async () => {
    const fail = (response: ServerResponse) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(drip));
    };
    const night = await read({ ids: upTo(2), poisoned: (id) => id === 2, fail }, { idle: 80, size: 2 });
    expect(night).toMatchObject({ ids: [1], unread: ['2'] });
    expect(night.elapsed).toBeLessThan(3 * minute);
  });

  it('is one among thousands, and the pages grow again (F1) [P21]', async () => {
    const ids = upTo(5_000);
    let failed = 0;
    const fail = (response: ServerResponse) => {
      failed += 1;
      refuse(500)(response);
    };
    const night = await read({ ids, poisoned: (id) => id === 2_345, fail });
    expect(night).toMatchObject({ ids: ids.filter((id) => id !== 2_345), unread: ['2345'] });
    expect(night.asked.length).toBeLessThan(65);
    expect(failed).toBeLessThanOrEqual(20);
  });

  it.each([1, 2, 300])('is not known by its id where the ids fail likewise: %i (F1) [P21]', async (id) => {
    const night = await read({ ids: upTo(300), poisoned: (each) => each === id, isPoisonedWhole: true });
    expect(night).toMatchObject({
      failure: { code: 'request-failed', message: expect.stringMatching(/neither 1 computer nor their ids/) },
    });
  });

  it.each([
    [10, 50],
    [11, 110],
  ])('is bearable: %i of %i, not more than ten or not more than a tenth (F1) [P21]', async (unread, count) => {
    const night = await read({ ids: upTo(count), poisoned: (id) => id <= unread });
    expect(night).toMatchObject({ ids: { length: count - unread }, unread: { length: unread } });
  });

  it.each([
    [11, 100],
    [12, 110],
    [300, 300],
  ])('makes the source incomplete, in seconds, where too many are: %i of %i (F1) [P21]', async (unread, count) => {
    const night = await read({ ids: upTo(count), poisoned: (id) => id <= unread });
    expect(night).toMatchObject({
      failure: {
        code: 'request-failed',
        message: expect.stringMatching(/asked for alone, while the server answers: \d+\.$/),
      },
    });
    expect(night.elapsed).toBeLessThan(minute);
  });
});

describe('a server that fails as a whole', () => {
  it('behind a gateway that answers 504 to pages above 200 rows is read in seconds (F1, F14) [P22]', async () => {
    const ids = upTo(3_000);
    const night = await read({ ids, gatewayRows: 200 });
    expect(night).toMatchObject({ ids, unread: [] });
    expect(night.elapsed).toBeLessThan(20_000);
    expect(night.asked.length).toBeLessThan(60);
  });

  it.each([1, 4])('for minutes is waited for, and loses nobody: from request %i (F1) [H3]', async (first) => {
    let requests = 0;
    let began: number | undefined;
    const night = await read({
      ids: upTo(2_000),
      before: (_query, elapsed) => {
        requests += 1;
        if (requests >= first) {
          began ??= elapsed;
        }
        return began === undefined || elapsed > began + 4 * minute;
      },
    });
    expect(night).toMatchObject({ ids: upTo(2_000), unread: [] });
  });

  it('for ever is named, after all of its patience (F1) [H4]', async () => {
    let requests = 0;
    const night = await read({
      ids: upTo(2_000),
      before: () => {
        requests += 1;
        return requests < 4;
      },
    });
    expect(night).toMatchObject({ failure: { code: 'request-failed' } });
    expect(night.elapsed).toBe(10 * minute);
    expect(night.asked.length).toBeLessThan(150);
  });
});
