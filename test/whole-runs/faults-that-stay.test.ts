import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { isProven } from '../model/proof.ts';
import type { ModelNight } from '../model/rows.ts';
import { isDeep, sample } from '../sampling.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, incomplete, observe, wrongInstrument } from './expected-runs.ts';
import {
  fatalCells,
  lastingRows,
  type OwnFault,
  ownLasting,
  type Problem,
  sourceOf,
  writeLasting,
} from './fault-table.ts';
import { openReferenceRuns, type ReferenceRuns, second, third } from './reference-runs.ts';
import {
  dropProof,
  readAllTables,
  readStandingCommit,
  readTableRows,
  readTableText,
  removeFolders,
  runSlot,
} from './simulator-runs.ts';

let reference: ReferenceRuns;

beforeAll(async () => {
  reference = await openReferenceRuns(third);
});

afterAll(async () => {
  await reference.setup.close();
  await removeFolders();
});

/** One of each way in which an answer is missing: what follows a carried run does not depend on its reason. */
const kinds: readonly OwnFault[] = [
  ...ownLasting.filter(({ fault }) => /attribute-renamed|rows-hidden|next-link-loops/.test(fault)),
  ...fatalCells
    .filter(({ kind, request }) => kind === 'down' && request === 'devices')
    .map((cell) => ({ ...cell, fault: 'down' })),
];

/**
 * Without the attribute nobody knows what a Mac's script measures: a reading of a wrong instrument, after which only
 * what is reported later is proof.
 */
const spoilsProof = (fault: string) => fault === 'attribute-renamed';

function findProblem({ night: judged }: RunOutcome, source: string) {
  const found = judged?.sources.find(({ name }) => name === source);
  return { soundness: found?.soundness, code: found?.problem?.code, message: found?.problem?.message ?? '' };
}

function expectProblem(outcome: RunOutcome, source: string, { code, says }: Problem): string {
  const problem = findProblem(outcome, source);
  expect(problem).toMatchObject({ soundness: 'carried', code });
  expect(problem.message).toMatch(says);
  expect(problem.message).toMatch(/^[A-Z].{15,}[.)] [A-Z].{10,}\.$/);
  return problem.message;
}

/** The run by the model: these sources are carried, and all else is as their servers hold it. */
function expectCarried(sources: readonly string[], fault = ''): ModelNight {
  const reading = spoilsProof(fault) ? { ...incomplete, ...wrongInstrument } : incomplete;
  const changes = Object.fromEntries(sources.map((source) => [source, reading]));
  return expectRun(second, observe(reference.setup.simulator, changes), { past: [[reference.firstRun]] });
}

const filterLines = (text: string, source: string) => text.split('\n').filter((line) => line.split(',')[1] === source);

/** The contract of the sources shows each fault; what is shown here is what a run makes of it. */
async function expectOneCarried(platform: OwnFault['platform'], fault: string, problem: Problem) {
  const folder = await reference.copyAfterFirstRun();
  const failed = sourceOf[platform];
  const other = failed === 'macs' ? 'windows' : 'macs';
  const outcome = await reference.runWithFaults(folder, second, [`${platform}/${fault}:lasting`]);

  expect(outcome.exit).toBe(3);
  const message = expectProblem(outcome, failed, problem);
  expect(findProblem(outcome, other).soundness).toBe('complete');
  await expectTables(folder, second, expectCarried([failed], fault));
  for (const table of ['devices', 'changes', 'groups'] as const) {
    const shown = filterLines(await readTableText(folder, second, table), other);
    expect(shown).toEqual(filterLines(reference.readTables(second)[table] ?? '', other));
  }
  // What a device's row shows of the platform's answer is the last whole run's, cell by cell.
  const readValues = async (slot: string) =>
    (await readTableRows(folder, slot, 'devices')).flatMap((row) => (row.source === failed ? [row.value] : []));
  expect(await readValues(second)).toEqual(await readValues('2026-03-01'));

  // The receipt stands in the commit, with both numbers where rows are missing.
  const commit = await readStandingCommit(folder);
  expect(commit).toMatchObject({ slot: second, exit: 3 });
  const receipt = commit.sources.find(({ name }) => name === failed)?.receipt;
  expect(receipt).toMatchObject({ started: expect.any(String), ended: expect.any(String) });
  if (problem.code === 'rows-missing') {
    const ofReport = [receipt?.answersClaimed, receipt?.answersReceived];
    const [claimed = 0, received = 0] = platform === 'jamf' ? [receipt?.claimed, receipt?.received] : ofReport;
    expect(received).toBeGreaterThan(0);
    expect(received).not.toBe(claimed);
    expect(message).toContain(`reports ${claimed}`);
    expect(message).toMatch(new RegExp(`(returned|sent) ${received}\\b`));
  }
}

test.each(sample(ownLasting, 2))(
  '$platform/$fault: carried, and named [D9, P2]',
  async ({ platform, fault, ...problem }) => {
    await expectOneCarried(platform, fault, problem);
  },
);

test.each(lastingRows.map((row) => ({ kind: row[0]?.kind, row })))(
  '$kind on both platforms: both are carried, each with its own reason',
  async ({ row }) => {
    const folder = await reference.copyAfterFirstRun();
    const outcome = await reference.runWithFaults(folder, second, row.map(writeLasting));
    expect(outcome.exit).toBe(3);
    for (const { platform, ...problem } of row) {
      expectProblem(outcome, sourceOf[platform], problem);
    }
    await expectTables(folder, second, expectCarried(row.map(({ platform }) => sourceOf[platform])));
  },
);

test.each(isDeep ? fatalCells : fatalCells.slice(0, 1))(
  '$platform/$kind@$request: carried, and named',
  async ({ platform, kind, request, ...problem }) => {
    await expectOneCarried(platform, `${kind}@${request}`, problem);
  },
);

test.each(isDeep ? kinds : kinds.filter(({ fault }) => fault === 'attribute-renamed'))(
  '$platform/$fault: right again in the run after',
  async ({ platform, fault }) => {
    const { setup, firstRun } = reference;
    const folder = await reference.copyAfterFirstRun();
    const failed = sourceOf[platform];
    expect((await reference.runWithFaults(folder, second, [`${platform}/${fault}:lasting`])).exit).toBe(3);
    const carried = expectCarried([failed], fault);

    // Compared with the last whole run: nothing is lost on the way, and nothing made up.
    expect((await runSlot(setup, folder, third)).exit).toBe(0);
    const run = expectRun(third, observe(setup.simulator), { past: [[firstRun], [carried]] });
    await expectTables(folder, third, run);
    expect(run.rows.some((row) => row.source === failed && isProven(row))).toBe(!spoilsProof(fault));
  },
);

test.each(isDeep ? kinds : kinds.filter(({ fault }) => fault === 'next-link-loops'))(
  '$platform/$fault: the same slot run again heals',
  async ({ platform, fault }) => {
    const { setup } = reference;
    const folder = await reference.copyAfterFirstRun();
    expect((await reference.runWithFaults(folder, second, [`${platform}/${fault}:lasting`])).exit).toBe(3);
    const attempt = (await readStandingCommit(folder)).attempt;
    // While the fault lasts, nothing better is to be had and nothing changes.
    const again = await reference.runWithFaults(folder, second, [`${platform}/${fault}:lasting`]);
    expect(again).toMatchObject({ exit: 3, did: 'unchanged' });
    expect((await readStandingCommit(folder)).attempt).toBe(attempt);

    expect((await runSlot(setup, folder, second)).exit).toBe(0);
    expect((await readStandingCommit(folder)).replaces).toBe(attempt);
    await expectHealed(folder, second, fault);
    expect((await runSlot(setup, folder, third)).exit).toBe(0);
    const later = await readAllTables(folder, third);
    expect(dropProof(later)).toEqual(dropProof(reference.readTables(third)));
    if (!spoilsProof(fault)) {
      expect(later).toEqual(reference.readTables(third));
    }
  },
);

/** As in a run without the fault, but for what nothing proves any more. */
async function expectHealed(folder: string, slot: string, fault: string): Promise<void> {
  const tables = await readAllTables(folder, slot);
  if (!spoilsProof(fault)) {
    expect(tables).toEqual(reference.readTables(slot));
    return;
  }
  expect(dropProof(tables)).toEqual(dropProof(reference.readTables(slot)));
  const proven = (await readTableRows(folder, slot, 'devices')).filter((row) => row.proven === 'true');
  expect(new Set(proven.map(({ source }) => source))).toEqual(new Set(['windows']));
}
