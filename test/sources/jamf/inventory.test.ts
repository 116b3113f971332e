import { describe, expect, it } from 'vitest';
import { openInventory } from '../../../src/sources/jamf/inventory.ts';
import { attribute, computer, unnamed } from './builders.ts';
import { jamfWith, type Question, type Reply, type Routes } from './server.ts';

async function open(routes: Routes) {
  const { jamf, server } = await jamfWith(routes);
  const inventory = await openInventory(jamf, { attribute, sections: ['GENERAL', 'HARDWARE'], ...unnamed });
  return { inventory, server };
}

const rows = (...ids: string[]): Reply => ({
  body: { totalCount: ids.length, results: ids.map((id) => computer({ id })) },
});

describe('the inventory', () => {
  it.each(['v4', 'v3', 'v2', 'v1'])('is asked in the newest version there is: %s', async (version) => {
    const { inventory, server } = await open({ [`GET /api/${version}/computers-inventory`]: rows('7') });
    expect(await inventory.newestId()).toBe(7);
    expect(new Set(server.requests.slice(-2).map((request) => request.split('?')[0]))).toEqual(
      new Set([`GET /api/${version}/computers-inventory`]),
    );
  });

  it('is not there at all', async () => {
    await expect(open({})).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is walked by id, with the sections that are needed', async () => {
    const asked: Question[] = [];
    const { inventory } = await open({
      'GET /api/v4/computers-inventory': (question) => {
        asked.push(question);
        return rows('7');
      },
    });
    await inventory.page(3, 250);
    expect(String(asked.at(-1)?.query)).toBe('section=GENERAL&section=HARDWARE&page-size=250&sort=id%3Aasc&page=3');
  });

  it('says which ids are still there', async () => {
    const filters: (string | null)[] = [];
    const { inventory } = await open({
      'GET /api/v4/computers-inventory': ({ query }) => {
        filters.push(query.get('filter'));
        return query.has('filter') ? rows('5') : rows('7');
      },
    });
    expect((await inventory.stillThere(['4', '5'])).map((row) => row.id)).toEqual(['5']);
    expect(filters.at(-1)).toBe('id=in=(4,5)');
    expect(await inventory.stillThere([])).toEqual([]);
  });

  it.each([
    ['takes no notice of the filter [P17]', rows('1', '5')],
    ['gives only some of what it counts', { body: { totalCount: 2, results: [computer({ id: '5' })] } }],
  ])('is not believed about ids when it %s', async (_name, reply) => {
    const { inventory } = await open({
      'GET /api/v4/computers-inventory': ({ query }) => (query.has('filter') ? reply : rows('7')),
    });
    await expect(inventory.stillThere(['4', '5'])).rejects.toMatchObject({ code: 'rows-missing' });
  });
});
