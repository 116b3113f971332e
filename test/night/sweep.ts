/** One kill of one night: what a reader sees then, and what running again makes of it. */

import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { sample } from '../sampling.ts';
import { damageIn } from '../storage/damage.ts';
import { around, type Effect, type Kill, killing } from '../storage/disks.ts';
import { quickDisk as disk } from '../storage/quick-disk.ts';
import { look, type Seen } from './reader.ts';
import type { Scenario } from './scenarios.ts';
import { countSight, type Sights } from './sights.ts';
import { company, companyOfAllTables } from './small.ts';

interface Swept {
  readonly effects: number;
  readonly changes: number;
  readonly kills: number;
  /** What a reader saw right after the kill. */
  readonly saw: Sights;
  readonly violations: readonly string[];
}

interface Point {
  readonly at: number;
  readonly kill: Kill;
}

/**
 * `every`: before, in the middle of and after every effect of a night with all tables; otherwise between every two
 * effects that change the disk, with two tables, since one more is written as these are.
 */
export async function sweep(scenario: Scenario, folder: string, every: boolean): Promise<Swept> {
  const template = join(folder, 'template');
  const made = every ? companyOfAllTables() : company();
  await scenario.prepare(createFolderStore(template, disk), made);
  const before = await look(template);
  const setUp = JSON.stringify([[...made.away], [...made.shrunk], made.keptNights]);

  const unkilled = join(folder, 'unkilled');
  await clone(template, unkilled);
  const effects: Effect[] = [];
  const changing: number[] = [];
  await scenario.act(createFolderStore(unkilled, noting(effects, changing)), made);
  const wanted = await end(unkilled);

  const points: readonly Point[] = every
    ? effects.flatMap((effect, index) => killsOf(effect).map((kill) => ({ at: index + 1, kill })))
    : sample([...changing.map((at) => ({ at, kill: 'before' as const })), { at: effects.length, kill: 'after' }], 10);
  const saw = { nothing: 0, before: 0, after: 0 };
  const violations: string[] = [];
  const killAt = async ({ at, kill }: Point) => {
    const place = join(folder, `${at}-${kill}`);
    const problem = (what: string) => violations.push(`${scenario.name}, killed ${kill} effect ${at}: ${what}`);
    try {
      await clone(template, place);
      const killed = killing(disk, at, kill);
      await scenario.act(createFolderStore(place, killed.disk), made).catch(() => undefined);
      if (!killed.died()) {
        problem('it was not killed');
      }
      const seen = await look(place);
      countSight(saw, { seen, before, wanted: wanted.seen?.reports }, problem);

      const { exit, did } = await scenario.act(createFolderStore(place, disk), made);
      if (exit !== scenario.exit) {
        problem(`run again it ended ${did} with ${exit}`);
      }
      const ended = await end(place);
      if (!isDeepStrictEqual(ended.copies, wanted.copies)) {
        problem('the copies are others');
      }
      if (!isDeepStrictEqual(ended.seen?.reports, wanted.seen?.reports)) {
        problem('the tables are others');
      }
      for (const damage of await damageIn(createFolderStore(place, disk))) {
        problem(damage);
      }
      if (JSON.stringify([[...made.away], [...made.shrunk], made.keptNights]) !== setUp) {
        problem('the company changed');
      }
    } catch (error) {
      problem(String(error));
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  };
  // A few at once: a killed run waits for the disk more than it computes.
  const queue = [...points];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      await killAt(point);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return { effects: effects.length, changes: changing.length, kills: points.length, saw, violations };
}

export function sentence(name: string, { effects, changes, kills, saw, violations }: Swept): string {
  return `${name}: ${effects} effects, ${changes} of them changes; ${kills} kills; a reader then saw nothing ${saw.nothing}, the run before ${saw.before}, the new run ${saw.after} times; ${violations.length} violations`;
}

/** What stands, and every copy with its contents. */
async function end(folder: string): Promise<{ seen: Seen | undefined; copies: Record<string, string> }> {
  const store = createFolderStore(folder, disk);
  const copies: Record<string, string> = {};
  for await (const key of store.list('')) {
    // They have names and times of their own run.
    if (key.startsWith('runs/') || key.startsWith('commits/') || key === 'latest.json') {
      continue;
    }
    copies[key] = (await store.read(key))?.toString() ?? '';
  }
  return { seen: await look(folder), copies };
}

function killsOf(effect: Effect): Kill[] {
  return effect === 'write' ? ['before', 'half', 'after'] : ['before', 'after'];
}

/** Notes every effect, and the numbers of those that change what is on the disk. */
function noting(effects: Effect[], changing: number[]): Disk {
  const reading: readonly Effect[] = ['read', 'stream', 'list', 'syncFolder'];
  return around(disk, async (effect, run) => {
    const at = effects.push(effect);
    const result = await run();
    // A folder that was there, a name that was taken: nothing changed.
    if (!reading.includes(effect) && result !== false && !(effect === 'makeFolder' && result === undefined)) {
      changing.push(at);
    }
    return result;
  });
}

/** Files of a store are replaced and never rewritten, so the copies may share them. */
async function clone(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const path = join(to, join(entry.parentPath, entry.name).slice(from.length + 1));
    if (entry.isDirectory()) {
      await mkdir(path, { recursive: true });
    } else {
      await mkdir(dirname(path), { recursive: true });
      await link(join(entry.parentPath, entry.name), path);
    }
  }
}
