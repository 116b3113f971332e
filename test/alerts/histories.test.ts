/**
 * Random histories of up to 60 nights through real delivery: what each channel's readers have open in the end is what
 * is open, for keys and for findings, with channels that fail at random in between (G4, G17).
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import type { DigestEvent } from '../../src/alerts/message/severity.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { isSent } from '../../src/core/alerts/alert-state.ts';
import type { Facts, SourceFacts } from '../../src/core/facts.ts';
import { hasFinding } from '../../src/core/findings.ts';
import type { Night } from '../../src/core/judged.ts';
import { MusterError } from '../../src/errors.ts';
import { type Parts, runNight } from '../../src/night.ts';
import { findingsReport } from '../../src/reports/findings.ts';
import type { Source } from '../../src/sources/source.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { readCurrentRun } from '../../src/storage/runs/published-runs.ts';
import { readCurrentState } from '../../src/storage/runs/retractions.ts';
import { history, sketch } from '../core/fleets.ts';
import { fakeClock } from '../http/loopback.ts';
import { memoryDisk } from '../storage/disks.ts';
import { alertsWith } from './listeners.ts';

const seed = Number(process.env.FC_SEED ?? 20_260_613);

/** Keeps what a reader has open: by the messages alone. */
interface Reader extends Channel {
  readonly open: Set<string>;
  readonly received: Set<string>;
  down: boolean;
}

function createReader(name: string, more: Partial<Channel> = {}): Reader {
  const reader: Reader = {
    ...{ name, audience: 'programs', open: new Set(), received: new Set(), down: false, ...more },
    render: ({ events }) => [events.map(({ key, phase }: DigestEvent) => ({ key, phase }))],
    async send(payload, { key: id }) {
      if (reader.down) {
        throw new MusterError('channel-refused', `${name} is down.`);
      }
      // A message that it has had before is dropped.
      if (reader.received.has(id)) {
        return;
      }
      reader.received.add(id);
      for (const { key, phase } of payload as { key: string; phase: string }[]) {
        reader.open[phase === 'over' ? 'delete' : 'add'](key);
      }
    },
  };
  return reader;
}

function toSource({ name, kind, population, ...facts }: SourceFacts): Source {
  return {
    ...{ name, kind, ...(population === undefined ? {} : { population }) },
    async read(_, reading) {
      const { instrument, findings, groups, devices, receipt } = facts;
      Object.assign(reading, { instrument, findings, groups, devices, receipt });
      if (facts.reading !== 'complete') {
        throw new MusterError('store-unsuited', facts.problem?.message ?? '');
      }
    },
  };
}

/** What people who collect findings have open. */
async function collectFindings(night: Night, open: Set<string>): Promise<void> {
  for await (const piece of findingsReport.render(night)) {
    for (const line of piece.toString('utf8').split('\n').slice(0, -1)) {
      const { finding_info: info, activity_id: activity } = JSON.parse(line);
      open[activity === 3 ? 'delete' : 'add'](info.uid);
    }
  }
}

async function live(all: readonly Facts[], down: readonly boolean[]): Promise<void> {
  const store = createFolderStore('/store', memoryDisk());
  const clock = fakeClock(Date.parse(all[0]?.moment ?? ''));
  const programs = createReader('programs');
  const macs = createReader('macs', { only: { source: ['macs'] } });
  const people = createReader('people', { audience: 'people' });
  const readers = [programs, macs, people];
  const findings = new Set<string>();
  const parts = (facts: Facts): Parts => ({
    ...{ store, clock, tables: [], rules: sourceRules, privacy: { users: 'show' }, patience: 0, asksOnce: true },
    sources: facts.sources.map(toSource),
    signal: new AbortController().signal,
    alerts: alertsWith(readers, clock),
  });
  const run = (facts: Facts) => {
    const { slot, moment, schema: _, sources: __, accepted: ___, ...context } = facts;
    return runNight({ slot, moment: new Date(moment), readRunContext: async () => context }, parts(facts));
  };
  let last: Night | undefined;
  for (const [index, facts] of all.entries()) {
    for (const [place, reader] of readers.entries()) {
      reader.down = down[(3 * index + place) % down.length] === true;
    }
    const { night } = await run(facts);
    if (night !== undefined) {
      await collectFindings(night, findings);
      last = night;
    }
  }
  for (const reader of readers) {
    reader.down = false;
  }
  const [final] = all.slice(-1);
  if (final !== undefined) {
    const { night } = await run(final);
    if (night !== undefined) {
      await collectFindings(night, findings);
      last = night;
    }
  }
  const currentRun = await readCurrentRun(store);
  const told = currentRun === undefined ? [] : ((await readCurrentState(store, currentRun)).told ?? []);
  const sent = told.filter(isSent);
  // A channel is not told of its own silence.
  const expected = (name: string) => sent.map(({ key }) => key).filter((key) => key !== `channel:${name}`);
  expect([...programs.open].sort()).toEqual(expected('programs').sort());
  const ofMacs = sent.filter(({ sentAs = [] }) => sentAs.some(({ source }) => source === 'macs'));
  expect([...macs.open].sort()).toEqual(ofMacs.map(({ key }) => key).sort());
  // People are not told of keys that only changed their name, nor that a notice was a notice.
  const isMatter = (key: string) => !/^(device|baseline|left|measurement|deployment):/.test(key);
  const matters = expected('people').filter(isMatter);
  expect([...people.open].filter(isMatter).sort()).toEqual(matters.sort());
  // Of findings: what the baselines of the sources that are there say.
  const names = new Set(last?.sources.map(({ name }) => name));
  const open = (last?.state.sources ?? [])
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, baseline }) =>
      (baseline?.devices ?? []).filter(hasFinding).map(({ facts }) => `device:${name}/${facts.id}`),
    );
  expect([...findings].sort()).toEqual(open.sort());
}

test('what every reader has open after up to sixty nights is what is open', async () => {
  const histories = fc.tuple(history(60), fc.array(fc.boolean(), { minLength: 7, maxLength: 40 }));
  const property = fc.asyncProperty(histories, async ([all, down]) => live(all, down));
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: Number(process.env.HISTORIES ?? 2),
    endOnFailure: true,
  });
  if (failed) {
    throw new Error(`seed ${seed}\n${sketch(counterexample?.[0]?.[0] ?? [])}`, { cause: errorInstance });
  }
  expect(failed).toBe(false);
});
