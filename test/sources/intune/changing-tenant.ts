/** A tenant in memory whose devices come, go, are renamed and enrolled again between any two answers; seeds name it. */
import pLimit from 'p-limit';
import { cutByKey, cutByPosition } from '../../../simulator/platforms/graph/device-pages.ts';
import { type FilterClause, filterRows, parseFilter } from '../../../simulator/platforms/graph/odata-filter.ts';
import { MusterError } from '../../../src/base/errors.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http/send-request.ts';
import type { Graph } from '../../../src/sources/intune/client.ts';
import { makeRandom, type Random } from '../../model/random.ts';

export interface Device {
  readonly id: string;
  name: string;
  readonly system: string;
  date: string | null;
}

const filterFaults = ['refused', 'ignored', 'only the system', 'only the dates'] as const;

export interface ChangingTenantOptions {
  readonly seed: number;
  /** Of an event before each page. */
  readonly change: number;
  readonly paging: 'by key' | 'by position';
  readonly filter: 'applied' | (typeof filterFaults)[number];
  /** The date of some devices that were enrolled since the last run. */
  readonly odd: 'none' | 'null' | 'first year';
}

export function drawOptions(seed: number): ChangingTenantOptions {
  const random = makeRandom(seed + 1_000_003);
  return {
    seed,
    change: random.pick([0, 0.05, 0.2, 0.5]),
    paging: random.pick(['by key', 'by position']),
    filter: random.chance(0.8) ? 'applied' : random.pick(filterFaults),
    odd: random.chance(0.7) ? 'none' : random.pick(['null', 'first year']),
  };
}

interface TenantEvent {
  readonly kind: 'renamed' | 'redated' | 'enrolled' | 'left';
  readonly id: string;
}

export interface ChangingTenant {
  readonly graph: Graph;
  /** As they are now. */
  readonly devices: readonly Device[];
  readonly atStart: readonly Device[];
  /** Every device that was ever there, by id. */
  readonly ever: ReadonlyMap<string, Device>;
  readonly lastRun: readonly Device[];
  readonly reported: ReadonlySet<string>;
  /** What happened before the first page of ids alone was asked for, and since. */
  readonly events: Readonly<Record<'early' | 'late', TenantEvent[]>>;
  readonly mostAtOnce: () => number;
}

const day = 86_400_000;
const origin = 'https://graph.example.com';
const newest = Date.parse('2026-11-20T00:00:00Z');

export function openChangingTenant(options: ChangingTenantOptions): ChangingTenant {
  const random = makeRandom(options.seed);
  const pageSize = random.between(3, 9);
  let devices: Device[] = [];
  let made = 0;
  const ever = new Map<string, Device>();
  const enrol = (date: string | null, system = 'Windows') => {
    made += 1;
    const id = `${String(random.between(10_000, 99_999))}-${made}`;
    const device = { id, name: drawName(random), system, date };
    devices.splice(random.between(0, devices.length), 0, device);
    ever.set(id, device);
    return device;
  };
  for (let count = random.between(15, 60); count > 0; count -= 1) {
    enrol(formatDate(newest - random.between(1, 900) * day - random.between(0, 86_399_000)));
  }
  enrol(formatDate(newest - 30 * day), 'iOS');
  const lastRun = devices.filter(({ system }) => system === 'Windows');
  const reported = new Set(lastRun.filter(() => random.chance(0.8)).map(({ id }) => id));
  // What happened since the last run.
  for (let count = random.between(0, 4); count > 0; count -= 1) {
    const isOdd = options.odd !== 'none' && random.chance(0.5);
    const odd = options.odd === 'null' ? null : '0001-01-01T00:00:00Z';
    enrol(isOdd ? odd : formatDate(newest + random.between(0, day)));
  }
  devices = devices.filter(() => !random.chance(0.03));
  const atStart = [...devices];

  const events: Record<'early' | 'late', TenantEvent[]> = { early: [], late: [] };
  let isLate = false;
  const happen = () => {
    const kind = random.pick<TenantEvent['kind']>(['renamed', 'redated', 'enrolled', 'left']);
    let device = random.pick(devices);
    if (kind === 'renamed') {
      device.name = drawName(random);
    } else if (kind === 'redated') {
      device.date = formatDate(newest + day + random.between(0, 1000) * 1000);
    } else if (kind === 'left') {
      devices = devices.filter((one) => one !== device);
    } else {
      device = enrol(formatDate(newest + day + random.between(0, 1000) * 1000));
    }
    events[isLate ? 'late' : 'early'].push({ kind, id: device.id });
  };

  const answer = (url: URL): [status: number, body: unknown] => {
    if (url.pathname.endsWith('/managedDeviceOverview')) {
      const windowsCount = devices.filter(({ system }) => system === 'Windows').length;
      return [200, { deviceOperatingSystemSummary: { windowsCount } }];
    }
    if (url.pathname.endsWith('/managedDevices')) {
      isLate ||= url.searchParams.get('$select') === 'id';
      if (random.chance(options.change) && devices.length > 5) {
        happen();
      }
      return [200, readPage(url, devices, options, pageSize)];
    }
    const found = devices.find(({ id }) => url.pathname.endsWith(`/${id}`));
    return found === undefined ? [404, {}] : [200, toBody(found)];
  };

  const limit = pLimit(4);
  let mostAtOnce = 0;
  async function send<T>({ url }: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T> {
    return limit(async () => {
      mostAtOnce = Math.max(mostAtOnce, limit.activeCount);
      // Answers of requests that are under way together come in any order.
      for (let turns = random.between(0, 6); turns > 0; turns -= 1) {
        await undefined;
      }
      const [status, body] = answer(new URL(url, origin));
      return understand({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) });
    });
  }
  const client = { send, optional: () => client };
  const graph = { who: 'Graph', origin, client, downloads: client, signal: new AbortController().signal };
  return {
    graph: graph as unknown as Graph,
    get devices() {
      return devices;
    },
    ...{ atStart, ever, lastRun, reported, events, mostAtOnce: () => mostAtOnce },
  };
}

function readPage(url: URL, devices: readonly Device[], { paging, filter }: ChangingTenantOptions, pageSize: number) {
  const clauses = chooseClauses(parseFilter(url.searchParams), filter);
  const rows = filterRows(devices, clauses, {
    operatingSystem: ({ system }) => system,
    enrolledDateTime: ({ date }) => date,
  });
  const token = url.searchParams.get('$skiptoken');
  const page =
    paging === 'by key' ? cutByKey(rows, (row) => row, token, pageSize) : cutByPosition(rows, token, pageSize);
  url.searchParams.delete('$skiptoken');
  const next = page.next && `${origin}${url.pathname}?${url.searchParams}&$skiptoken=${page.next}`;
  const isIds = url.searchParams.get('$select') === 'id';
  const value = page.rows.map((row) => (isIds ? { id: row.id } : toBody(row)));
  return { '@odata.count': value.length, value, ...(next && { '@odata.nextLink': next }) };
}

function chooseClauses(clauses: readonly FilterClause[], filter: ChangingTenantOptions['filter']) {
  if (clauses.length < 2 || filter === 'applied') {
    return filter === 'ignored' ? [] : clauses;
  }
  if (filter === 'refused') {
    throw new MusterError('request-refused', 'Graph refused the filter.');
  }
  const isOfSystem = ({ name }: FilterClause) => name === 'operatingSystem';
  return filter === 'ignored' ? [] : clauses.filter((one) => isOfSystem(one) === (filter === 'only the system'));
}

function toBody({ id, name, system, date }: Device) {
  return { id, deviceName: name, operatingSystem: system, enrolledDateTime: date };
}

function drawName(random: Random): string {
  return `PC-${random.between(100, 999)}`;
}

function formatDate(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '');
}
