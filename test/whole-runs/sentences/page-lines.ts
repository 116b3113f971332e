/** Every text of a page that has a digit, wherever it stands: with what it stands under, as a reader has it. */
import type { Page } from 'playwright-core';
import { isDeep } from '../../sampling.ts';
import type { Line } from './line.ts';

/** Rows of these lists are devices, and are compared with the tables elsewhere; their counts are read here. */
const listsOfDevices = ['needs-action', 'all-devices', 'changes', 'unenrolled', 'excluded', 'exemptions'];

/** Every fifth, another one for each turn; all of them in a deep test. */
function takeTurn<T>(items: readonly T[], turn: number): readonly T[] {
  return isDeep ? items : items.filter((_, at) => at % 5 === turn % 5);
}

export async function readPageLines(page: Page, turn: number): Promise<Line[]> {
  const texts = await readTexts(page, 'body');
  const breakdown = page.locator('[data-list=breakdown] select').first();
  const options: readonly string[] = await breakdown
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
  for (const field of takeTurn(options, turn)) {
    await breakdown.selectOption(field);
    texts.push(...(await readTexts(page, '[data-list=breakdown]')));
  }
  return texts.map((text) => ({ place: 'page', text: `page › ${text}` }));
}

/** The part of the browser's elements that is needed here; the tests are compiled without its types. */
interface PageElement {
  readonly tagName: string;
  readonly id: string;
  readonly className: string;
  readonly value?: string;
  readonly textContent: string | null;
  readonly children: Iterable<PageElement>;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>;
  readonly firstChild: { readonly textContent: string | null } | null;
  readonly firstElementChild: PageElement | null;
  readonly parentElement: PageElement | null;
  click(): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  getAttribute(name: string): string | null;
  toggleAttribute(name: string, on: boolean): void;
}

async function readTexts(page: Page, within: string): Promise<string[]> {
  const root = page.locator(within).first();
  // What opens on demand is counted when it opens.
  await root.evaluate((element: PageElement) => {
    for (const one of element.querySelectorAll('details')) {
      one.toggleAttribute('open', true);
    }
  });
  return root.evaluate((body: PageElement, devices) => {
    const blocks = 'option,p,h1,h2,h3,li,dt,dd,figcaption,caption,summary,button,label,th,td,text,nav a,header,footer';
    const attributes = ['aria-label', 'title', 'placeholder'];
    const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
    const readList = (element: PageElement) => element.closest('[data-list]')?.getAttribute('data-list') ?? '';

    function nameSection(element: PageElement): (string | null | undefined)[] {
      const section = element.closest('section');
      const outside = element.closest('dialog,header,footer')?.tagName.toLowerCase();
      const list = readList(element);
      const facet = element.closest('select')?.getAttribute('data-facet');
      const field = element.closest('[data-list=breakdown]')?.querySelector('select')?.value;
      return [
        list || section?.id || section?.className || outside,
        element.closest('figure')?.querySelector('figcaption')?.textContent,
        list === 'breakdown' ? field : facet,
        element.closest('text.tick') === null ? '' : 'tick',
        element.closest('dd')?.parentElement?.querySelector('dt')?.textContent,
      ];
    }

    function nameCell(element: PageElement): (string | null | undefined)[] {
      const cell = element.closest('tbody td, tbody th');
      const row = cell?.closest('tr');
      const table = row?.closest('table');
      if (!cell || !row || !table) {
        return [];
      }
      const head = row.querySelector('th');
      const heads = [...table.querySelectorAll('thead tr:last-child > *')];
      const title = cell.getAttribute('data-title') ?? heads[[...row.children].indexOf(cell)]?.textContent;
      const first = row.firstElementChild === head ? '' : row.firstElementChild?.textContent;
      return [table.querySelector('caption')?.textContent, first, head?.firstChild?.textContent, title];
    }

    function findBlock(element: PageElement): PageElement {
      // A row whose first cell does not name it is read as a whole.
      const row = element.closest('tbody tr');
      return row?.querySelector('th') === null ? row : (element.closest(blocks) ?? element);
    }

    function readBlock(block: PageElement): string {
      const cells = [...block.children].map((cell) => clean(cell.textContent));
      return block.tagName === 'TR' ? cells.join(' · ') : clean(block.textContent);
    }

    const found: string[] = [];
    const seen = new Set<PageElement>();
    const add = (element: PageElement, text: string) => {
      const names = [...nameSection(element), ...nameCell(element)].map(clean).filter((name) => name !== '');
      found.push([...names, text].join(' › '));
    };
    const rows = devices.map((list) => `[data-list=${list}] tbody *`).join(', ');
    for (const element of body.querySelectorAll(`:not(script, style, ${rows})`)) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && /\d/.test(node.textContent ?? ''));
      const block = hasText ? findBlock(element) : undefined;
      if (block !== undefined && !seen.has(block)) {
        seen.add(block);
        add(block, readBlock(block));
      }
      const hints = element.tagName === 'TIME' ? [] : attributes.map((name) => clean(element.getAttribute(name)));
      for (const hint of hints.filter((text) => /\d/.test(text))) {
        add(element, hint);
      }
    }
    return found;
  }, listsOfDevices);
}

/** Numbers of the first screen that open other rows than they say. */
export async function findWrongLinks(page: Page, turn: number): Promise<string[]> {
  const links = page.locator('#overview a[data-rows]');
  const places = Array.from({ length: await links.count() }, (_, place) => place);
  const wrong: string[] = [];
  for (const place of takeTurn(places, turn)) {
    const link = links.nth(place);
    // The numbers of a date are none.
    const [figure] = /(?<![\d-])\d[\d,]*(?![\d-])/.exec(await link.innerText()) ?? [];
    const rows = (await link.getAttribute('data-rows')) ?? '';
    if (figure === undefined || rows === '') {
      continue;
    }
    await link.evaluate((element: PageElement) => element.click());
    const list = page.locator(`[data-list="${rows.split(/[.&=]/)[0]}"] [role=status]`).first();
    // The address changes first, and the list with it a moment later.
    const isSame = await list
      .filter({ hasText: new RegExp(`^${figure} of `) })
      .waitFor()
      .then(
        () => true,
        () => false,
      );
    wrong.push(...(isSame ? [] : [`${await link.innerText()} opens ${await list.innerText()} (${rows})`]));
  }
  return wrong;
}
