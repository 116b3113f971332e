/** The first screen alone, of each kind of run, at the width of a desk and of a phone: number, certainty, why, change, step. */
import { beforeAll, describe, expect, it } from 'vitest';
import { makeOnce } from '../make-once.ts';
import { hasBrowser } from '../needs.ts';
import { findPages, type RunKind, runDemo, runKinds } from './demo-pages.ts';
import { useViewer } from './use-viewer.ts';

const { visit } = useViewer();
let pages: Readonly<Record<RunKind, string>>;

beforeAll(async () => {
  if (hasBrowser) {
    pages = await findPages(await makeOnce('demo-36', runDemo));
  }
});

/** The parts that say the five things, in the order of reading. */
const parts = ['#verdict', '.number', '.interval', '#certainty', '#changed', '#first-step'] as const;

type Said = Readonly<Partial<Record<(typeof parts)[number] | '#lists', RegExp>>>;

const wide = /^Complete, but not certain\./;
const unproven = /^Certainty\s*[\d,]+ of [\d,]+ counted devices are not proven: \d/;
const counts = /\d+ lost, \d+ recovered, \d+ joined, \d+ left/;
/** Nothing joins or leaves the count of a source in doubt. */
const doubtfulCounts = /\d+ lost, \d+ recovered(?! ?, )/;
const commonStep = /^Do first\s*\d+ of \d+ \(\w+: .+\), worth \d+\.\d\d points\. \w.+\.$/;

/** What each kind has to say in its own words. */
const saidOf: Readonly<Record<RunKind, Said>> = {
  good: { '#verdict': /^Complete and sound: every source answered in full/, '#first-step': commonStep },
  'after-repair': { '#verdict': wide, '#certainty': /answers older than the repair of .+, until the Mac’s next/ },
  carried: {
    '#verdict': /^windows did not answer in full; its last known answers, of [\d-]+, are shown\.\s+Microsoft sign-in/,
    '#first-step': /^Do first\s*windows: Check the address and the network\./,
  },
  partial: {
    '#verdict': /^macs answered in full but for .+\(\w+\), .+\(\w+\), .+\(\w+\)\.$/,
    '#first-step': /macs: .+Open each on the platform, and repair or delete its record/,
  },
  suspect: {
    '#changed': doubtfulCounts,
    '#verdict':
      /^macs changed more than is plausible since [\d-]+; check it before you act on it\.\s+\d+ of 1,\d+ counted/,
    '#first-step': /macs: If that is what happened, run "muster accept [\d-]+"; if not, look at the platform\./,
  },
  first: {
    '#verdict': /^Complete and sound: the first run/,
    '#changed': /^Changed\s*Nothing to compare with yet: this is the first run\.$/,
    '#first-step': commonStep,
  },
  untrusted: {
    '#changed': doubtfulCounts,
    '#verdict':
      /^macs answered in full, but none of its answers is proof: the detection method is not sound\.\s+.+found disabled/,
    '#first-step': /^Do first\s*macs: Enable the extension attribute/,
  },
  'list-stale': { '#lists': /The list lists\.reporting is stale.+Export it again/s },
};

const screens = [
  ['1440', { width: 1440, height: 900 }],
  ['390', { width: 390, height: 844 }],
] as const;

describe.each(screens)('the first screen at %s px', (_, viewport) => {
  it.each(runKinds)('of a run that is %s says number, certainty, why, what changed and what to do', async (kind) => {
    const { page } = await visit(pages[kind], { viewport });
    const all = kind === 'list-stale' ? [...parts, '#lists'] : parts;
    for (const part of all) {
      const box = await page.locator(`#overview ${part}`).boundingBox();
      expect(box?.height, part).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? 0), part).toBeLessThanOrEqual(viewport.height);
      expect((box?.x ?? 0) + (box?.width ?? 0), part).toBeLessThanOrEqual(viewport.width);
    }
    const read = async (part: string) => (await page.locator(part).innerText()).replaceAll(/\s*\n\s*/g, ' ');
    expect(await read('#overview .number')).toMatch(/^\d\d\.\d\d ?%$/);
    const said: Said = { '#certainty': unproven, '#changed': counts, ...saidOf[kind] };
    for (const [part, pattern] of Object.entries(said)) {
      expect(await read(part)).toMatch(pattern);
    }
  });
});

it('says nothing twice: the cause stands in the verdict, the advice in the first step', async () => {
  const { page } = await visit(pages.suspect);
  const [verdict, step] = await Promise.all([
    page.locator('#verdict').innerText(),
    page.locator('#first-step').innerText(),
  ]);
  expect(verdict).not.toContain('muster accept');
  expect(step).not.toContain('no longer counted');
});
