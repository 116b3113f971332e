/** A person with a task before the page: looks as often as they like, and acts three times at most. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const mostActions = 3;

/** Nothing but these methods reaches the page, so that no action goes uncounted. */
export class Reader {
  readonly #open: (file: string) => Promise<Page>;
  #page: Page;
  #actions = 0;

  constructor(page: Page, open: (file: string) => Promise<Page>) {
    this.#page = page;
    this.#open = open;
  }

  get actions(): number {
    return this.#actions;
  }

  async click(selector: string): Promise<void> {
    await this.#act(selector).click();
  }

  /** Chooses a filter's option by its text, which may go on with the number of its rows. */
  async choose(selector: string, option: string): Promise<void> {
    const box = this.#act(selector);
    const texts = await box.locator('option').allInnerTexts();
    const index = texts.findIndex((text) => text.replace(/ \([\d,]+\)$/, '') === option);
    expect(index, `${option} of ${texts.join(', ')}`).toBeGreaterThan(-1);
    await box.selectOption({ index });
  }

  async search(selector: string, text: string): Promise<void> {
    await this.#act(selector).fill(text);
  }

  /** Clicks what gives a file, and reads it. */
  async download(selector: string): Promise<string> {
    const waiting = this.#page.waitForEvent('download');
    await this.#act(selector).click();
    return readFile(await (await waiting).path(), 'utf8');
  }

  /** Clicks a link to the page of another run. The browser of the tests leaves no page, so the other is opened here. */
  async follow(selector: string): Promise<void> {
    const link = this.#act(selector);
    await link.waitFor();
    const file = fileURLToPath(this.#page.url().split('#')[0] ?? '');
    this.#page = await this.#open(join(dirname(file), (await link.getAttribute('href')) ?? ''));
  }

  async text(selector: string): Promise<string> {
    return (await this.#page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();
  }

  /** The texts of all that are shown. */
  async texts(selector: string): Promise<string[]> {
    const all = await this.#page.locator(selector).filter({ visible: true }).allInnerTexts();
    return all.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  }

  /** The address changes first, and the list with it a moment later. */
  async waitFor(selector: string, pattern: RegExp): Promise<void> {
    await expect.poll(() => this.text(selector)).toMatch(pattern);
  }

  #act(selector: string): Locator {
    this.#actions += 1;
    expect(this.#actions, `actions, the last on ${selector}`).toBeLessThanOrEqual(mostActions);
    return this.#page.locator(selector).filter({ visible: true }).first();
  }
}
