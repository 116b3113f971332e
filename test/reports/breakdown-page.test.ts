/** The breakdown: worst first, sorted, searched and taken away; and users over both platforms. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { judgeRuns, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { findList, readColumn, readCount } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { open } = useViewer();

const sell = { department: 'Sales' };
const build = { department: 'Engineering' };
const ada = { user: 'Ada@example.com' };

/** Nobody knows the department of most that lack the agent. */
function judge(users: 'show' | 'omit' = 'show'): Night {
  const macs = [
    makeMac('1', 'Not Installed', { ...sell, ...ada }),
    makeMac('2', 'Installed', { ...sell, user: 'bo@example.com' }),
    makeMac('3', 'Not Installed', build),
    makeMac('4', 'Not Installed', build),
    ...['5', '6', '7'].map((id) => makeMac(id, 'Not Installed')),
    makeMac('8', 'Not Installed', { department: 'Legal' }),
  ];
  const pcs = [makePc('a', '3', { ...sell, user: 'ada@example.com' }), makePc('b', '1', sell)];
  const omit = ({ user: _, ...rest }: (typeof macs)[number]) => rest;
  const show = (devices: typeof macs) => (users === 'show' ? devices : devices.map(omit));
  return judgeRuns({ sources: [makeSource('macs', show(macs)), makeSource('windows', show(pcs))] }).at(-1) as Night;
}

const openBreakdown = async (field: string, night = judge()) => {
  const visit = await open(night);
  const list = findList(visit.page, 'breakdown');
  await list.locator('select').first().selectOption(field);
  return { ...visit, list };
};

const names = (list: ReturnType<typeof findList>) => list.locator('tbody th').allInnerTexts();

describe('a field', () => {
  it('has what is worst first, the lower coverage of as many, and what is not known last', async () => {
    const { list } = await openBreakdown('department');
    expect(await names(list)).toEqual(['Engineering', 'Sales', 'Legal', 'not known']);
  });

  it('is sorted by any figure, up and down, and back to the worst first', async () => {
    const { list, page } = await openBreakdown('department');
    const sort = () => list.locator('th[data-key=coverage]').getByRole('button').click();
    await sort();
    expect((await readColumn(page, 'breakdown', 'coverage')).map(Number)).toEqual([0, 0, 0, 50]);
    await sort();
    expect((await names(list))[0]).toBe('Sales');
    expect(page.url()).toContain('breakdown.field=department&breakdown.sort=-coverage');
    await sort();
    expect((await names(list))[0]).toBe('Engineering');
  });

  it('is searched, and downloaded as it is shown, without its links', async () => {
    const { list, page } = await openBreakdown('department');
    await list.getByLabel('Search').fill('al');
    expect(await names(list)).toEqual(['Sales', 'Legal']);
    expect(await readCount(page, 'breakdown')).toBe('2 of 4 rows');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      list.getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^breakdown-department-[\d-]+\.csv$/);
    expect((await readFile(await file.path(), 'utf8')).split('\n').slice(0, 2)).toEqual([
      'Department,Devices,Counted,Installed,Needs action,Proven Installed,Proven Not Installed,Coverage,certainly – at most',
      expect.stringMatching(/^Sales,4,4,2,2,2,2,50\.00,50\.00 – 50\.00$/),
    ]);
    expect(await list.locator('th[data-key=mail] button').count()).toBe(0);
  });
});

describe('users', () => {
  it('with machines on both platforms are one row, whose numbers open its devices', async () => {
    const { list, page, errors } = await openBreakdown('user');
    const row = list.locator('tbody tr').first();
    expect((await row.locator('th, td').allInnerTexts()).slice(0, 6)).toEqual([
      'Ada@example.com',
      'macOS, Windows',
      ...['2', '2', '0', '2'],
    ]);
    await list.locator('select[data-facet=platforms]').selectOption({ label: 'macOS, Windows (1)' });
    expect(await names(list)).toEqual(['Ada@example.com']);
    for (const name of ['all-devices', 'needs-action']) {
      await row.locator(`[data-rows^=${name}]`).first().click();
      await expect.poll(() => readCount(page, name)).toMatch(/^2 of /);
      expect(await readColumn(page, name, 'platform')).toEqual(['macOS', 'Windows']);
    }
    expect(errors).toEqual([]);
  });

  it('are not offered where the settings leave them out', async () => {
    const { list } = await openBreakdown('source', judge('omit'));
    const offered = await list.locator('select').first().locator('option').allInnerTexts();
    expect(offered).not.toContain('User');
    expect(offered).toContain('Department');
  });
});
