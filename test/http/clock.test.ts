/** This machine's clock, beside those of servers: as it was at the start, and by the first answer of each. */
import { describe, expect, it } from 'vitest';
import { HttpClient } from '../../src/http/client.ts';
import { compareServerClocks, systemClock } from '../../src/http/clock.ts';
import { fakeClock, loopback } from './loopback.ts';

const start = '2026-11-20T05:15:00Z';

describe('the clocks of servers', () => {
  it('are compared by the first date of each; what is no date says nothing', () => {
    const clock = fakeClock(Date.parse(start));
    const { onServerDate, list } = compareServerClocks(clock);
    onServerDate('none', undefined);
    onServerDate('wrong', 'yesterday');
    onServerDate('exact', 'Fri, 20 Nov 2026 05:15:00 GMT');
    clock.pass(60_000);
    onServerDate('ahead', 'Fri, 20 Nov 2026 07:16:00 GMT');
    onServerDate('exact', 'Fri, 20 Nov 2026 09:15:00 GMT');
    expect(list()).toEqual([
      { server: 'exact', ahead: 0 },
      { server: 'ahead', ahead: 2 * 3_600_000 },
    ]);
  });

  it('F16: only the forms of an HTTP date count, and nothing else that has a number in it [F16]', async () => {
    const dates = ['99', '2026', 'Jan 1', '2026-11-20T05:15:00Z'];
    const valid = ['Fri, 20 Nov 2026 05:15:00 GMT', 'Friday, 20-Nov-26 05:15:00 GMT', 'Sun Nov  1 05:15:00 2026'];
    const machine = fakeClock(Date.parse(start));
    const { onServerDate, list } = compareServerClocks(machine);
    for (const date of [...dates, ...valid]) {
      const server = await loopback((_, response) => void response.writeHead(200, { date }).end());
      const client = new HttpClient({
        ...{ who: date, origin: server.origin, signal: new AbortController().signal },
        clock: { ...machine, onServerDate },
      });
      await client.send({ url: '/' }, () => undefined);
      await server.close();
    }
    const days = list().map(({ server, ahead }) => [server, ahead / 86_400_000]);
    expect(days).toEqual(valid.map((date, index) => [date, index === 2 ? -19 : 0]));
  });

  it('are compared with the clock at the start, also when somebody sets it meanwhile [C10]', () => {
    let set = Date.parse('2027-11-20T05:15:00Z');
    const clock = { now: () => new Date(set), elapsed: () => 0 };
    const { onServerDate, list } = compareServerClocks(clock);
    set = Date.parse(start);
    onServerDate('server', 'Fri, 20 Nov 2026 05:15:00 GMT');
    expect(list()).toEqual([{ server: 'server', ahead: -365 * 86_400_000 }]);
  });

  it('are read from every answer, also from a refusal', async () => {
    const server = await loopback((_, response) => {
      response.writeHead(403, { date: 'Fri, 20 Nov 2026 03:15:00 GMT' }).end();
    });
    try {
      const machine = fakeClock(Date.parse(start));
      const { onServerDate, list } = compareServerClocks(machine);
      const client = new HttpClient({
        ...{ who: 'The server', origin: server.origin, signal: new AbortController().signal },
        clock: { ...machine, onServerDate },
      });
      await client.send({ url: '/' }, () => undefined).catch(() => undefined);
      expect(list()).toEqual([{ server: 'The server', ahead: -2 * 3_600_000 }]);
    } finally {
      await server.close();
    }
  });
});

describe('waiting', () => {
  it('ends by itself', async () => {
    await expect(systemClock.sleep(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('ends at once when stopped, before or meanwhile, even where no timer is that long', async () => {
    const stop = new AbortController();
    const waiting = systemClock.sleep(1e15, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(systemClock.sleep(1e15, stop.signal)).rejects.toThrow('stopped');
  });
});
