/** `--json`: one document on standard output, with the fields that docs/json.md names and no other, and the same exit code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { momentOf, musterHere, openSite, pastSlots, type Site } from './muster.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/json.md'), 'utf8');

/** The fields of a command; those that not every answer has may be missing. */
function listFields(command: string): string[] {
  return [...page.matchAll(/^\| `([a-z ]+)` \| `(\w+)` \|/gm)].flatMap(([, name, field]) =>
    name === command && field !== undefined ? [field] : [],
  );
}

const optional = new Set(['skippedStart', 'isRetracted', 'heldBack', 'delivery', 'unfinished', 'lastCommit']);
let site: Site;
let settings: string;

beforeAll(async () => {
  site = await openSite();
  ({ settings } = await site.settingsFor('store'));
  for (const slot of pastSlots.slice(0, 2)) {
    site.simulator.setMoment(momentOf(slot));
    await site.run(settings, 'run', '--slot', slot);
  }
});

afterAll(() => site.close());

const [first, second, third] = pastSlots;

it.each([
  ['check', [], { ready: expect.any(Boolean), store: { problems: expect.any(Array) } }],
  ['run', ['--dry-run', '--slot', third], { did: 'dryRun', slot: third, plan: { from: second, messages: [] } }],
  ['status', [], { isHealthy: false, last: { slot: second, number: 2 }, due: { isPublished: false } }],
  ['verify', [], { sound: true, runs: 2, damage: [], lastCommit: 2 }],
  ['diff', [second, first], { before: { slot: first }, after: { slot: second } }],
  ['alerts show', [], { slot: second, open: expect.any(Array) }],
])('muster %s says to programs what it says to people', async (command, words, expected) => {
  const plain = await site.run(settings, ...command.split(' '), ...words);
  // At a terminal too, nothing is drawn into the document.
  const { code, output } = await musterHere(['--settings', settings, ...command.split(' '), ...words, '--json'], {
    ...site,
    isTerminal: true,
  });

  expect(code).toBe(plain.code);
  const { schema, ...document } = JSON.parse(output);
  expect(schema).toBe(1);
  expect(document).toMatchObject(expected);
  const fields = listFields(command);
  expect(fields.length).toBeGreaterThan(2);
  expect(Object.keys(document).filter((field) => !fields.includes(field))).toEqual([]);
  expect(fields.filter((field) => !(field in document) && !optional.has(field))).toEqual([]);
});

it('has nothing but an error where a command fails', async () => {
  const { code, output, errors } = await site.run(settings, 'diff', first, '2020-01-01', '--json');
  expect([code, output, errors]).toEqual([2, '', expect.stringContaining('[night-unknown]')]);
});
