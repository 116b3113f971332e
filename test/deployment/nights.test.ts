/** Five nights: sound, broken, still broken, repaired, reported again (design, sections 4 and 5); nights in which the app's assignment changes; and what stays behind. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { AppAssignment } from '../../simulator/platforms/graph/graph-objects.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import type { State } from '../../src/core/facts/state.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import {
  makeFolder,
  openSimulator,
  type Row,
  readStandingCommit,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
} from '../whole-runs/simulator-runs.ts';
import { first, named, put } from './ground.ts';

const slots = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'] as const;
let setup: SimulatorSetup;

afterEach(() => setup.close());
afterAll(removeFolders);

/** Every device reports every night, so that only the instrument makes a difference. */
async function open(deviceCount = 30) {
  const opened = await openSimulator({ devices: deviceCount, jamf: { signIn: 'account' }, graph: { exportPolls: 0 } });
  const { settings, problems } = readSettings(opened.simulator.settings(), opened.simulator.environment);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  setup = { ...opened, settings };
  const folder = await makeFolder();
  return { folder, run: (slot: string): Promise<RunOutcome> => runSlot(setup, folder, slot) };
}

const attribute = () => named(setup.simulator.jamf.attributes, 'Agent Status');

async function coverage(folder: string, slot: string, source: string): Promise<Row> {
  const found = (await readTableRows(folder, slot, 'coverage')).find((row) => row.source === source);
  if (found === undefined) {
    throw new Error(`no coverage of ${source}`);
  }
  return found;
}

async function devices(folder: string, slot: string, source: string): Promise<Row[]> {
  return (await readTableRows(folder, slot, 'devices')).filter((row) => row.source === source);
}

const macs = (folder: string, slot: string) => devices(folder, slot, 'macs');
const proven = (rows: readonly Row[]) => rows.filter((row) => row.proven === 'true');

describe('an attribute whose script was changed', () => {
  it('is untrusted until it is repaired, and proves nothing until devices have reported again', async () => {
    const { folder, run } = await open(120);
    const script = attribute().script ?? '';

    const sound = await run(slots[0]);
    expect(sound.exit).toBe(0);
    expect(proven(await macs(folder, slots[0])).length).toBeGreaterThan(20);

    put(attribute(), { script: script.replace('fhagent', 'fhtools') });
    const broken = await run(slots[1]);
    expect(broken.exit).toBe(3);
    const macsTonight = broken.night?.sources.find(({ name }) => name === 'macs');
    expect(macsTonight?.soundness).toBe('untrusted');
    expect(macsTonight?.problem?.message).toContain(
      'the server looks for "/usr/local/fhfs/bin/fhtools", the settings say "/usr/local/fhfs/bin/fhagent" (SHA-256 ',
    );
    expect(macsTonight?.problem?.message).toContain(`since the run of ${slots[1]}`);
    expect(await coverage(folder, slots[1], 'macs')).toMatchObject({
      soundness: 'untrusted',
      coverage_low: '0.00',
      coverage_high: '100.00',
    });
    expect(proven(await macs(folder, slots[1]))).toEqual([]);
    expect((await coverage(folder, slots[1], 'windows')).soundness).toBe('complete');

    expect(told(broken)).toEqual(['measurement.changed notice', 'source.untrusted first']);

    const still = await run(slots[2]);
    expect(told(still)).toEqual(['source.untrusted again']);
    expect(still.exit).toBe(3);
    expect(still.night?.sources.find(({ name }) => name === 'macs')?.problem?.message).toContain(slots[1]);
    expect(stateOf(still, 'macs').baseline).toMatchObject({ slot: slots[0] });
    expect(stateOf(still, 'macs').instrumentMemory.broken?.since).toMatch(slots[1]);

    put(attribute(), { script });
    const repaired = await run(slots[3]);
    expect(repaired.exit).toBe(0);
    const moment = `${slots[3]}T05:15:00.000Z`;
    expect(stateOf(repaired, 'macs').baseline).toMatchObject({ slot: slots[3] });
    const { broken: stillBroken, repairedAt = '' } = stateOf(repaired, 'macs').instrumentMemory;
    expect(stillBroken).toBeUndefined();
    expect(repairedAt >= moment).toBe(true);
    // Values measured before the repair are what the broken script said.
    const afterwards = await macs(folder, slots[3]);
    expect(afterwards.length).toBeGreaterThan(20);
    expect(proven(afterwards)).toEqual([]);
    expect(await coverage(folder, slots[3], 'macs')).toMatchObject({
      soundness: 'complete',
      coverage_low: '0.00',
      coverage_high: '100.00',
    });

    expect(told(repaired)).toEqual(['source.sound-again over']);

    const again = await run(slots[4]);
    expect(again.exit).toBe(0);
    for (const row of proven(await macs(folder, slots[4]))) {
      expect(row.value_at && row.value_at >= moment).toBe(true);
    }
    const reported = (await macs(folder, slots[4])).filter(
      (row) => (row.value_at ?? '') >= moment && row.reason === 'reported',
    );
    expect(proven(reported).length).toBe(reported.filter((row) => row.stale === 'false').length);
    expect(proven(reported).length).toBeGreaterThan(0);

    expect(stateOf(again, 'macs').instrumentMemory.last).toMatchObject({ since: slots[3] });
    expect(stateOf(sound, 'macs').instrumentMemory.last?.fingerprint).toBe(
      stateOf(again, 'macs').instrumentMemory.last?.fingerprint,
    );
  });
});

describe('deployment.csv', () => {
  it('has every check in every run, even of a source that is carried or missing', async () => {
    const { folder, run } = await open();
    setup.simulator.setFaults(['graph/down:lasting']);
    await run(slots[0]);
    setup.simulator.setFaults(['jamf/down:lasting']);
    await run(slots[1]);
    setup.simulator.setFaults([]);
    await run(slots[2]);
    // That serial numbers are shared is no check but a finding about a list, and only where there are some.
    const rows = async (slot: string) =>
      (await readTableRows(folder, slot, 'deployment')).filter(({ check }) => check !== 'devices.shared-serial');
    const checks = async (slot: string) => (await rows(slot)).map(({ source, check }) => `${source} ${check}`);
    expect(await coverage(folder, slots[0], 'windows')).toMatchObject({ soundness: 'missing' });
    expect(await coverage(folder, slots[1], 'macs')).toMatchObject({ soundness: 'carried' });
    expect(await checks(slots[0])).toEqual(await checks(slots[2]));
    expect(await checks(slots[1])).toEqual(await checks(slots[2]));
    const results = (await rows(slots[2])).map(({ result }) => result);
    expect(new Set(results)).toEqual(new Set(['pass']));
  });
});

describe('a change of the assignment', () => {
  const app = () => first(setup.simulator.graph.apps);
  const target = (type: string, more: Record<string, unknown> = {}) => ({
    '@odata.type': `#microsoft.graph.${type}`,
    ...more,
  });
  const assign = (changes: Partial<AppAssignment>) =>
    app().assignments.push({ ...first(app().assignments), id: 'x', ...changes });
  /** Every event about the Windows source that is not about a device. */
  const said = ({ night: judged }: RunOutcome) =>
    (judged?.events ?? [])
      .filter(({ source, device }) => source === 'windows' && device === undefined)
      .map(({ kind }) => kind);
  const countProven = async (folder: string, slot: string) => proven(await devices(folder, slot, 'windows')).length;

  it('a filter: one event when it comes, and one when it goes', async () => {
    const { folder, run } = await open();
    const plain = first(app().assignments).target;
    await run(slots[0]);
    Object.assign(first(app().assignments), { target: { ...plain, deviceAndAppManagementAssignmentFilterId: 'f' } });
    const filtered = await run(slots[1]);
    expect([filtered.exit, said(filtered)]).toEqual([0, ['measurement.changed']]);
    // A night that cannot see filters, since the service has no report, does not change them.
    setup.simulator.setFaults(['graph/rows-hidden:lasting']);
    const incomplete = await run(slots[2]);
    expect(await coverage(folder, slots[2], 'windows')).toMatchObject({ soundness: 'carried' });
    expect(said(incomplete)).not.toContain('measurement.changed');
    setup.simulator.setFaults([]);
    Object.assign(first(app().assignments), { target: plain });
    expect(said(await run(slots[3]))).toContain('measurement.changed');
  });

  it('that cannot be read: unknown, and the night is complete; the change is told when it can', async () => {
    const { folder, run } = await open();
    await run(slots[0]);
    setup.simulator.setFaults(['graph/assignments-refused:lasting']);
    assign({ target: target('allDevicesAssignmentTarget') });
    const unread = await run(slots[1]);
    expect([unread.exit, said(unread)]).toEqual([0, []]);
    expect(await coverage(folder, slots[1], 'windows')).toMatchObject({ soundness: 'complete' });
    expect(await countProven(folder, slots[1])).toBeGreaterThan(0);
    setup.simulator.setFaults([]);
    expect(said(await run(slots[2]))).toContain('measurement.changed');
  });
});

it('every run inspects the downloads of the service, never fetches them whole, and stores nothing of them', async () => {
  const { folder, run } = await open();
  await run(slots[0]);
  const outcome = await run(slots[1]);
  const asked = setup.simulator.requests
    .filter(({ origin }) => origin === 'service')
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
  const [installer, bundle] = ['/download/mac/fhfs.pkg', '/download/mac/resources/bundle.dat'];
  const night = [`GET ${installer} 206`, `GET ${bundle} 206`, `HEAD ${installer} 200`, `HEAD ${bundle} 200`];
  expect(asked.sort()).toEqual([...night, ...night].sort());
  const rows = (await readTableRows(folder, slots[1], 'deployment')).filter(({ check }) =>
    check?.startsWith('service.'),
  );
  const length = setup.simulator.service.package.length;
  expect(rows[0]?.found).toMatch(new RegExp(`^as expected; ${length} bytes, ETag "[0-9a-f]{32}"$`));
  expect(Object.keys(stateOf(outcome, 'macs'))).not.toContain('downloads');
});

it('a run stores no script, parameter or command in any file', async () => {
  const { folder, run } = await open();
  const policy = named(setup.simulator.jamf.policies, 'Deploy endpoint agent');
  first(policy.scripts).parameters.fill('canary-parameter');
  put(first(setup.simulator.graph.apps), {
    installCommandLine: 'canary-install -ApiKey canary-key',
    uninstallCommandLine: 'canary-uninstall',
  });
  put(attribute(), { script: '#!/bin/sh\necho canary-script' });
  put(named(setup.simulator.jamf.scripts, 'enroll.sh'), { contents: 'canary-enroll "', labels: ['canary-label'] });
  put(named(setup.simulator.jamf.profiles, 'Agent file access'), { payloads: 'canary-payload' });
  // A wrong canary is a reason why a status is not proven.
  const hidden = /canary-(?!wrong)/;
  const outcome = await run(slots[0]);
  expect(outcome.exit).toBe(3);
  // The files on disk are searched by `night`; here is what was judged.
  expect(JSON.stringify(outcome.night)).not.toMatch(hidden);
  const { files } = await readStandingCommit(folder);
  for (const { key } of files) {
    const bytes = await readFile(join(folder, 'muster-data', key));
    const text = (key.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    expect([key, hidden.test(text)]).toEqual([key, false]);
  }
});

/** Everything the night tells about the Macs and their source. */
function told(outcome: RunOutcome): string[] {
  const events = outcome.night?.events.filter(({ source }) => source === 'macs') ?? [];
  return events.map(({ kind, phase }) => `${kind} ${phase}`).sort();
}

function stateOf(outcome: RunOutcome, source: string): State['sources'][number] {
  const found = outcome.night?.state.sources.find(({ name }) => name === source);
  if (found === undefined) {
    throw new Error(`no state of ${source}`);
  }
  return found;
}
