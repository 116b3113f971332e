/** The search in the page's head: it knows every machine that the page knows, and says where it stands. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { at, judgeRuns, makeExemption, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { findList } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { open } = useViewer();

/** A Mac leaves, one is exempt; a machine on the list is enrolled nowhere. */
function world(run: number, age = 0): Partial<Facts> {
  const staying = [makeMac('1', 'Installed', { serialNumber: 'C02-AB 123' }), makeMac('2', 'Not Installed')];
  const leaving = run === 1 ? [makeMac('3', 'Installed', { name: 'old-mac' })] : [];
  const file = { name: 'bought.csv', rows: 1, columns: [], maxAgeDays: 2, date: at(run, -age) };
  const rows = [{ serial: 'C02-BOXED-1', owner: 'ada@example.com', site: 'Vienna' }];
  return {
    sources: [makeSource('macs', [...staying, ...leaving]), makeSource('windows', [makePc('a')])],
    exemptions: [makeExemption('device_id', '2')],
    lists: { expected: { readAt: at(run), files: [file], rows } },
  };
}

const judge = (...worlds: readonly Partial<Facts>[]) => judgeRuns(...worlds).at(-1) as Night;

async function find(page: Page, text: string): Promise<string[]> {
  await page.locator('#find-field').fill(text);
  return page.locator('#find-results [role=option]').allInnerTexts();
}

it.each([
  ['of a machine enrolled nowhere', 'C02-BOXED-1'],
  ['of it, in another spelling', 'c02 boxed1'],
  ['of its owner', 'ada@example.com'],
])('finds by the text %s where the machine stands, and goes there', async (_, text) => {
  const { page, errors } = await open(judge(world(1), world(2)));
  const found = await find(page, text);
  expect(found).toEqual([
    expect.stringMatching(/^C02-BOXED-1\s+ada@example.com\s+Vienna\s+Enrolled nowhere: bought.csv/),
  ]);
  await page.keyboard.press('Enter');
  await expect.poll(() => findList(page, 'unenrolled').locator('tbody tr').count()).toBe(1);
  expect(await findList(page, 'unenrolled').locator('tbody tr').innerText()).toContain('C02-BOXED-1');
  expect(errors).toEqual([]);
});

it.each([
  ['its name', 'old-mac'],
  ['its id', '3'],
  ['its serial number', 'c02fx3'],
])('finds a machine that is gone by %s, and opens its card', async (_, text) => {
  const { page } = await open(judge(world(1), world(2)));
  const gone = (await find(page, text)).filter((option) => option.startsWith('old-mac'));
  expect(gone).toEqual([
    expect.stringMatching(
      /C02FX3\s+macs no longer lists it, since the run of 2026-06-02\. Its last status was Installed\./,
    ),
  ]);
  await page.locator('#find-results [role=option]', { hasText: 'old-mac' }).click();
  await page.locator('dialog[open]').getByText('It is no longer listed since').waitFor();
});

it('finds a machine that a suspect run alone does not list, and has its card', async () => {
  const macs = Array.from({ length: 40 }, (_, index) => makeMac(`m${index}`));
  const run = (devices: typeof macs) => ({ sources: [makeSource('macs', devices)] });
  const night = judge(run(macs), run(macs.slice(20)));
  expect(night.sources[0]?.soundness).toBe('suspect');
  const { page } = await open(night);
  expect((await find(page, 'C02FXm5')).join()).toContain('macs no longer lists it');
  await page.keyboard.press('Enter');
  expect(await page.locator('dialog[open] .sentence').innerText()).toContain('Its last status was Installed');
});

it.each(['C02-AB 123', 'c02ab123', 'C02-AB-123'])('finds a listed device by the serial number as %s', async (text) => {
  const { page } = await open(judge(world(1)));
  expect(await find(page, text)).toEqual([expect.stringContaining('mac-1')]);
});

it('finds what is not counted, with the reason', async () => {
  const { page } = await open(judge(world(1)));
  expect((await find(page, 'C02FX2')).join()).toContain('Not counted (exempt)');
});

it('says of a text that nobody has what it looked through', async () => {
  const { page } = await open(judge(world(1)));
  const answer = async () => {
    expect(await find(page, 'C02NOBODY')).toEqual([]);
    return page.locator('#find .answer').innerText();
  };
  expect(await answer()).toMatch(
    /^No such device: none of the 4 devices .* No machine that is enrolled nowhere has it either\.$/,
  );
  const { page: old } = await open(judge(world(1, 9)));
  await find(old, 'C02NOBODY');
  expect(await old.locator('#find .answer').innerText()).toMatch(/enrolled nowhere is not known in this run\.$/);
});
