/**
 * A Jamf Pro server is replaced by another: its 300 Macs move over in three runs, and both servers list them meanwhile.
 * Over HTTP, from the requests to the tables and the page; the two simulatores are told which Macs they have.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformRequest } from '../../simulator/platforms/request.ts';
import { type PlatformResponse, respondJson } from '../../simulator/platforms/response.ts';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { readColumn } from '../reports/read-page.ts';
import { useViewer } from '../reports/use-viewer.ts';
import { computer } from '../sources/jamf/builders.ts';
import { makeFolder, readTableRows, removeFolders, runSlot, type SimulatorSetup, toMoment } from './simulator-runs.ts';

/** The old server alone, three runs in which a hundred Macs move each, and the new server alone. */
const slots = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'] as const;
const [first, second, third, fourth, fifth] = slots;
const size = 300;
const numbers = Array.from({ length: size }, (_, index) => index + 1);
/** In the first run each tenth Mac lacks the agent, and the last one does, which gets it on the second. */
const lacksAgent = (number: number, slot: string) => number % 10 === 0 && (number < size || slot === first);
const serialOf = (number: number) => `C02MV${String(number).padStart(4, '0')}`;
/** The slot of the run that finds a Mac on the new server. */
const movedOn = (number: number) => slots[Math.ceil(number / 100)] ?? fourth;

const hoursBefore = (slot: string, hours: number) =>
  new Date(toMoment(slot).getTime() - hours * 3_600_000).toISOString();

interface Server {
  readonly simulator: Simulator;
  slot: string;
}

function makeMac(number: number, isNew: boolean, slot: string, attribute: { id: number; name: string } | undefined) {
  const hasMoved = movedOn(number) <= slot;
  // Since a Mac has moved, the old server hears nothing of it.
  const heard = hasMoved && !isNew ? hoursBefore(movedOn(number), 30) : hoursBefore(slot, isNew ? 2 : 6);
  const value = lacksAgent(number, slot) ? 'Not Installed' : 'Installed';
  const usual = computer() as { general: object; hardware: object };
  return {
    ...usual,
    id: String(isNew ? 1000 + number : number),
    general: {
      ...usual.general,
      name: `MAC-${number}`,
      reportDate: heard,
      lastContact: heard,
      lastEnrolledDate: isNew ? hoursBefore(movedOn(number), 28) : '2025-01-07T09:00:00Z',
      extensionAttributes: [{ definitionId: String(attribute?.id), name: attribute?.name, values: [value] }],
    },
    hardware: { ...usual.hardware, serialNumber: serialOf(number) },
  };
}

type Mac = ReturnType<typeof makeMac>;

function respondList({ query }: PlatformRequest, macs: readonly Mac[]): PlatformResponse {
  const wanted = /^id=in=\((.*)\)$/.exec(query.get('filter') ?? '')?.[1]?.split(',');
  const chosen = macs.filter(({ id }) => wanted?.includes(id) ?? true);
  const ordered = query.get('sort') === 'id:desc' ? chosen.toReversed() : chosen;
  const length = Math.min(100, Number(query.get('page-size') ?? 100));
  const from = wanted === undefined ? Number(query.get('page') ?? 0) * length : 0;
  return respondJson(200, { totalCount: chosen.length, results: ordered.slice(from, from + length) });
}

/** A server that has these Macs in place of the simulator's own. */
async function startServer(isNew: boolean): Promise<Server> {
  const simulator: Simulator = await startSimulator({
    ...{ devices: 8, seed: 7, moment: toMoment(first) },
    async intercept(request, respond) {
      const attribute = simulator.jamf.attributes.find(({ name }) => name === 'Agent Status');
      const listed = numbers.filter((number) => !isNew || movedOn(number) <= server.slot);
      const macs = listed.map((number) => makeMac(number, isNew, server.slot, attribute));
      if (request.path.endsWith('/computers-inventory')) {
        return respondList(request, macs);
      }
      const [, group] = /\/smart-group-membership\/(\d+)$/.exec(request.path) ?? [];
      const name = simulator.jamf.groups.find(({ id }) => String(id) === group)?.name ?? '';
      const members = macs.filter(({ general }) => `Agent ${general.extensionAttributes[0]?.values[0]}` === name);
      return group === undefined
        ? respond(request)
        : respondJson(200, { members: members.map(({ id }) => Number(id)) });
    },
  });
  const server: Server = { simulator, slot: first };
  return server;
}

/** The simulator's settings, with these sources and no other, and without its canaries. */
function readWay(old: Server, replacing: Server, sources: readonly string[]): SimulatorSetup {
  const text = old.simulator.settings();
  const [, jamf = ''] = /sources:\n( {2}- name: macs\n[\s\S]*?)(?= {2}- name:|store:)/.exec(text) ?? [];
  const urls: Readonly<Record<string, string>> = {
    'macs-old': old.simulator.urls.jamf,
    'macs-new': replacing.simulator.urls.jamf,
  };
  const written = sources.map((name) =>
    jamf.replace('name: macs', `name: ${name}`).replace(old.simulator.urls.jamf, urls[name] ?? ''),
  );
  const { settings, problems } = readSettings(
    text
      .replace(/sources:\n[\s\S]*?(?=store:)/, `sources:\n${written.join('')}`)
      .replace(/\n {2}canaries:(\n {4}- .*)*/, ''),
    old.simulator.environment,
  );
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  return { simulator: old.simulator, settings, close: async () => undefined };
}

const nights = new Map<string, Night>();
let servers: readonly Server[] = [];
let folder: string;

beforeAll(async () => {
  const [old, replacing] = [await startServer(false), await startServer(true)];
  servers = [old, replacing];
  // It is set up alike: its policy names the same service, and itself.
  const [from, to] = servers.map(({ simulator }) => new URL(simulator.urls.jamf).host);
  const policies = JSON.stringify(old.simulator.jamf.policies).replaceAll(from ?? '', to ?? '');
  replacing.simulator.jamf.policies = JSON.parse(policies);
  folder = await makeFolder();
  for (const slot of slots) {
    const names = ['macs-old', 'macs-new'].filter(
      (name) => (name !== 'macs-new' || slot > first) && (name !== 'macs-old' || slot < fifth),
    );
    for (const server of servers) {
      server.slot = slot;
      server.simulator.setMoment(toMoment(slot));
    }
    const { exit, night: judged } = await runSlot(readWay(old, replacing, names), folder, slot);
    expect([slot, exit, judged?.sources.map(({ soundness }) => soundness)]).toEqual([
      slot,
      0,
      names.map(() => 'complete'),
    ]);
    if (judged !== undefined) {
      nights.set(slot, judged);
    }
  }
});

afterAll(async () => {
  await Promise.all(servers.map(({ simulator }) => simulator.close()));
  await removeFolders();
});

test('both servers list a Mac that has moved, and it is counted once', async () => {
  for (const [slot, rows] of [
    [first, 300],
    [second, 400],
    [third, 500],
    [fourth, 600],
    [fifth, 300],
  ] as const) {
    const devices = await readTableRows(folder, slot, 'devices');
    expect([slot, devices.length]).toEqual([slot, rows]);
    const counted = devices.filter((row) => row.counted === 'true').map(({ serial_number }) => serial_number);
    expect(counted.sort()).toEqual(numbers.map(serialOf));
    const others = devices.filter((row) => row.counted !== 'true');
    expect(new Set(others.map((row) => `${row.source} ${row.excluded_because}`))).toEqual(
      new Set(rows === size ? [] : ['macs-old superseded']),
    );
  }
});

test('each Mac has moved once, and nothing else happened to it', async () => {
  const rows = await Promise.all(slots.map((slot) => readTableRows(folder, slot, 'changes')));
  const lines = rows.flat().map((row) => `${row.slot} ${row.source} ${row.serial_number} ${row.change}`);
  const moved = numbers.map((number) => `${movedOn(number)} macs-new ${serialOf(number)} moved`);
  expect(lines.sort()).toEqual([...moved, `${second} macs-old ${serialOf(size)} recovered`].sort());
});

test('what was before, with what joined, less what left, is what is after, in each server and in all', async () => {
  const flows = await Promise.all(
    slots.map(async (slot) =>
      (await readTableRows(folder, slot, 'coverage')).map(
        ({ source, counted, joined, left }) => `${source} ${counted} +${joined} -${left}`,
      ),
    ),
  );
  expect(flows).toEqual([
    ['macs-old 300 +0 -0', 'all 300 +0 -0'],
    // A source on its first night is left out: what it counts is its before.
    ['macs-new 100 +0 -0', 'macs-old 200 +0 -100', 'all 300 +0 -0'],
    ['macs-new 200 +100 -0', 'macs-old 100 +0 -100', 'all 300 +0 -0'],
    ['macs-new 300 +100 -0', 'macs-old 0 +0 -100', 'all 300 +0 -0'],
    ['macs-new 300 +0 -0', 'all 300 +0 -0'],
  ]);
});

test('no alert is raised, and none is left open', () => {
  const events = [...nights].flatMap(([slot, { events: all }]) => all.map(({ kind, key }) => `${slot} ${kind} ${key}`));
  expect(events).toEqual([
    `${first} baseline baseline:macs-old`,
    `${second} baseline baseline:macs-new`,
    `${fifth} source.left left:macs-old`,
  ]);
  expect(nights.get(fifth)?.state.openAlerts?.map(({ key }) => key)).toEqual([]);
});

test('each Mac has one entry in the ledger, with one history', () => {
  const { ledger = [] } = nights.get(fifth)?.state ?? {};
  expect(ledger.map(({ name }) => name)).toEqual(numbers.map((number) => `macos/${serialOf(number)}`));
  for (const [index, { standing, history, isGone, notInstalledSince }] of ledger.entries()) {
    const number = index + 1;
    const letter = lacksAgent(number, fifth) ? 'N' : 'I';
    const steps = [
      [first, lacksAgent(number, first) ? 'N' : 'I'],
      [second, letter],
    ];
    expect(history).toEqual(number === size ? steps : steps.slice(0, 1));
    expect([standing.source, standing.id, isGone]).toEqual(['macs-new', String(1000 + number), undefined]);
    expect(notInstalledSince).toBe(letter === 'N' ? first : undefined);
  }
});

describe('the page', () => {
  const { open } = useViewer();

  test('shows on the card of a Mac that has moved what happened to it on the old server', async () => {
    const { page, errors } = await open(nights.get(fourth) as Night);
    await page.evaluate(`location.hash = 'device=macs-new/${1000 + size}'`);
    const card = page.locator('dialog[open]');
    await card.waitFor();
    expect(await card.locator('ol').last().locator('li').allInnerTexts()).toEqual([
      `${first} first known as Not Installed`,
      `${second} Not Installed → Installed`,
    ]);
    expect(errors).toEqual([]);
  });

  test('says of two runs around the move only what happened to a Mac, since all of them are counted in both', async () => {
    const night = nights.get(fourth) as Night;
    const { page } = await open(night);
    await page.evaluate(`location.hash = 'at=changes&changes.from=${first}&changes.to=${fourth}'`);
    await page.locator('[data-list=changes] .compared').waitFor();
    const enrolled = night.devices.find(({ facts }) => facts.id === String(1000 + size));
    expect(await readColumn(page, 'changes', 'name')).toEqual([enrolled?.facts.name]);
    expect(await readColumn(page, 'changes', 'source')).toEqual(['macs-new']);
  });
});
