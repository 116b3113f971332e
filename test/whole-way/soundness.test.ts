import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import { isDeep } from '../sampling.ts';
import { type Chain, first, openChain, second, third } from './chain.ts';
import { changeLine, compare, deviceLine, type Roll, truthAt, truthLines } from './roll.ts';
import {
  allTables,
  dropProof,
  expectClean,
  momentOf,
  night,
  partsOf,
  type Row,
  removeFolders,
  tableRows,
} from './way.ts';

const fourth = '2026-03-04';
let chain: Chain;
let folder: string;

beforeAll(async () => {
  chain = await openChain(second);
});

beforeEach(async () => {
  folder = await chain.afterOneNight();
});

afterEach(() => {
  chain.way.sandbox.setFaults([]);
  chain.renewFleet();
});

afterAll(async () => {
  await chain.way.close();
  await removeFolders();
});

/** A night's devices and changes are what the truth says, compared with `before`; returns what the next is compared with. */
async function expectTrue(slot: string, before: Roll | undefined): Promise<Roll> {
  const truths = truthAt(chain.way.sandbox, slot, before);
  const rows = await tableRows(folder, slot, 'devices');
  expect(rows.map(deviceLine).sort()).toEqual(truthLines(truths));
  const { changes, roll } = compare(before, truths, slot);
  expect((await tableRows(folder, slot, 'changes')).map(changeLine).sort()).toEqual(changes);
  return roll;
}

async function coverageOf(slot: string, source: string): Promise<Row> {
  return (await tableRows(folder, slot, 'coverage')).find((row) => row.source === source) ?? {};
}

type Breaker = readonly [what: string, source: 'macs' | 'windows', says: RegExp];

const breakers: readonly Breaker[] = [
  ['a third of the Macs gone', 'macs', /^\d+ of \d+ counted devices are no longer counted/],
  ['a third of the Windows devices gone', 'windows', /^\d+ of \d+ counted devices are no longer counted/],
  ['half of the Macs flipped', 'macs', /[4-9]\d of 1\d\d changed their status/],
  ['half of the Windows devices flipped', 'windows', /[4-9]\d of 1\d\d changed their status/],
];

function strike(what: string, source: 'macs' | 'windows'): void {
  chain.way.sandbox.setMoment(momentOf(second));
  if (what.endsWith('gone')) {
    chain.way.sandbox.removeShareOfDevices(35, source);
  } else {
    chain.way.sandbox.flipShareOfDevices(50, source);
  }
}

const [gone, flipped] = [breakers.slice(0, 2), breakers.slice(2)];

/** What is then shown, and why. Tonight's rows, and what changed, are shown all the same. */
async function expectSuspect([what, source, says]: Breaker): Promise<Roll> {
  strike(what, source);
  const { exit, night: judged } = await night(chain.way, folder, second);
  expect(exit).toBe(3);
  const found = judged?.sources.find(({ name }) => name === source);
  expect(found).toMatchObject({ soundness: 'suspect', problem: { code: 'breaker' } });
  expect(found?.problem?.message).toMatch(says);
  expect(found?.problem?.message).toContain('run "muster accept 2026-03-02"');
  const other = source === 'macs' ? 'windows' : 'macs';
  expect(await coverageOf(second, other)).toMatchObject({ soundness: 'complete' });
  expect(await coverageOf(second, 'all')).toMatchObject({ soundness: 'suspect' });
  return expectTrue(second, chain.roll(first));
}

test.each(isDeep ? gone : gone.slice(0, 1))(
  '%s: suspect, and the night after is compared with the last good one [D1, D2]',
  async (...breaker) => {
    await expectSuspect(breaker);
    const [, source] = breaker;
    chain.way.sandbox.restoreDevices();
    expect((await night(chain.way, folder, third)).exit).toBe(0);
    const told = (await tableRows(folder, third, 'changes')).map(changeLine).sort();
    const { changes } = compare(chain.roll(first), truthAt(chain.way.sandbox, third, chain.roll(first)), third);
    expect(told.filter((line) => line.startsWith(source))).toEqual(changes.filter((line) => line.startsWith(source)));
  },
);

/** How a source became suspect makes no difference to its acceptance. */
test.each(isDeep ? breakers : flipped.slice(-1))(
  '%s: suspect, and accepted it is judged again without asking anybody [D1]',
  async (...breaker) => {
    const roll = await expectSuspect(breaker);
    const [, source] = breaker;
    const asked = chain.way.sandbox.requests.length;
    const suspect = await allTables(folder, second);
    const outcome = await acceptRun(second, 'a person', await partsOf(chain.way, folder, second));
    expectClean(chain.way.sandbox, folder);
    expect(outcome).toMatchObject({ exit: 0, did: 'published' });
    expect(chain.way.sandbox.requests).toHaveLength(asked);
    const accepted = await allTables(folder, second);
    for (const table of ['devices', 'not-installed', 'changes'] as const) {
      expect(accepted[table]).toBe(suspect[table]);
    }
    expect(await coverageOf(second, source)).toMatchObject({ soundness: 'complete' });
    // Now it is what the next night is compared with.
    expect((await night(chain.way, folder, third)).exit).toBe(0);
    await expectTrue(third, roll);
    await expect(acceptRun(third, 'a person', await partsOf(chain.way, folder, third))).rejects.toMatchObject({
      code: 'not-suspect',
    });
  },
);

/** Both are read as one record without an answer. */
test.each(isDeep ? ['500', 'html'] : ['500'])(
  'record-%s: partial, with the devices that were not read as they were, and nothing of it the night after [P21]',
  async (kind) => {
    const { exit, night: judged } = await chain.faulty(folder, second, [`jamf/record-${kind}=3:lasting`]);
    expect(exit).toBe(3);
    const macs = judged?.sources.find(({ name }) => name === 'macs');
    expect(macs).toMatchObject({ soundness: 'partial', problem: { code: 'devices-unread' } });
    const rows = await tableRows(folder, second, 'devices');
    const unread = rows.filter(({ reason }) => reason === 'unread');
    const statuses = new Map((await tableRows(folder, first, 'devices')).map((row) => [row.device_id, row.status]));
    expect(unread.map(({ answered_on, proven }) => [answered_on, proven])).toEqual(Array(3).fill([first, 'false']));
    expect(unread.map(({ status }) => status)).toEqual(unread.map(({ device_id: id }) => statuses.get(id)));

    expect((await night(chain.way, folder, third)).exit).toBe(0);
    const after = await tableRows(folder, third, 'devices');
    expect(after.map(deviceLine).sort()).toEqual(truthLines(truthAt(chain.way.sandbox, third)));
  },
);

test('attribute-disabled: untrusted, and values that were taken meanwhile prove nothing [J1]', async () => {
  const outcome = await chain.faulty(folder, second, ['jamf/attribute-disabled:lasting']);
  expect(outcome.exit).toBe(3);
  const macs = outcome.night?.sources.find(({ name }) => name === 'macs');
  expect(macs).toMatchObject({ soundness: 'untrusted', problem: { code: 'instrument' } });
  expect(macs?.problem?.message).toMatch(/expected .*enabled.*; found .*disabled.*Enable the extension attribute/);
  expect(await coverageOf(second, 'macs')).toMatchObject({ coverage_low: '0.00', coverage_high: '100.00' });
  expect(await coverageOf(second, 'windows')).toMatchObject({ soundness: 'complete' });
  const finding = (await tableRows(folder, second, 'deployment')).find((row) => row.source === 'macs');
  expect(finding).toMatchObject({ check: 'macos.extension-attribute', result: 'fail' });
  expect(finding?.advice).not.toBe('');

  // Tonight's rows, and what changed, are shown; nothing of the Macs is proven.
  await expectProof(second, () => false);
  const shown = compare(chain.roll(first), truthAt(chain.way.sandbox, second, chain.roll(first)), second);
  expect((await tableRows(folder, second, 'changes')).map(changeLine).sort()).toEqual(shown.changes);

  // Sound again: only what was reported since then is proof, and nothing of the night between is in the changes.
  for (const slot of [third, fourth]) {
    expect((await night(chain.way, folder, slot)).exit).toBe(0);
    await expectProof(slot, (value_at) => value_at >= '2026-03-03T05:15:00.000Z');
  }
  const { changes } = compare(chain.roll(first), truthAt(chain.way.sandbox, third, chain.roll(first)), third);
  const told = (await tableRows(folder, third, 'changes')).map(changeLine).sort();
  expect(told.filter((line) => line.startsWith('macs'))).toEqual(changes.filter((line) => line.startsWith('macs')));
  const proven = (await tableRows(folder, fourth, 'devices')).filter(
    (row) => row.source === 'macs' && row.proven === 'true',
  );
  expect(proven.length).toBeGreaterThan(10);
});

/** As the truth says, but that a Mac's answer of another date than `counts` is no proof. */
async function expectProof(slot: string, counts: (valueAt: string) => boolean): Promise<void> {
  const rows = await tableRows(folder, slot, 'devices');
  const dates = new Map(rows.map((row) => [`${row.source} ${row.device_id}`, row.value_at ?? '']));
  const truths = truthAt(chain.way.sandbox, slot, chain.roll(first)).map((truth) =>
    truth.source === 'windows'
      ? truth
      : { ...truth, proven: truth.proven && counts(dates.get(`macs ${truth.device_id}`) ?? '') },
  );
  expect(rows.map(deviceLine).sort()).toEqual(truthLines(truths));
}

test('attribute-disabled and enabled again on the same night: complete, and what was taken before it proves nothing', async () => {
  expect((await chain.faulty(folder, second, ['jamf/attribute-disabled:lasting'])).exit).toBe(3);
  expect((await night(chain.way, folder, second)).exit).toBe(0);
  await expectProof(second, () => false);
  expect(await coverageOf(second, 'macs')).toMatchObject({
    ...{ soundness: 'complete', proven_installed: '0', proven_not_installed: '0' },
    ...{ coverage_low: '0.00', coverage_high: '100.00' },
  });
  // In all else it is as if nothing had been.
  expect(dropProof(await allTables(folder, second))).toEqual(dropProof(chain.good(second)));

  expect((await night(chain.way, folder, third)).exit).toBe(0);
  await expectProof(third, (value_at) => value_at >= '2026-03-02T05:15:00.000Z');
});

test('a canary that lost the agent: untrusted for that night, and as if nothing had been on the next', async () => {
  const { sandbox } = chain.way;
  const serial = /serial: (\S+), expect: Installed /.exec(sandbox.settings())?.[1];
  sandbox.setMoment(momentOf(second));
  const canary = sandbox.truth().find(({ serial_number }) => serial_number === serial);
  const id = canary?.device_id ?? '';
  sandbox.changeDevice('macs', id, { agent: 'missing' });
  const { exit, night: judged } = await night(chain.way, folder, second);
  expect(exit).toBe(3);
  const macs = judged?.sources.find(({ name }) => name === 'macs');
  expect(macs).toMatchObject({ soundness: 'untrusted', problem: { code: 'canary' } });
  expect(macs?.problem?.message).toContain(`canary.${serial}: expected Installed; found Not Installed (device ${id}).`);
  expect(await coverageOf(second, 'macs')).toMatchObject({ coverage_low: '0.00', coverage_high: '100.00' });
  await expectProof(second, () => false);

  sandbox.setMoment(momentOf(third));
  sandbox.changeDevice('macs', id, { agent: 'installed' });
  expect((await night(chain.way, folder, third)).exit).toBe(0);
  await expectTrue(third, chain.roll(first));
});
