import pLimit from 'p-limit';
import { afterEach, describe, expect, it } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../simulator/simulator.ts';
import { MusterError } from '../../../src/base/errors.ts';
import { emptyDeploymentSettings } from '../../../src/deployment/settings.ts';
import { systemClock } from '../../../src/http/clock.ts';
import { WaitBudget } from '../../../src/http/wait-budget.ts';
import type { JamfReadOptions, JamfSettings } from '../../../src/sources/jamf/settings.ts';
import { createJamfSource } from '../../../src/sources/jamf/source.ts';
import type { ReadContext } from '../../../src/sources/source.ts';
import { fakeClock } from '../../http/loopback.ts';
import { hangLimit, shortSilence, slowAnswer } from '../../limits.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { listExpected, takePicture } from './device-pictures.ts';
import { createReadContext } from './server.ts';

const moment = new Date('2026-10-07T05:15:00Z');
let simulator: Simulator | undefined;

afterEach(async () => {
  await simulator?.close();
  simulator = undefined;
});

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  simulator = await startSimulator({ devices: 400, seed: 7, moment, slowMilliseconds: slowAnswer, ...options });
  return simulator;
}

function signInsOf(server: Simulator): Record<'client' | 'account', JamfSettings['auth']> {
  const secret = (name: string) => async () => server.environment[name] ?? '';
  return {
    client: { clientId: secret('JAMF_CLIENT_ID'), clientSecret: secret('JAMF_CLIENT_SECRET') },
    account: { username: secret('JAMF_USER'), password: secret('JAMF_PASSWORD') },
  };
}

function settingsOf(server: Simulator, changes: Partial<JamfSettings> = {}): JamfSettings {
  return {
    name: 'macs',
    url: server.url,
    auth: signInsOf(server).client,
    extensionAttribute: 'Agent Status',
    groups: { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' },
    site: '',
    deployment: emptyDeploymentSettings,
    ...changes,
  };
}

interface Night {
  readonly settings?: Partial<JamfSettings>;
  readonly ask?: Partial<ReadContext>;
  readonly tools?: JamfReadOptions;
}

/** Asks the simulator for a night; `failure` is undefined when it was proved complete. */
async function night(server: Simulator, changes: Night = {}) {
  const reading = createEmptyReading();
  // Tokens run out by the simulator's own clock, so the tests that are about them bring the real one.
  const context = createReadContext({ clock: fakeClock(moment.getTime()), ...changes.ask });
  const source = createJamfSource(settingsOf(server, changes.settings), { idle: hangLimit, ...changes.tools });
  let failure: MusterError | undefined;
  try {
    await source.read(context, reading);
  } catch (error) {
    if (!(error instanceof MusterError)) {
      throw error;
    }
    failure = error;
  }
  const told = JSON.stringify([reading, context.steps, failure?.message]);
  expect(server.canaries.filter((canary) => told.includes(canary))).toEqual([]);
  expect(told).not.toContain('<result>');
  expect(server.leaks).toEqual([]);
  return { reading, failure, steps: context.steps };
}

async function expectTruth(server: Simulator, changes: Night = {}) {
  const result = await night(server, changes);
  expect(result.failure).toBeUndefined();
  expect(takePicture(result.reading.devices)).toEqual(listExpected(server));
  const { receipt } = result.reading;
  expect(receipt).toMatchObject({ claimed: listExpected(server).length, received: listExpected(server).length });
  expect(receipt).toMatchObject({ firstId: listExpected(server)[0]?.id, lastId: listExpected(server).at(-1)?.id });
  return result;
}

describe('what the server knows', () => {
  it('of more Macs than a page has is told as it is', async () => {
    const server = await start({ devices: 1_100 });
    const { reading, steps } = await expectTruth(server);
    expect(reading.receipt).toMatchObject({ walks: 1, retries: 0 });
    expect(reading.receipt.pages).toBeLessThanOrEqual(3);
    expect(reading.groups.map((group) => group.members?.length ?? group.problem)).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(server.violations).toEqual([]);
    expect(steps.at(-1)).toMatchObject({ rows: reading.receipt.received, pages: reading.receipt.pages });
  });

  it('is asked within the limit of its server, the sign-in too, since other sources may read the same', async () => {
    const limit = pLimit(5);
    const outside: string[] = [];
    const server = await start({
      devices: 20,
      intercept(request, respond) {
        if (limit.activeCount === 0) {
          outside.push(request.path);
        }
        return respond(request);
      },
    });
    await night(server, { tools: { limit } });
    expect(outside).toEqual([]);
  });

  it.each(['HARDWARE', 'PURCHASING', 'EXTENSION_ATTRIBUTES'] as const)(
    'is found with the attribute in %s, asking for no section more',
    async (attributeSection) => {
      const server = await start({ jamf: { attributeSection } });
      const { reading } = await expectTruth(server);
      expect(reading.findings[0]).toMatchObject({ check: 'macos.extension-attribute', result: 'pass' });
      const asked = new Set(
        server.requests
          .filter((request) => request.path.endsWith('/computers-inventory'))
          .flatMap((request) => new URLSearchParams(request.query).getAll('section')),
      );
      const own = ['IBEACONS', 'GENERAL', 'HARDWARE', 'OPERATING_SYSTEM', 'USER_AND_LOCATION'];
      expect(asked).toEqual(new Set([...own, attributeSection]));
    },
  );

  it('is the same facts from an older server', async () => {
    const newer = await night(await start());
    await simulator?.close();
    const older = await night(await start({ jamf: { older: true, pageCap: 30 } }));
    expect(older.reading.devices).toEqual(newer.reading.devices);
    expect(older.reading.groups).toEqual(newer.reading.groups);
    expect(older.reading.instrument).toEqual(newer.reading.instrument);
  });

  it('comes whole from a server that gives less than asked for [P1]', async () => {
    const { reading } = await expectTruth(await start({ jamf: { pageCap: 17 } }));
    expect(reading.receipt.walks).toBe(1);
  });

  it.each(['client', 'account'] as const)('comes whole with tokens of 2 s: %s [A1, A6]', async (signIn) => {
    const server = await start({ jamf: { tokenSeconds: 2, latencyMilliseconds: 150, pageCap: 10 } });
    await expectTruth(server, { settings: { auth: signInsOf(server)[signIn] }, ask: { clock: systemClock } });
    expect(server.violations).toEqual([]);
  });
});

describe('what is asked for at once', () => {
  it('is the account, the attribute, and the names of places', async () => {
    const together = ['/api/v1/auth', '/api/v1/computer-extension-attributes', '/api/v1/departments'];
    const waiting = new Set(together);
    const all = Promise.withResolvers<void>();
    // None of them is answered before all are asked for.
    const server = await start({
      async intercept(request, respond) {
        waiting.delete(request.path);
        if (waiting.size === 0) {
          all.resolve();
        }
        await (together.includes(request.path) ? all.promise : undefined);
        return respond(request);
      },
    });
    await expectTruth(server);
  });

  it('holds no page: names of departments may come when every page was asked for', async () => {
    const named = (await expectTruth(await start({ jamf: { pageCap: 60 } }))).reading;
    await simulator?.close();
    const lastPage = Math.ceil(named.receipt.received / 60) - 1;
    const reached = Promise.withResolvers<void>();
    const server = await start({
      jamf: { pageCap: 60 },
      async intercept(request, respond) {
        if (request.path.endsWith('/computers-inventory') && request.query.get('page') === String(lastPage)) {
          reached.resolve();
        }
        await (request.path.endsWith('/departments') ? reached.promise : undefined);
        return respond(request);
      },
    });
    expect((await expectTruth(server)).reading.devices).toEqual(named.devices);
    expect(named.devices.filter(({ department }) => department !== undefined)).not.toEqual([]);
  });
});

/** Where a failure counts as slow as soon as a slow answer is. */
const impatient = { idle: shortSilence };

/** Rows that each page of the inventory was asked for. */
function pageSizes(server: Simulator): number[] {
  return server.requests
    .filter(({ path, query }) => path.endsWith('/computers-inventory') && query.includes('id%3Aasc'))
    .map(({ query }) => Number(new URLSearchParams(query).get('page-size')));
}

describe('a fault that passes', () => {
  it('of a load balancer, four times at once, is waited for with the same page', async () => {
    const server = await start();
    server.setFaults(['jamf/gateway-timeouts']);
    const { reading } = await expectTruth(server);
    expect(new Set(pageSizes(server))).toEqual(new Set([500]));
    expect(reading.receipt).toMatchObject({ walks: 1, retries: 4 });
  });
});

describe('a fault that lasts', () => {
  it.each(['drifting-pages', 'clean-up'])('%s is explained, each device by a further walk', async (fault) => {
    const server = await start({ jamf: { pageCap: 60 } });
    const before = new Set(listExpected(server).map(({ id }) => id));
    server.setFaults([`jamf/${fault}:lasting`]);
    const { failure, reading } = await night(server);
    expect(failure).toBeUndefined();
    const read = new Set(reading.devices.map(({ id }) => id));
    const stayed = listExpected(server).filter(({ id }) => before.has(id));
    expect(stayed.length).toBeLessThan(before.size);
    expect(stayed.filter(({ id }) => !read.has(id))).toEqual([]);
    expect(reading.receipt.walks).toBeGreaterThan(1);
  });

  it.each([100, 1])('of slow pages is met with smaller ones, down to %i rows', async (rows) => {
    const server = await start({ devices: 40 });
    server.setFaults([`jamf/slow-pages=${rows}:lasting`]);
    const { reading } = await expectTruth(server, { tools: impatient });
    expect(reading.receipt.walks).toBe(1);
    expect(server.violations).toEqual([]);
  });

  it('of pages that are slow at any size is named', async () => {
    const server = await start();
    server.setFaults(['jamf/slow-pages=0:lasting']);
    expect((await night(server, { tools: impatient })).failure).toMatchObject({ code: 'request-timed-out' });
  });

  it('of Macs with 150 kB each is met with pages of about 4 MB', async () => {
    const server = await start({ devices: 500 });
    server.setFaults(['jamf/large-rows=150:lasting']);
    const { reading } = await expectTruth(server);
    expect(reading.receipt).toMatchObject({ walks: 1, retries: 0 });
    const sizes = pageSizes(server);
    // 4 MB are 27 rows. The first page of 500 is refused at 32 MB, the second has 62.
    expect(sizes.slice(0, 2)).toEqual([500, 62]);
    expect(Math.max(...sizes.slice(2))).toBeLessThan(28);
  });

  it('of the account that passes meanwhile is asked for again at the end, and cannot hide a site', async () => {
    const server = await start({ jamf: { site: true } });
    const auth = signInsOf(server).account;
    server.setFaults(['jamf/account-errors']);
    const clock = fakeClock(moment.getTime());
    // No patience at all, so that each reading of the account is one request.
    const patience = new WaitBudget({ clock, limit: 0 });
    const failures: (string | undefined)[] = [];
    // An earlier run counted the Macs, so that a loss of the other sites would be noticed.
    const remembered = { instrument: {} };
    for (let readings = 0; readings < 3; readings += 1) {
      failures.push((await night(server, { settings: { auth }, ask: { clock, patience, remembered } })).failure?.code);
    }
    // Two readings, with two requests each, meet the fault.
    expect(failures).toEqual([undefined, undefined, 'site-scoped']);
  });

  it('of a renamed attribute says what it is called now [J1]', async () => {
    const server = await start();
    const { reading } = await night(server);
    server.setFaults(['jamf/attribute-renamed']);
    const { failure } = await night(server, { ask: { remembered: { instrument: reading.instrument } } });
    expect(failure).toMatchObject({
      code: 'attribute-missing',
      message: expect.stringContaining('It is now called "Agent Status (renamed)".'),
    });
  });
});

describe('what an account may see', () => {
  it.each(['access-level', 'privileges', 'group'] as const)('is refused when it is one site only: %s', async (form) => {
    const server = await start({ jamf: { site: true, siteForm: form } });
    const auth = signInsOf(server).account;
    expect((await night(server, { settings: { auth } })).failure).toMatchObject({ code: 'site-scoped' });
    await expectTruth(server, { settings: { auth, site: 'Headquarters' } });
  });

  it('may leave out the definition: found by name, with a finding that says so', async () => {
    const server = await start({ jamf: { withoutPrivileges: ['Read Computer Extension Attributes'] } });
    const { reading } = await expectTruth(server);
    expect(reading.findings[0]).toMatchObject({ result: 'unknown', instrument: true });
    expect(reading.instrument).toEqual({});
    const { failure } = await night(server, { settings: { extensionAttribute: 'Nothing' } });
    expect(failure).toMatchObject({ code: 'attribute-missing' });
  });

  it('may not leave out the computers', async () => {
    const server = await start({ jamf: { withoutPrivileges: ['Read Computers'] } });
    expect((await night(server)).failure).toMatchObject({
      code: 'permission-missing',
      message: expect.stringContaining('"Read Computers"'),
    });
  });

  it('need not include groups at all', async () => {
    const server = await start();
    const { groups: _groups, ...settings } = settingsOf(server);
    const reading = createEmptyReading();
    await createJamfSource(settings).read(createReadContext(), reading);
    expect(reading.groups).toEqual([]);
  });
});
