/** `muster run --dry-run` at a terminal: what a run would change, send and write, as a plan; nothing is written. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCounted } from '../model/rows.ts';
import { judgeDevices } from '../whole-runs/expected-runs.ts';
import { momentOf, musterHere, openSite, pastSlots, type Site } from './muster.ts';

const [first, second] = pastSlots;
let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const channels = `
alerts:
  channels:
    - { type: slack, name: soc, url: env:HOOK }
    - { type: webhook, url: env:HOOK }
    - { type: slack, name: berlin, url: env:HOOK, only: { site: [Nowhere] } }
`;

async function plan(settings: string, slot: string) {
  const words = ['--settings', settings, 'run', '--dry-run', '--slot', slot];
  const environment = { ...site.environment, HOOK: 'https://hooks.example.com/x' };
  const { code, output } = await musterHere(words, { folder: site.folder, environment, isTerminal: true });
  return { code, output: output.slice(output.indexOf('Dry run')) };
}

test('before the first run the plan has messages and files', async () => {
  const { settings, store } = await site.settingsFor('first', (yaml) => yaml + channels);
  const { code, output } = await plan(settings, first);
  expect(code).toBe(0);
  expect(output).toMatch(
    /^Dry run: nothing was written\.\n\nThe first run would be published: nothing is there to compare it with\.\n\nMessages that would go:\n {2}soc: .*first run.*\n {2}webhook: \d+ events?\n {2}berlin: none\n\nFiles that would be written to \S+first:\n {2}devices\.csv, \d+ rows\n/,
  );
  await expect(readdir(store)).rejects.toThrow('ENOENT');
});

test('later it has the figures of both runs, how many devices change and the first of them by name', async () => {
  const { settings } = await site.settingsFor('later');
  site.simulator.setMoment(momentOf(first));
  await site.run(settings, 'run', '--slot', first);
  const { code, output } = await plan(settings, first);
  expect(code).toBe(0);
  expect(output).toContain(
    `What would change from the run of ${first}:\nIt is published already: only one in which more was read takes its place.\n`,
  );
  expect(output).toContain('\n  No device changed.\n\nNo channel is set: no message would go.\n');

  const device = judgeDevices(site.simulator, first).find(
    (row) => row.source === 'macs' && row.status === 'Installed' && isCounted(row),
  );
  site.simulator.changeDevice('macs', device?.facts.id ?? '', { agent: 'missing' });
  site.simulator.setMoment(momentOf(second));
  const later = await plan(settings, second);
  expect(later.output).toMatch(/ current +dry run\n {2}coverage +[\d.]+ % +[\d.]+ %\n/);
  expect(later.output).toMatch(new RegExp(`\\n {2}\\d+ lost\\b.*\\n {2}lost .*${device?.facts.serialNumber}`));
  site.simulator.restoreDevices();
});
