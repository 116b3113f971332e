import { describe, expect, it } from 'vitest';
import { JamfInventory } from '../../../src/sources/jamf/inventory.ts';
import { maximumPageBytes } from '../../../src/sources/reading/pace.ts';
import { attribute, computer } from './builders.ts';
import { forbidden, jamfWith, type Question, type Reply, type Routes } from './server.ts';

async function open(routes: Routes) {
  const { jamf, server } = await jamfWith(routes);
  const inventory = new JamfInventory(jamf, { attribute, sections: ['GENERAL', 'HARDWARE'], idle: 10_000 });
  return { inventory, server };
}

const rows = (...ids: string[]): Reply => ({
  body: { totalCount: ids.length, results: ids.map((id) => computer({ id })) },
});

describe('the inventory', () => {
  it.each(['v4', 'v3', 'v2', 'v1'])('is asked in the newest version there is: %s', async (version) => {
    const { inventory, server } = await open({ [`GET /api/${version}/computers-inventory`]: rows('7') });
    expect(await inventory.askNewest()).toMatchObject({ id: 7 });
    await inventory.idPage(0, 1);
    expect(await inventory.askNewest()).toMatchObject({ id: 7 });
    // The one that answered, from then on.
    expect(new Set(server.requests.slice(-3).map((request) => request.split('?')[0]))).toEqual(
      new Set([`GET /api/${version}/computers-inventory`]),
    );
  });

  it('is not there at all', async () => {
    await expect((await open({})).inventory.askNewest()).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['takes no notice of the filter [P17]', rows('1', '5')],
    ['gives only some of what it counts', { body: { totalCount: 2, results: [computer({ id: '5' })] } }],
  ])('is not believed about ids when it %s', async (_name, reply) => {
    const { inventory } = await open({
      'GET /api/v4/computers-inventory': ({ query }) => (query.has('filter') ? reply : rows('7')),
    });
    await expect(inventory.lookUp(['4', '5'])).rejects.toMatchObject({ code: 'rows-missing' });
  });
});

describe('what the inventory is asked for', () => {
  const path = 'GET /api/v4/computers-inventory';
  async function openAnswering(answer: (question: Question) => Reply) {
    const asked: URLSearchParams[] = [];
    const { jamf } = await jamfWith({
      [path]: (question) => {
        asked.push(question.query);
        return answer(question);
      },
    });
    const inventory = new JamfInventory(jamf, { attribute, sections: ['GENERAL'], idle: 10_000 });
    return { inventory, asked };
  }
  const listIds = (query: URLSearchParams) => /\((.*)\)/.exec(query.get('filter') ?? '')?.[1]?.split(',') ?? [];
  const rowsOf = (ids: readonly string[]): Reply => ({
    body: { totalCount: ids.length, results: ids.map((id) => ({ id })) },
  });
  const many = Array.from({ length: 51 }, (_, index) => String(index + 1));

  it('is asked for ids by a small section, and for the newest by one row from the end', async () => {
    const { inventory, asked } = await openAnswering(() => rowsOf(['9', '7']));
    expect(await inventory.idPage(2, 500)).toMatchObject({ total: 2, rows: [{ id: '9' }, { id: '7' }] });
    expect(await inventory.askNewest()).toMatchObject({ id: 9 });
    expect(asked.map(String)).toEqual([
      'section=IBEACONS&page-size=500&sort=id%3Aasc&page=2',
      'section=IBEACONS&page=0&page-size=1&sort=id%3Adesc',
    ]);
    expect(await (await openAnswering(() => rowsOf([]))).inventory.askNewest()).toMatchObject({ id: 0 });
  });

  it('has the bytes and the time of a page, and its devices as they came', async () => {
    const { inventory } = await openAnswering(() => ({ body: { totalCount: 1, results: [computer()] } }));
    const page = await inventory.page(0, 1);
    expect(page.bytes).toBe(JSON.stringify({ totalCount: 1, results: [computer()] }).length);
    expect(page.milliseconds).toBeGreaterThanOrEqual(0);
    expect(page.rows[0]?.device?.name).toBe('MAC-01');
    expect(page.rows[0]?.definitions).toEqual(['6']);
  });

  it('is asked for fifty ids at a time, with room for rows that it has twice', async () => {
    const { inventory, asked } = await openAnswering(({ query }) => rowsOf(listIds(query)));
    expect((await inventory.lookUp(many)).rows.map(({ id }) => id)).toEqual(many);
    expect(asked.map((query) => [listIds(query).length, query.get('page-size'), query.get('page')])).toEqual([
      [50, '100', '0'],
      [1, '51', '0'],
    ]);
  });

  it('is asked for fewer ids where all of them are too large', async () => {
    const large = { body: 'x'.repeat(maximumPageBytes + 1) };
    const { inventory, asked } = await openAnswering(({ query }) =>
      listIds(query).length > 2 ? large : rowsOf(listIds(query)),
    );
    expect((await inventory.lookUp(['1', '2', '3'])).rows.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect([...new Set(asked.map((query) => listIds(query).join()))]).toEqual(['1,2,3', '', '1', '2', '3']);
  });

  it('is not asked again for ids of which the answer is refused', async () => {
    const { inventory, asked } = await openAnswering(({ query }) => (query.has('filter') ? forbidden : rowsOf(['1'])));
    await expect(inventory.lookUp(['1', '2'])).rejects.toMatchObject({ code: 'permission-missing' });
    expect(asked).toHaveLength(1);
  });
});
