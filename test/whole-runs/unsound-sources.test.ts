import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import type { ModelNight, Past } from '../model/rows.ts';
import { isDeep } from '../sampling.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, judgeDevices, observe, type SourceChanges, wrongInstrument } from './expected-runs.ts';
import { first, fourth, openReferenceRuns, type ReferenceRuns, second, third } from './reference-runs.ts';
import {
  composeSimulatorParts,
  dropProof,
  expectClean,
  makeFolder,
  openSimulator,
  type Row,
  readAllTables,
  readTableRows,
  removeFolders,
  runSlot,
  toMoment,
} from './simulator-runs.ts';

let reference: ReferenceRuns;
let folder: string;

beforeAll(async () => {
  reference = await openReferenceRuns(second);
});

beforeEach(async () => {
  folder = await reference.copyAfterFirstRun();
});

afterEach(() => {
  reference.setup.simulator.setFaults([]);
  reference.renewDevices();
});

afterAll(async () => {
  await reference.setup.close();
  await removeFolders();
});

/** Every table of a run is what the model says, after these runs; returns that, to be compared with. */
async function expectModelRun(
  slot: string,
  past: Past,
  more: { changes?: SourceChanges; earlier?: readonly ModelNight[] } = {},
): Promise<ModelNight> {
  const run = expectRun(slot, observe(reference.setup.simulator, more.changes), { past, ...more });
  await expectTables(folder, slot, run);
  return run;
}

async function readFigures(slot: string, source: string): Promise<Row> {
  return (await readTableRows(folder, slot, 'coverage')).find((row) => row.source === source) ?? {};
}

type Breaker = readonly [what: string, source: 'macs' | 'windows', says: RegExp];

const breakers: readonly Breaker[] = [
  ['a third of the Macs gone', 'macs', /^\d+ of \d+ counted devices are no longer counted/],
  ['a third of the Windows devices gone', 'windows', /^\d+ of \d+ counted devices are no longer counted/],
  ['half of the Macs flipped', 'macs', /[4-9]\d of 1\d\d changed their status/],
  ['half of the Windows devices flipped', 'windows', /[4-9]\d of 1\d\d changed their status/],
];

function strike(what: string, source: 'macs' | 'windows'): void {
  const { simulator } = reference.setup;
  simulator.setMoment(toMoment(second));
  if (what.endsWith('gone')) {
    simulator.removeShareOfDevices(35, source);
  } else {
    simulator.flipShareOfDevices(50, source);
  }
}

const [gone, flipped] = [breakers.slice(0, 2), breakers.slice(2)];

/** The run's rows, and what changed, are shown all the same. */
async function expectSuspect([what, source, says]: Breaker): Promise<ModelNight> {
  strike(what, source);
  const { exit, night: judged } = await runSlot(reference.setup, folder, second);
  expect(exit).toBe(3);
  const found = judged?.sources.find(({ name }) => name === source);
  expect(found).toMatchObject({ soundness: 'suspect', problem: { code: 'breaker' } });
  expect(found?.problem?.message).toMatch(says);
  expect(found?.problem?.message).toContain('run "muster accept 2026-03-02"');
  const run = await expectModelRun(second, [[reference.firstRun]]);
  expect(run.coverage.filter(({ soundness }) => soundness === 'suspect').map((row) => row.source)).toEqual([
    source,
    'all',
  ]);
  return run;
}

test.each(isDeep ? gone : gone.slice(0, 1))(
  '%s: suspect, and the run after is compared with the last whole one [D1, D2]',
  async (...breaker) => {
    const suspect = await expectSuspect(breaker);
    reference.setup.simulator.restoreDevices();
    expect((await runSlot(reference.setup, folder, third)).exit).toBe(0);
    await expectModelRun(third, [[reference.firstRun], [suspect]]);
  },
);

/** How a source became suspect makes no difference to its acceptance. */
test.each(isDeep ? breakers : flipped.slice(-1))(
  '%s: suspect, and accepted it is judged again without asking anybody [D1]',
  async (...breaker) => {
    const { setup, firstRun } = reference;
    const suspect = await expectSuspect(breaker);
    const [, source] = breaker;
    const observed = observe(setup.simulator);
    const asked = setup.simulator.requests.length;
    const shown = await readAllTables(folder, second);
    const outcome = await acceptRun(second, 'a person', await composeSimulatorParts(setup, folder, second));
    expectClean(setup.simulator, folder);
    expect(outcome).toMatchObject({ exit: 0, did: 'published' });
    expect(setup.simulator.requests).toHaveLength(asked);
    const accepted = await readAllTables(folder, second);
    for (const table of ['devices', 'not-installed', 'changes'] as const) {
      expect(accepted[table]).toBe(shown[table]);
    }
    const run = expectRun(second, observed, { past: [[firstRun]], earlier: [suspect], accepted: [source] });
    await expectTables(folder, second, run);
    expect(await readFigures(second, source)).toMatchObject({ soundness: 'complete' });
    // Now it is what the next run is compared with.
    expect((await runSlot(setup, folder, third)).exit).toBe(0);
    await expectModelRun(third, [[firstRun], [suspect, run]]);
    await expect(acceptRun(third, 'a person', await composeSimulatorParts(setup, folder, third))).rejects.toMatchObject(
      {
        code: 'not-suspect',
      },
    );
  },
);

test('an overview that counts more than the list: suspect, and accepted once it is settled for good [M4]', async () => {
  const { setup } = reference;
  const { exit, night: judged } = await reference.runWithFaults(folder, second, ['overview-outdated=60:lasting']);
  expect(exit).toBe(3);
  const windows = judged?.sources.find(({ name }) => name === 'windows');
  expect(windows).toMatchObject({ soundness: 'suspect', problem: { code: 'devices-missing' } });
  expect(windows?.problem?.message).toMatch(
    /^\d+ of \d+ devices of the platform’s own overview are missing from its list: .* overwritten, or the list ended early/,
  );
  expect(windows?.problem?.message).toContain('run "muster accept 2026-03-02" once: this share');
  const parts = await composeSimulatorParts(setup, folder, second);
  expect(await acceptRun(second, 'a person', parts)).toMatchObject({ exit: 0, did: 'published' });
  for (const slot of [third, fourth]) {
    const later = await reference.runWithFaults(folder, slot, ['overview-outdated=60:lasting']);
    expect(later.exit).toBe(0);
  }
});

test('a device that the list has twice in every reading is one device and a finding [M5]', async () => {
  const { exit, night: judged } = await reference.runWithFaults(folder, second, ['rows-doubled=2:lasting']);
  expect(exit).toBe(0);
  for (const { soundness, receipt, findings } of judged?.sources ?? []) {
    expect([soundness, receipt.claimed ?? receipt.received]).toEqual(['complete', receipt.received]);
    expect(findings.filter(({ check }) => check === 'devices.repeated')).toMatchObject([
      { result: 'fail', found: expect.stringMatching(/^\d devices?: /) },
    ]);
  }
  const drop = ({ deployment: _, ...tables }: Awaited<ReturnType<typeof readAllTables>>) => tables;
  expect(drop(await readAllTables(folder, second))).toEqual(drop(reference.readTables(second)));
});

test('a source in which nobody has the agent: complete, and says so [M12]', async () => {
  const setup = await openSimulator({ devices: 12 });
  const { simulator, settings } = setup;
  const plain = { ...setup, settings: { ...settings, deployment: { ...settings.deployment, canaries: [] } } };
  const folder = await makeFolder();
  const setAgents = (agent: 'installed' | 'missing') => {
    simulator.setMoment(toMoment(second));
    for (const { facts } of judgeDevices(simulator).filter(({ source }) => source === 'macs')) {
      simulator.changeDevice('macs', facts.id, { agent });
    }
  };
  setAgents('missing');
  const { exit, night: judged } = await runSlot(plain, folder, second);
  expect(exit).toBe(0);
  const key = 'deployment:macs/devices.none-installed';
  expect(judged?.events.find((event) => event.key === key)?.text).toMatch(
    /expected the agent on at least one device; found none on \d+ counted devices\.$/,
  );
  await setup.close();
});

/** Both are read as one record without an answer. */
test.each(isDeep ? ['500', 'html'] : ['500'])(
  'record-%s: partial, with the devices that were not read as they were, and nothing of it in the run after [P21]',
  async (kind) => {
    const { setup, firstRun } = reference;
    const { exit, night: judged } = await reference.runWithFaults(folder, second, [`jamf/record-${kind}=3:lasting`]);
    expect(exit).toBe(3);
    const macs = judged?.sources.find(({ name }) => name === 'macs');
    expect(macs).toMatchObject({ soundness: 'partial', problem: { code: 'devices-unread' } });
    const rows = await readTableRows(folder, second, 'devices');
    const missed = rows.filter(({ reason }) => reason === 'unread');
    const statuses = new Map((await readTableRows(folder, first, 'devices')).map((row) => [row.device_id, row.status]));
    expect(missed.map(({ answered_on, proven }) => [answered_on, proven])).toEqual(Array(3).fill([first, 'false']));
    expect(missed.map(({ status }) => status)).toEqual(missed.map(({ device_id: id }) => statuses.get(id)));
    const unread = missed.map(({ device_id: id = '' }) => ({ id, operatingSystem: 'macos' }));
    const partial = await expectModelRun(second, [[firstRun]], { changes: { macs: { unread } } });

    expect((await runSlot(setup, folder, third)).exit).toBe(0);
    await expectModelRun(third, [[firstRun], [partial]]);
  },
);

const isProven = ({ source, proven }: Row) => source === 'macs' && proven === 'true';

test('attribute-disabled: untrusted, and values that were taken meanwhile prove nothing [J1]', async () => {
  const outcome = await reference.runWithFaults(folder, second, ['jamf/attribute-disabled:lasting']);
  expect(outcome.exit).toBe(3);
  const macs = outcome.night?.sources.find(({ name }) => name === 'macs');
  expect(macs).toMatchObject({ soundness: 'untrusted', problem: { code: 'instrument' } });
  expect(macs?.problem?.message).toMatch(/expected .*enabled.*; found .*disabled.*Enable the extension attribute/);
  expect(await readFigures(second, 'macs')).toMatchObject({ coverage_low: '0.00', coverage_high: '100.00' });
  expect(await readFigures(second, 'windows')).toMatchObject({ soundness: 'complete' });
  const finding = (await readTableRows(folder, second, 'deployment')).find((row) => row.source === 'macs');
  expect(finding).toMatchObject({ check: 'macos.extension-attribute', result: 'fail' });
  expect(finding?.advice).not.toBe('');

  // The run's rows, and what changed, are shown; nothing of the Macs is proven.
  const past = [[reference.firstRun]];
  past.push([await expectModelRun(second, past, { changes: { macs: wrongInstrument } })]);
  expect((await readTableRows(folder, second, 'devices')).filter(isProven)).toEqual([]);

  // Sound again: only what was reported since then is proof, and nothing of the run between is in the changes.
  for (const slot of [third, fourth]) {
    expect((await runSlot(reference.setup, folder, slot)).exit).toBe(0);
    past.push([await expectModelRun(slot, past)]);
  }
  expect((await readTableRows(folder, fourth, 'devices')).filter(isProven).length).toBeGreaterThan(10);
});

test('attribute-disabled and enabled again in the same slot: complete, and what was taken before proves nothing', async () => {
  const past = [[reference.firstRun]];
  expect((await reference.runWithFaults(folder, second, ['jamf/attribute-disabled:lasting'])).exit).toBe(3);
  const untrusted = await expectModelRun(second, past, { changes: { macs: wrongInstrument } });
  expect((await runSlot(reference.setup, folder, second)).exit).toBe(0);
  const again = await expectModelRun(second, past, { earlier: [untrusted] });
  expect(await readFigures(second, 'macs')).toMatchObject({
    ...{ soundness: 'complete', proven_installed: '0', proven_not_installed: '0' },
    ...{ coverage_low: '0.00', coverage_high: '100.00' },
  });
  // In all else it is as if nothing had been.
  expect(dropProof(await readAllTables(folder, second))).toEqual(dropProof(reference.readTables(second)));

  expect((await runSlot(reference.setup, folder, third)).exit).toBe(0);
  await expectModelRun(third, [...past, [untrusted, again]]);
});

test('a canary that lost the agent: untrusted for that run, and as if nothing had been in the next', async () => {
  const { setup, firstRun } = reference;
  const { simulator } = setup;
  const serial = /serial: (\S+), expect: Installed /.exec(simulator.settings())?.[1];
  simulator.setMoment(toMoment(second));
  const id = judgeDevices(simulator).find(({ facts }) => facts.serialNumber === serial)?.facts.id ?? '';
  simulator.changeDevice('macs', id, { agent: 'missing' });
  const { exit, night: judged } = await runSlot(setup, folder, second);
  expect(exit).toBe(3);
  const macs = judged?.sources.find(({ name }) => name === 'macs');
  expect(macs).toMatchObject({ soundness: 'untrusted', problem: { code: 'canary' } });
  expect(macs?.problem?.message).toContain(`canary.${serial}: expected Installed; found Not Installed (device ${id}).`);
  expect(await readFigures(second, 'macs')).toMatchObject({ coverage_low: '0.00', coverage_high: '100.00' });
  const untrusted = await expectModelRun(second, [[firstRun]]);
  expect((await readTableRows(folder, second, 'devices')).filter(isProven)).toEqual([]);

  simulator.setMoment(toMoment(third));
  simulator.changeDevice('macs', id, { agent: 'installed' });
  expect((await runSlot(setup, folder, third)).exit).toBe(0);
  await expectModelRun(third, [[firstRun], [untrusted]]);
});
