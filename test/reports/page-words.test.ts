/** The words of the page are those of the field; the files keep the words of their contract. */
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { pageReport } from '../../src/compose/parts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { badNight, emptyFleet } from './example-nights.ts';
import { picture } from './picture.ts';

/** Words that people stumble on; each has one name instead. */
const stumblingWords = [
  /\binstruments?\b/i,
  /\bsilent\b/i,
  /\bwalks?\b/i,
  /\b(?:low|high) figure\b/i,
  /\blow – high\b/i,
  /\bhave it and report\b/i,
  /\bmissing (?:since|for)\b|\blongest missing\b|\bproven missing\b/i,
  /\bages judged\b/i,
  /\bdocumented word\./i,
];

async function readPage(night: Night): Promise<string> {
  const html = await text(pageReport.render(night));
  const shown = html.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '');
  return shown.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

it.each<[string, () => Night]>([
  ['a run with something of everything', picture],
  ['a run with broken sources', () => badNight(300)],
  ['a run without devices', emptyFleet],
])('of %s', async (_, build) => {
  const page = await readPage(build());
  expect(
    stumblingWords.flatMap((word) => page.match(new RegExp(`.{30}${word.source}.{20}`, word.flags)) ?? []),
  ).toEqual([]);
});

it('names a source by its last known answers, and says which word the files have', async () => {
  const page = await readPage(badNight(300));
  expect(page).toMatch(/did not answer in full; its last known answers, of \d{4}-\d\d-\d\d, are shown\./);
  expect(page).toMatch(/last known *\(in the files: carried\)/);
});
