/**
 * Random histories of up to 60 nights through real delivery: what each channel's readers have open in the end is what
 * is open, for keys and for findings, with channels that fail at random in between, and runs that are retracted
 * (G4, G17).
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import type { DigestEvent } from '../../src/alerts/message/digest-event.ts';
import { MusterError } from '../../src/base/errors.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { runNight } from '../../src/night.ts';
import { findingsReport } from '../../src/reports/findings.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import type { Parts } from '../../src/run/parts.ts';
import type { Source } from '../../src/sources/source.ts';
import { readCurrentRun, requireCommit } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { parseDeliveryKey } from '../../src/storage/keys.ts';
import { readRunEvents } from '../../src/storage/runs/events-record.ts';
import { readState } from '../../src/storage/runs/run-state.ts';
import type { Store } from '../../src/storage/store.ts';
import { history, holdOver } from '../core/fleets.ts';
import { fakeClock } from '../http/loopback.ts';
import { isDeep } from '../sampling.ts';
import { memoryDisk } from '../storage/disks.ts';
import { alertsWith } from './listeners.ts';

/** Keeps what a reader has open: by the messages alone. */
interface Reader extends Channel {
  readonly open: Set<string>;
  readonly received: Set<string>;
  down: boolean;
}

function createReader(name: string, more: Partial<Channel> = {}): Reader {
  const reader: Reader = {
    name,
    audience: 'programs',
    open: new Set(),
    received: new Set(),
    down: false,
    render: ({ events }) => [events.map(({ key, phase }: DigestEvent) => ({ key, phase }))],
    ...more,
    async send(payload, { key: id }) {
      if (reader.down) {
        throw new MusterError('channel-refused', `${name} is down.`);
      }
      // A message that it has had before is dropped.
      if (reader.received.has(id)) {
        return;
      }
      reader.received.add(id);
      const changes = payload as { key: string; phase: string }[];
      for (const { key, phase } of changes.filter((one) => one.phase !== 'notice')) {
        reader.open[phase === 'over' ? 'delete' : 'add'](key);
      }
    },
  };
  return reader;
}

function toSource({ name, kind, population, ...facts }: SourceFacts): Source {
  return {
    name,
    kind,
    ...(population === undefined ? {} : { population }),
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

/** Events of the runs after the channel's last mark. */
async function listWaiting(store: Store, channel: string): Promise<AlertEvent[]> {
  const marks = await Array.fromAsync(store.list(`deliveries/${channel}/`));
  const last = marks.flatMap((key) => {
    const parsed = parseDeliveryKey(key);
    return parsed?.kind === 'mark' ? [parsed.last] : [];
  });
  const newest = (await readCurrentRun(store))?.commit.number ?? 0;
  const events: AlertEvent[] = [];
  for (let number = Math.max(0, ...last) + 1; number <= newest; number += 1) {
    const run = await requireCommit(store, number);
    events.push(...(await readRunEvents(store, run)).events.filter(({ key }) => key !== `channel:${channel}`));
  }
  return events.filter(({ phase }) => phase !== 'notice');
}

interface Chances {
  readonly down: readonly boolean[];
  readonly retracted: readonly boolean[];
  /** People get one summary a week. */
  readonly quiet: boolean;
}

/** What the ledger has open: of a machine that is there, lacks the agent, and is counted or exempt. */
function hasOpenFinding({ isGone, status, counted, standing }: Entry): boolean {
  return !isGone && status === 'Not Installed' && (counted || standing.excludedBecause === 'exempt');
}

async function live(all: readonly Facts[], { down, retracted, quiet }: Chances): Promise<void> {
  const store = createFolderStore('/store', memoryDisk());
  const clock = fakeClock(Date.parse(all[0]?.moment ?? ''));
  const programs = createReader('programs');
  const macs = createReader('macs', { only: { source: ['macs'] } });
  const people = createReader('people', { audience: 'people' });
  // Hears of every run on its day.
  const witness = createReader('witness', { audience: 'people' });
  const readers = [programs, macs, people, witness];
  const findings = new Set<string>();
  const closedForAWhile = new Set<string>();
  const parts = (facts: Facts): Parts => ({
    store,
    clock,
    tables: [],
    rules: sourceRules,
    privacy: { users: 'show' },
    patience: 0,
    asksOnce: true,
    sources: facts.sources.map(toSource),
    signal: new AbortController().signal,
    alerts: { ...alertsWith(readers, clock), quiet, everyNight: !quiet },
  });
  const run = (facts: Facts) => {
    const { slot, moment, schema: _, sources: __, accepted: ___, ...context } = facts;
    return runNight({ slot, moment: new Date(moment), readRunContext: async () => context }, parts(facts));
  };
  let last: Night | undefined;
  for (const [index, facts] of all.entries()) {
    for (const [place, reader] of [programs, macs, people].entries()) {
      reader.down = down[(3 * index + place) % down.length] === true;
    }
    const { night } = await run(facts);
    if (night !== undefined) {
      await collectFindings(night, findings);
      last = night;
      const there = new Set(night.sources.map(({ name }) => name));
      for (const { machine, source } of night.findings.ended) {
        if (!there.has(source)) {
          closedForAWhile.add(`device:${machine}`);
        }
      }
    }
    if (index > 0 && index < all.length - 1 && retracted[index % retracted.length] === true) {
      for (const { machine } of night?.findings.ended ?? []) {
        closedForAWhile.add(`device:${machine}`);
      }
      const again = await retractRun({ slot: facts.slot, by: 'ada', why: 'a test' }, parts(facts));
      if (again.night !== undefined) {
        await collectFindings(again.night, findings);
      }
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
  const { openAlerts = [] } = currentRun === undefined ? {} : await readState(store, currentRun);
  const sent = openAlerts.filter(({ isCounted }) => isCounted !== true);
  // A channel is not told of its own silence.
  const expected = (name: string) => sent.map(({ key }) => key).filter((key) => key !== `channel:${name}`);
  expect([...programs.open].sort()).toEqual(expected('programs').sort());
  const ofMacs = sent.filter(({ sentAs = [] }) => sentAs.some(({ source }) => source === 'macs'));
  expect([...macs.open].sort()).toEqual(ofMacs.map(({ key }) => key).sort());
  // People have it open however many runs one message stands for, but for what waits for the week's summary.
  const waiting = await listWaiting(store, 'people');
  for (const { key, phase } of waiting) {
    people.open[phase === 'over' ? 'delete' : 'add'](key);
  }
  for (const { key, phase } of await listWaiting(store, 'witness')) {
    witness.open[phase === 'over' ? 'delete' : 'add'](key);
  }
  expect([...people.open].sort()).toEqual(expected('people').sort());
  expect([...witness.open].sort()).toEqual(expected('witness').sort());
  // Of findings: what the ledger says of the sources that are there.
  const names = new Set(last?.sources.map(({ name }) => name));
  const open = (last?.state.ledger ?? [])
    .filter((entry) => names.has(entry.standing.source) && hasOpenFinding(entry))
    .map(({ name }) => `device:${name}`);
  // What a retracted run closed stays closed until its source shows the device again, and so does what was closed
  // because its source left the settings.
  const isExpected = (key: string) => findings.has(key) || !closedForAWhile.has(key);
  expect([...findings].sort()).toEqual(open.filter(isExpected).sort());
}

test('what every reader has open after up to sixty nights is what is open', async () => {
  const chances = fc.record({
    down: fc.array(fc.boolean(), { minLength: 7, maxLength: 40 }),
    retracted: fc.array(
      fc.nat({ max: 9 }).map((chance) => chance === 0),
      { minLength: 7, maxLength: 40 },
    ),
    quiet: fc.boolean(),
  });
  const numRuns = Number(process.env.ALERT_HISTORIES ?? (isDeep ? 200 : 2));
  await holdOver(
    fc.tuple(history(60), chances),
    ([all]) => all,
    ([all, luck]) => live(all, luck),
    { seed: 20_260_613, numRuns, endOnFailure: true },
  );
});
