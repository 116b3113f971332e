/** Runs killed for real at spread-out moments, then run again: what went wrong, in sentences. */
import { cp } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { look } from '../night/reader.ts';
import { countSight, type Sights } from '../night/sights.ts';
import { momentOf, pastSlots, type Site } from './muster.ts';

interface Killed {
  readonly kills: number;
  /** Runs that had ended before the kill. */
  readonly tooLate: number;
  readonly saw: Sights;
  readonly violations: readonly string[];
}

interface Order {
  readonly kills: number;
  readonly atOnce: number;
  readonly change?: (yaml: string) => string;
}

/** Half of the kills hit a first night, half a second one. */
export async function killNights(site: Site, { kills, atOnce, change }: Order): Promise<Killed> {
  const saw = { nothing: 0, before: 0, after: 0 };
  const violations: string[] = [];
  let tooLate = 0;
  // In this process, which runs one command at a time.
  const inTurn = pLimit(1);
  const template = await site.settingsFor('template', change);
  for (const [night, slot] of pastSlots.slice(0, 2).entries()) {
    site.simulator.setMoment(momentOf(slot));
    const before = await look(template.store);
    const unkilled = await site.settingsFor(`unkilled-${slot}`, change);
    const copy = async (store: string) => {
      if (before !== undefined) {
        await cp(template.store, store, { recursive: true, preserveTimestamps: true });
      }
    };
    await copy(unkilled.store);
    const began = performance.now();
    const whole = site.start(unkilled.settings, 'run', '--slot', slot);
    await Promise.race([whole.gathered, whole.ended]);
    const gathered = performance.now();
    const { code, errors } = await whole.ended;
    const ended = performance.now();
    if (code !== 0) {
      violations.push(`an unkilled run ended with ${code}: ${errors}`);
    }
    const wanted = (await look(unkilled.store))?.reports;

    const killOne = async (number: number, count: number) => {
      // Every third while it gathers, the others while it publishes.
      const share = (number + 0.5) / count;
      const isEarly = number % 3 === 0;
      const after = isEarly ? (gathered - began) * share : (ended - gathered) * share;
      const when = `${after.toFixed(0)} ms after ${isEarly ? 'its start' : 'the last answer'}`;
      const problem = (what: string) => violations.push(`${slot}, killed ${when}: ${what}`);
      try {
        const { settings, store } = await site.settingsFor(`${slot}-${number}`, change);
        await copy(store);
        const run = site.start(settings, 'run', '--slot', slot);
        if (!isEarly) {
          await Promise.race([run.gathered, run.ended]);
        }
        await Promise.race([wait(after), run.ended]);
        run.child.kill('SIGKILL');
        if ((await run.ended).code !== null) {
          tooLate += 1;
        }
        const seen = await look(store);
        countSight(saw, { seen, before, wanted }, problem);
        const again = await inTurn(() => site.run(settings, 'run', '--slot', slot));
        if (again.code !== 0) {
          problem(`run again it ended with ${again.code}: ${again.errors}`);
        }
        if (!isDeepStrictEqual((await look(store))?.reports, wanted)) {
          problem('the tables are others');
        }
        for (const damage of (await verifyRuns(createFolderStore(store))).damage) {
          problem(damage.message);
        }
      } catch (error) {
        problem(String(error));
      }
    };
    const count = night === 0 ? Math.ceil(kills / 2) : Math.floor(kills / 2);
    const queue = Array.from({ length: count }, (_, number) => number);
    const worker = async () => {
      for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
        await killOne(number, count);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    if (night === 0) {
      await cp(unkilled.store, template.store, { recursive: true, preserveTimestamps: true });
    }
  }
  return { kills, tooLate, saw, violations };
}

export function told({ kills, tooLate, saw, violations }: Killed): string {
  return `SIGKILL: ${kills} kills, ${tooLate} of them too late; a reader then saw nothing ${saw.nothing}, the run before ${saw.before}, the new run ${saw.after} times; ${violations.length} violations`;
}
