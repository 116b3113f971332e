/** A night killed between every two changes it makes to the disk (G1, G13); nothing here is random. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scenarios } from './scenarios.ts';
import { sentence, sweep } from './sweep.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-sweep-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(scenarios)(
  '$name, killed anywhere, leaves a whole run to readers and ends the same',
  {
    timeout: 120_000,
  },
  async (scenario) => {
    const swept = await sweep(scenario, folder, false);
    process.stdout.write(`${sentence(scenario.name, swept)}\n`);
    expect(swept.violations).toEqual([]);
    expect(swept.kills).toBeGreaterThan(50);
    expect(swept.saw.after).toBeGreaterThan(0);
  },
);
