/** Whole nights in which the app's assignment changes. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { AppAssignment } from '../../simulator/platforms/graph/graph-objects.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { newFolder, night, openWay, type Row, removeFolders, tableRows, type Way } from '../whole-way/way.ts';
import { first } from './ground.ts';

const slots = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;
const group = 'aaaaaaaa-0000-0000-0000-000000000002';
let way: Way;

afterEach(() => way.close());
afterAll(removeFolders);

interface Nights {
  readonly folder: string;
  run(slot: string): Promise<RunOutcome>;
  windows(slot: string): Promise<Row | undefined>;
  proven(slot: string): Promise<number>;
}

async function openNights(change: (settings: string) => string = (text) => text): Promise<Nights> {
  const opened = await openWay({ devices: 120, jamf: { signIn: 'account' }, graph: { exportPolls: 0 } });
  const { settings, problems } = readSettings(change(opened.sandbox.settings()), opened.sandbox.environment);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  way = { ...opened, settings };
  const folder = await newFolder();
  const rows = async (slot: string) =>
    (await tableRows(folder, slot, 'devices')).filter(({ source }) => source === 'windows');
  return {
    folder,
    run: (slot) => night(way, folder, slot),
    windows: async (slot) => (await tableRows(folder, slot, 'coverage')).find(({ source }) => source === 'windows'),
    proven: async (slot) => (await rows(slot)).filter(({ proven }) => proven === 'true').length,
  };
}

const withoutGroups = (text: string) => text.replace(/ +groups: \[aaaa.*\]\n/, '');
const app = () => first(way.sandbox.graph.apps);

function assign(changes: Partial<AppAssignment>): void {
  app().assignments.push({ ...first(app().assignments), id: 'x', ...changes });
}

const target = (type: string, more: Record<string, unknown> = {}) => ({
  '@odata.type': `#microsoft.graph.${type}`,
  ...more,
});

/** Every event about the Windows source that is not about a device. */
function told({ night: judged }: RunOutcome): string[] {
  const said = (judged?.events ?? []).filter(({ isBookkeeping }) => !isBookkeeping);
  const events = said.filter(({ source, device }) => source === 'windows' && device === undefined);
  return events.map(({ kind }) => kind);
}

describe('a change of the assignment', () => {
  it.each<[string, Partial<AppAssignment>]>([
    ['an exclusion', { target: target('exclusionGroupAssignmentTarget', { groupId: group }) }],
  ])('%s: one event, and what was proven stays so', async (_what, changes) => {
    const { run, windows, proven } = await openNights(withoutGroups);
    expect((await run(slots[0])).exit).toBe(0);
    assign(changes);
    const changed = await run(slots[1]);
    expect(changed.exit).toBe(0);
    expect(told(changed)).toEqual(['measurement.changed']);
    expect(await windows(slots[1])).toMatchObject({ soundness: 'complete' });
    const before = await proven(slots[0]);
    expect(await proven(slots[1])).toBeGreaterThan(before * 0.9);
    expect(told(await run(slots[2]))).toEqual([]);
  });

  it('a filter: one event when it comes, and one when it goes', async () => {
    const { run, windows } = await openNights();
    const plain = first(app().assignments).target;
    await run(slots[0]);
    Object.assign(first(app().assignments), { target: { ...plain, deviceAndAppManagementAssignmentFilterId: 'f' } });
    const filtered = await run(slots[1]);
    expect([filtered.exit, told(filtered)]).toEqual([0, ['measurement.changed']]);
    // A night that cannot see filters, since the service has no report, does not change them.
    way.sandbox.setFaults(['graph/rows-hidden:lasting']);
    const incomplete = await run(slots[2]);
    expect(await windows(slots[2])).toMatchObject({ soundness: 'carried' });
    expect(told(incomplete)).not.toContain('measurement.changed');
    way.sandbox.setFaults([]);
    Object.assign(first(app().assignments), { target: plain });
    expect(told(await run(slots[3]))).toContain('measurement.changed');
  });

  it.each<[string, () => void]>([
    [
      'to uninstall',
      () => assign({ intent: 'uninstall', target: target('groupAssignmentTarget', { groupId: group }) }),
    ],
  ])('%s: nothing is proven', async (_what, change) => {
    const { run, windows, proven } = await openNights(withoutGroups);
    await run(slots[0]);
    change();
    const broken = await run(slots[1]);
    expect(broken.exit).toBe(3);
    expect(await windows(slots[1])).toMatchObject({ soundness: 'untrusted', coverage_low: '0.00' });
    expect(await proven(slots[1])).toBe(0);
    expect(broken.night?.sources.find(({ name }) => name === 'windows')?.problem?.message).toContain('app-assigned');
  });

  it('that cannot be read: unknown, and the night is complete; the change is told when it can', async () => {
    const { run, windows, proven } = await openNights();
    await run(slots[0]);
    way.sandbox.setFaults(['graph/assignments-refused:lasting']);
    assign({ target: target('allDevicesAssignmentTarget') });
    const unread = await run(slots[1]);
    expect([unread.exit, told(unread)]).toEqual([0, []]);
    expect(await windows(slots[1])).toMatchObject({ soundness: 'complete' });
    expect(await proven(slots[1])).toBeGreaterThan(0);
    way.sandbox.setFaults([]);
    expect(told(await run(slots[2]))).toContain('measurement.changed');
  });
});
