import { afterAll, afterEach, expect, test } from 'vitest';
import { respondJson } from '../../simulator/platforms/response.ts';
import type { SimulatorOptions } from '../../simulator/simulator.ts';
import {
  makeFolder,
  openSimulator,
  type Row,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
} from './simulator-runs.ts';

const slot = '2026-03-01';
let setup: SimulatorSetup;

afterEach(() => setup.close());
afterAll(removeFolders);

interface Lack {
  readonly what: string;
  readonly options: SimulatorOptions;
  readonly source: 'macs' | 'windows';
  readonly soundness: 'missing' | 'untrusted' | 'complete';
  readonly code?: string;
  readonly says?: RegExp;
  /** Why nobody can say of the groups' members. */
  readonly groups?: string;
}

const refuseAccountDescription: NonNullable<SimulatorOptions['intercept']> = async (request, respond) =>
  request.path === '/api/v1/auth' ? respondJson(403, { httpStatus: 403, errors: [] }) : respond(request);

/** What is not granted, and what a night without it is worth. */
const lacks: readonly Lack[] = [
  {
    what: 'the inventory',
    options: { jamf: { withoutPrivileges: ['Read Computers'] } },
    ...{ source: 'macs', soundness: 'missing', code: 'permission-missing', says: /needs "Read Computers"/ },
  },
  {
    what: 'the attribute’s definition',
    options: { jamf: { withoutPrivileges: ['Read Computer Extension Attributes'] } },
    ...{ source: 'macs', soundness: 'untrusted', code: 'instrument', says: /Read Computer Extension Attributes/ },
  },
  {
    what: 'the smart groups',
    options: { jamf: { withoutPrivileges: ['Read Smart Computer Groups'] } },
    ...{ source: 'macs', soundness: 'complete', groups: '"Read Smart Computer Groups"' },
  },
  {
    what: 'all sites but one',
    options: { jamf: { site: true } },
    ...{ source: 'macs', soundness: 'missing', code: 'site-scoped', says: /only its site.*"site" in the settings/ },
  },
  {
    what: 'what describes the account, where each Mac is of the same site',
    options: { jamf: { site: true }, intercept: refuseAccountDescription },
    ...{ source: 'macs', soundness: 'missing', code: 'site-scoped', says: /did not say whether .* sees every site/ },
  },
  {
    what: 'what describes the account, where a Mac is of no site',
    options: {
      jamf: { signIn: 'account' },
      intercept: async (request, respond) => {
        const answer = await refuseAccountDescription(request, respond);
        if (!request.path.endsWith('/computers-inventory')) {
          return answer;
        }
        return {
          ...answer,
          body: String(answer.body).replaceAll('{"id":"2","name":"Branch"}', '{"id":"-1","name":"None"}'),
        };
      },
    },
    ...{ source: 'macs', soundness: 'complete' },
  },
  {
    what: 'the devices of the tenant',
    options: { graph: { withoutPermissions: ['DeviceManagementManagedDevices.Read.All'] } },
    ...{ source: 'windows', soundness: 'missing', code: 'permission-missing', says: /answered 403/ },
  },
  {
    // The report's second way needs another permission and answers; nobody can say what its rows mean.
    what: 'the apps of the tenant',
    options: { graph: { withoutPermissions: ['DeviceManagementApps.Read.All'] } },
    ...{ source: 'windows', soundness: 'untrusted', code: 'instrument', says: /DeviceManagementApps\.Read\.All/ },
  },
];

test.each(lacks)('without $what: $soundness [A4]', async ({ options, source, soundness, code, says, groups }) => {
  setup = await openSimulator({ devices: 200, ...options }, slot);
  const folder = await makeFolder();
  const { exit, night: judged } = await runSlot(setup, folder, slot);
  expect(exit).toBe(soundness === 'complete' ? 0 : 3);
  const found = judged?.sources.find(({ name }) => name === source);
  expect([found?.soundness, found?.problem?.code]).toEqual([soundness, code]);
  expect(found?.problem?.message ?? '').toMatch(says ?? /^$/);

  const mine = (rows: readonly Row[]) => rows.filter((row) => row.source === source);
  const devices = mine(await readTableRows(folder, slot, 'devices'));
  expect(devices.length > 0).toBe(soundness !== 'missing');
  expect(devices.some(({ proven }) => proven === 'true')).toBe(soundness === 'complete');
  const [figures] = mine(await readTableRows(folder, slot, 'coverage'));
  if (soundness === 'untrusted') {
    expect(figures).toMatchObject({ coverage_low: '0.00', coverage_high: '100.00' });
  }
  const members = mine(await readTableRows(folder, slot, 'groups'));
  const isKnown = soundness === 'complete' && groups === undefined;
  expect(members.filter(({ verdict }) => (verdict === 'unknown') === isKnown)).toEqual([]);
  if (groups !== undefined) {
    expect(members[0]?.why).toContain(groups);
  }
  const other = judged?.sources.find(({ name }) => name !== source);
  expect(other?.soundness).toBe('complete');
});
