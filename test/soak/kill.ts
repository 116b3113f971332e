/**
 * The long version of the kill tests: 200 real kills of `muster run` at moments spread over its life, and every effect
 * of a night killed before it, in the middle and after it. Ends with 1 when a promise was broken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite } from '../cli/muster.ts';
import { killNights, told } from '../cli/sigkill.ts';
import { scenarios } from '../night/scenarios.ts';
import { sentence, sweep } from '../night/sweep.ts';

const violations: string[] = [];
const say = (line: string) => process.stdout.write(`${line}\n`);

say('Killing 200 runs and running each again; this takes some minutes.');
const site = await openSite();
try {
  const killed = await killNights(site, { kills: 200, atOnce: 2 });
  say(told(killed));
  violations.push(...killed.violations);
} finally {
  await site.close();
}

for (const scenario of scenarios) {
  const folder = await mkdtemp(join(tmpdir(), 'muster-soak-'));
  try {
    const swept = await sweep(scenario, folder, true);
    say(sentence(scenario.name, swept));
    violations.push(...swept.violations);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const violation of violations) {
  say(violation);
}
say(violations.length === 0 ? 'No promise was broken.' : `${violations.length} violations.`);
process.exitCode = violations.length === 0 ? 0 : 1;
