/** The list of Windows devices in ranges of the enrolment date, of a tenant whose last run is known. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts';
import { computeEnrolmentDates } from '../../../src/core/source/enrolment-dates.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { slowAnswer } from '../../limits.ts';
import { readSimulator } from './read-simulator.ts';

const moment = new Date('2026-11-20T05:15:00Z');
const list = '/v1.0/deviceManagement/managedDevices';
let simulator: Simulator;
let isBlocked: (filter: string) => boolean;
/** What the last run left; of a list that had two pages of the size that is asked for. */
let last: Required<Pick<PreviousReading, 'listing' | 'enrolment' | 'readLastDevices'>>;

beforeEach(async () => {
  const pace = { latencyMilliseconds: 2, requestsAtOnce: 4 };
  const graph = { pageSize: 15, datesKnown: true, exportPolls: 0, ...pace };
  isBlocked = () => false;
  const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Blocked</h1>' };
  const devices = { devices: 300, seed: 7, moment, slowMilliseconds: slowAnswer, graph };
  simulator = await startSimulator({
    ...devices,
    intercept: async (request, respond) =>
      request.path === list && isBlocked(request.query.get('$filter') ?? '') ? page : respond(request),
  });
  const { reading } = await readSimulator(simulator);
  expect(reading.receipt.listed).toBe('serially: first run');
  const ids = reading.devices.map(({ id }) => id);
  last = {
    listing: { received: 2000, overview: 2000 },
    enrolment: computeEnrolmentDates(reading.devices),
    readLastDevices: async () => ({ ids, unlisted: reading.unlisted ?? [] }),
  };
});

afterEach(async () => {
  expect(simulator.violations).toEqual([]);
  await simulator.close();
});

async function read(remembered: PreviousReading = last) {
  const asked = simulator.requests.length;
  const { reading, error } = await readSimulator(simulator, remembered);
  const requests = simulator.requests.slice(asked).filter(({ path }) => path === list);
  const queries = requests.map(({ query }) => new URLSearchParams(query));
  return { ids: reading.devices.map(({ id }) => id), receipt: reading.receipt, error, queries };
}

function listTrueIds(): string[] {
  const records = simulator.listRecords().filter(({ source }) => source === 'windows');
  return records.map(({ id }) => id).sort();
}

const readRange = (query: URLSearchParams) => query.get('$filter')?.replace("operatingSystem eq 'Windows'", '');

test('is read twice, in ranges whose bounds all differ', async () => {
  const { ids, receipt, error, queries } = await read();
  expect(error).toBeUndefined();
  expect(ids).toEqual(listTrueIds());
  expect(receipt).toMatchObject({ listed: 'in ranges', walks: 2, received: ids.length, pages: queries.length });
  const [again, first] = [true, false].map((isIds) => queries.filter((one) => (one.get('$select') === 'id') === isIds));
  const ranges = (of: readonly URLSearchParams[] = []) => [...new Set(of.map(readRange))];
  expect([ranges(first).length, ranges(again).length]).toEqual([4, 5]);
  // The report's rows of devices that are gone were there last time too.
  expect(receipt.unlisted).toBeGreaterThan(0);
  expect(simulator.requests.filter(({ path }) => path.startsWith(`${list}/`))).toEqual([]);
  const bounds = (of: readonly URLSearchParams[] = []) =>
    new Set(ranges(of).flatMap((range) => range?.match(/[\dT:-]+\.4999999Z/g) ?? []));
  expect([bounds(first).size, bounds(again).size]).toEqual([3, 4]);
  expect(new Set([...bounds(first), ...bounds(again)]).size).toBe(7);
  // The ids come when the whole first reading is there.
  expect(queries.findIndex((one) => one.get('$select') === 'id')).toBe(first?.length);
});

test.each([
  ['throttled-bare'],
  ['server-errors'],
  ['token-expired'],
  ['paged-by-position'],
  ['renamed-devices'],
  ['renamed-devices:lasting'],
  ['drifting-pages'],
  ['drifting-pages', 'paged-by-position'],
])('%s %s: in ranges, and every device [P3, P26]', async (...faults) => {
  simulator.setFaults(faults);
  const { ids, receipt, error } = await read();
  expect(error).toBeUndefined();
  expect(receipt.listed).toBe('in ranges');
  // A device that comes while the list is read may be listed or not.
  expect(listTrueIds().filter((id) => !ids.includes(id)).length).toBeLessThanOrEqual(
    Number(faults[0] === 'drifting-pages'),
  );
});

test.each([
  ['ranges-refused:lasting', 'refused'],
  ['filter-refused:lasting', 'refused'],
  ['filter-ignored:lasting', 'outside its range'],
  ['filter-ignored', 'outside its range'],
  ['combination-ignored:lasting', 'outside its range'],
  ['combination-ignored', 'outside its range'],
  ['dates-null', 'dates not known'],
  ['dates-null=2', 'too many differences'],
  ['dates-first-year', 'dates not known'],
  ['devices-hidden=3', 'missed by both'],
  ['slow-pages=10:lasting', 'pages failed'],
])('%s: serially, twice, with every device that is listed, and why [P27, P28]', async (fault, why) => {
  simulator.setFaults([fault]);
  const { ids, receipt, error } = await read();
  expect(error).toBeUndefined();
  expect(receipt.listed).toBe(`serially: ${why}`);
  const missing = listTrueIds().filter((id) => !ids.includes(id));
  expect(missing.length > 0).toBe(fault.startsWith('devices-hidden'));
});

const filtered = ['enrolledDateTime', 'operatingSystem'];
test.each(filtered)('a firewall with a rule about filters by %s costs no device [M6]', async (word) => {
  isBlocked = (filter) => filter.includes(word);
  const { ids, receipt, error } = await read();
  expect(error).toBeUndefined();
  expect(receipt.listed).toBe('serially: refused');
  expect(ids).toEqual(listTrueIds());
});

describe('serially, since', () => {
  test.each<[string, (of: typeof last) => PreviousReading]>([
    ['first run', () => ({})],
    ['few devices', (of) => ({ ...of, listing: { received: 1000, overview: 1000 } })],
    ['dates not known', (of) => ({ ...of, enrolment: { ...of.enrolment, unknown: 1 } })],
    ['dates alike', (of) => ({ ...of, enrolment: { ...of.enrolment, bounds: of.enrolment.bounds.slice(0, 1) } })],
    ['last run not readable', (of) => ({ ...of, readLastDevices: async () => undefined })],
  ])('%s', async (why, change) => {
    const { ids, receipt } = await read(change(last));
    expect(receipt.listed).toBe(`serially: ${why}`);
    expect(ids).toEqual(listTrueIds());
  });

  test('the service counts a larger share more than it did [P28]', async () => {
    const id = listTrueIds()[5] ?? '';
    simulator.setFaults(['devices-hidden=1']);
    const { ids = [], unlisted = [] } = (await last.readLastDevices()) ?? {};
    const unknown = { ...last, readLastDevices: async () => ({ ids: ids.filter((one) => one !== id), unlisted }) };
    expect((await read(unknown)).receipt.listed).toMatch(/^serially: (count above|missed by both)$/);
  });
});

test('devices that have left since the last run are looked up, and are gone [P26]', async () => {
  const ids = listTrueIds();
  simulator.changeDevice('windows', ids[3] ?? '', { gone: true });
  const { receipt, ids: listed } = await read();
  expect(receipt.listed).toBe('in ranges');
  expect(listed).toEqual(ids.toSpliced(3, 1));
  expect(simulator.requests.filter(({ path, status }) => path === `${list}/${ids[3]}` && status === 404)).toHaveLength(
    1,
  );
});
