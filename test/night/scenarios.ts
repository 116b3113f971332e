/** Nights to kill: what was there before, what is done, and what is done again afterwards. */
import { MusterError } from '../../src/base/errors.ts';
import { runNight } from '../../src/night.ts';
import { acceptRun, findHeldBackRuns, pruneRuns } from '../../src/run/corrections/republish.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import type { Store } from '../../src/storage/store.ts';
import { type Company, slots } from './small.ts';

export interface Scenario {
  readonly name: string;
  /** The exit that the night ends with, killed or not. */
  readonly exit: 0 | 3;
  /** Leaves the company as the night finds it. */
  prepare(store: Store, made: Company): Promise<unknown>;
  act(store: Store, made: Company): Promise<RunOutcome>;
}

const [first = '', second = '', third = '', fourth = ''] = slots;

async function nights(store: Store, made: Company, wanted: readonly string[]): Promise<void> {
  for (const slot of wanted) {
    await runNight(made.order(slot), made.parts(store));
  }
}

const night = (slot: string) => (store: Store, made: Company) => runNight(made.order(slot), made.parts(store));

export const scenarios: readonly Scenario[] = [
  { name: 'the first night', exit: 0, prepare: async () => undefined, act: night(first) },
  { name: 'the second night', exit: 0, prepare: (store, made) => nights(store, made, [first]), act: night(second) },
  {
    name: 'the healing of a partial night',
    exit: 0,
    async prepare(store, made) {
      await nights(store, made, [first]);
      made.away.add('windows');
      await nights(store, made, [second]);
      made.away.clear();
    },
    act: night(second),
  },
  {
    name: 'the acceptance of a suspect night',
    exit: 0,
    async prepare(store, made) {
      await nights(store, made, [first]);
      made.shrunk.add('macs');
      await nights(store, made, [second]);
    },
    // Accepted already: then running the night again is what finishes it.
    act: (store, made) =>
      acceptRun(second, 'somebody', made.parts(store)).catch((error: unknown) => {
        if (error instanceof MusterError && error.code === 'not-suspect') {
          return night(second)(store, made);
        }
        throw error;
      }),
  },
  {
    name: 'a night that removes an old one',
    exit: 0,
    async prepare(store, made) {
      made.keptNights = 2;
      await nights(store, made, [first, second, third]);
    },
    act: night(fourth),
  },
  {
    name: 'the retraction of the third night',
    exit: 0,
    prepare: (store, made) => nights(store, made, [first, second, third]),
    // Retracted already: a start that nobody chose finishes it.
    act: (store, made) =>
      retractRun({ slot: third, by: 'somebody', why: 'a test' }, made.parts(store)).catch((error: unknown) => {
        if (error instanceof MusterError && error.code === 'retract-refused') {
          return night(third)(store, made);
        }
        throw error;
      }),
  },
  {
    name: 'runs that a person lets go',
    exit: 0,
    async prepare(store, made) {
      await nights(store, made, [first, second, third, fourth]);
    },
    async act(store, made) {
      const held = await findHeldBackRuns(made.parts(store), 2);
      return held === undefined || held.slots.length === 0
        ? night(fourth)(store, made)
        : pruneRuns(held, 2, 'somebody', made.parts(store));
    },
  },
];
