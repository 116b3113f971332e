/**
 * What every source promises, held against a platform on loopback: complete and true, or a named failure; bounded,
 * stopped when told to, and without a secret. A source's own test calls this with a description of its platform.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { compareCodePoints } from '../../src/core/text/order.ts';
import type { SourceReading } from '../../src/sources/source.ts';
import { captureOutput } from '../capture-output.ts';
import { type Loopback, loopback } from '../http/loopback.ts';
import { hangLimit } from '../limits.ts';
import { hostileNames } from '../reports/names.ts';
import { isDeep, sample } from '../sampling.ts';
import {
  changesJson,
  cutsShort,
  floodMegabytes,
  floods,
  hangs,
  hangsMidBody,
  jsonIn,
  redirectsTo,
  refuses,
  resets,
  resetsMidBody,
  sendsBomb,
  sendsBrokenUtf8,
  sendsInstead,
  sendsWebPage,
} from './faults.ts';
import { changeEachObject, changesOfType } from './json-changes.ts';
import {
  type Fault,
  type Outcome,
  openPlatform,
  type PlatformOptions,
  type PlatformRequest,
  type Purpose,
  placeOf,
  type ReadOptions,
  type SourceUnderTest,
  sendAnswer,
  turns,
  usualDevices,
} from './platform.ts';

/** All that a source promises. */
export function sourceContract(name: string, subject: SourceUnderTest): void {
  describe(`${name} keeps the contract of a source:`, () => {
    const tools = openTools(subject);
    const essential: readonly Purpose[] = subject.token === undefined ? ['sign-in', 'devices'] : ['devices'];
    const all: readonly Purpose[] = [...essential, 'download', 'other'];
    describe('a healthy platform', () => testHealthyPlatform(tools));
    describe('a list that contradicts itself', () => testCompleteness(tools));
    describe('a failure that passes', () => testPassingFailures(tools, all));
    describe('a failure that lasts', () => testLastingFailures(tools, essential));
    describe('a failure of one resource', () => testFailuresOfOneResource(tools));
    describe('an answer', () => testAnswers(tools, essential));
    describe('a device', () => testDevices(tools));
    describe('credentials', () => testOrigins(tools));
    describe('a stop', () => testStops(tools, all));
    describe('the deadline', () => testDeadline(tools));
  });
}

/** What is different for another way to sign in to a platform that keeps the contract already, or another address of it. */
export function signInContract(name: string, subject: SourceUnderTest): void {
  describe(`${name} keeps the contract of a source when it signs in:`, () => {
    const tools = openTools(subject);
    describe('a healthy platform', () => testHealthyPlatform(tools));
    describe('a failure that passes', () => testPassingFailures(tools, ['sign-in']));
    describe('a failure that lasts', () => testLastingFailures(tools, ['sign-in']));
    describe('an answer', () => testAnswers(tools, ['sign-in']));
    describe('credentials', () => testOrigins(tools));
    describe('a stop', () => testStops(tools, ['sign-in']));
  });
}

/** Milliseconds of silence where a time-out is what is expected, so that a busy machine's own would be no matter. */
const silenceForEver = 40;
/** The same where the reading goes on afterwards: longer than a healthy answer takes, also on a busy machine. */
const silenceThatPasses = 1_000;
/** So often a source that asks one request at a time may ask again for what fails. */
const mostTries = 25;
const minute = 60_000;
const hour = 60 * minute;

/** One request of a reading: the first, second, ... of its method and path. */
interface Place {
  readonly place: string;
  readonly occurrence: number;
  readonly purpose: Purpose;
}

interface Tools {
  readonly subject: SourceUnderTest;
  /** An origin that nobody may ask anything. */
  elsewhere(): string;
  read(platform?: PlatformOptions, options?: ReadOptions): Promise<Outcome>;
  /** A reading during which this request, or with `lasts` every one of its method and path, meets the fault. */
  readWithFault(at: Place, fault: Fault, lasts?: 'lasts', options?: ReadOptions): Promise<Outcome>;
  /** A reading in good health, which is the same each time. */
  readHealthy(): Promise<SourceReading>;
  /** Every request of it. */
  places(): Promise<readonly Place[]>;
  idsOf(count: number): readonly string[];
}

function openTools(subject: SourceUnderTest): Tools {
  let elsewhere: Loopback;
  const written = captureOutput();

  beforeEach(async () => {
    elsewhere = await loopback((_, response) => response.end('{}'));
  });

  afterEach(async () => {
    await elsewhere.close();
    expect(elsewhere.requests, 'requests to another origin').toEqual([]);
    expect(written, 'what was written to the terminal').toEqual([]);
  });

  async function read(described: PlatformOptions = {}, options: ReadOptions = {}): Promise<Outcome> {
    const platform = await openPlatform(subject, described);
    try {
      return await platform.read(options);
    } finally {
      await platform.close();
    }
  }

  let healthy: Outcome | undefined;
  async function readOnce(): Promise<Outcome> {
    healthy ??= await read();
    expect(healthy.error).toBeUndefined();
    return healthy;
  }

  return {
    subject,
    elsewhere: () => elsewhere.origin,
    read,
    async readWithFault(at, fault, lasts, options) {
      const outcome = await read(injectFault(at, fault, lasts), options);
      expect(outcome.faults, nameOf(at)).toBeGreaterThan(0);
      return outcome;
    },
    readHealthy: async () => (await readOnce()).reading,
    async places() {
      const { requests } = await readOnce();
      return requests.map((request, index) => {
        const place = placeOf(request);
        const occurrence = requests.slice(0, index + 1).filter((other) => placeOf(other) === place).length;
        return { place, occurrence, purpose: subject.purposeOf(request) };
      });
    },
    idsOf: (count) =>
      Array.from({ length: count }, (_, index) => subject.deviceId(index + 1)).toSorted(compareCodePoints),
  };
}

function testHealthyPlatform({ subject, read, readHealthy, idsOf }: Tools): void {
  it('is read completely, with a receipt that agrees with what was served [P15]', async () => {
    const { error, reading, requests } = await read();
    expect(error).toBeUndefined();
    expect(idsIn(reading)).toEqual(idsOf(25));
    const pages = requests.filter((request) => subject.purposeOf(request) === 'devices').length;
    expect(reading.receipt).toMatchObject({ claimed: 25, received: 25, pages, retries: 0 });
    expect(reading.receipt.walks).toBeGreaterThan(0);
    expect(idsOf(25)).toContain(reading.receipt.firstId);
    expect(idsOf(25)).toContain(reading.receipt.lastId);
    expect(reading.instrument.id).toEqual(expect.any(String));
  });

  it('reports its progress', async () => {
    const { steps, reading } = await read();
    const { pages, received: rows, retries } = reading.receipt;
    expect(steps.length).toBeGreaterThan(pages);
    for (const { doing } of steps) {
      expect(doing).not.toBe('');
    }
    expect(steps.at(-1)).toMatchObject({ pages, rows, retries });
  });

  it('gives the same reading twice', async () => {
    const platform = await openPlatform(subject, {});
    const [first, second] = [await platform.read(), await platform.read()];
    await platform.close();
    expect(first.error).toBeUndefined();
    expect(second.error).toBeUndefined();
    expect(second.reading).toStrictEqual(first.reading);
  });

  it('gives the same devices in whatever order it lists them', async () => {
    const { reading } = await read({ devices: usualDevices(subject, 25).toReversed() });
    expect(pictureOf(reading)).toStrictEqual(pictureOf(await readHealthy()));
  });

  it('may list no device', async () => {
    const { error, reading } = await read({ devices: [] });
    expect(error).toBeUndefined();
    expect(reading).toMatchObject({ devices: [], receipt: { received: 0 } });
  });

  it(`gets at most ${subject.requestsAtOnce} requests at once`, async () => {
    const holds: Fault = async (exchange) => {
      // Whoever wants to ask more has asked by then.
      await turns(30);
      sendAnswer(exchange);
    };
    const devices = usualDevices(subject, 60);
    const { error, mostAtOnce } = await read({ devices, pageSize: 3, interfere: () => holds });
    expect(error).toBeUndefined();
    // A platform whose pages follow each other is asked one after the other.
    expect(mostAtOnce).toBeGreaterThan(subject.requestsAtOnce === 1 ? 0 : 1);
    expect(mostAtOnce).toBeLessThanOrEqual(subject.requestsAtOnce);
  });
}

function testCompleteness({ subject, read, idsOf }: Tools): void {
  const all = () => usualDevices(subject, 25);
  const contradicted = { code: expect.stringMatching(/^(rows-missing|paging-broken)$/) };

  it.each<[string, () => PlatformOptions, claimed: number, listed: number]>([
    ['more devices counted than listed', () => ({ claimed: 28 }), 28, 25],
    ['nothing listed', () => ({ devices: [], claimed: 25 }), 25, 0],
    ['a device left out', () => ({ devices: all().toSpliced(12, 1), claimed: 25 }), 25, 24],
  ])('%s: incomplete, with both numbers [P2, P6]', async (_what, described, claimed, listed) => {
    const { error, reading } = await read(described());
    expect(error).toMatchObject({ code: 'rows-missing' });
    expect(reading.receipt).toMatchObject({ claimed, received: listed });
  });

  describe.each([
    ['on one page', 2, 4],
    ['on two pages', 2, 24],
    ['on the last page', 24, 25],
  ])('a device listed twice %s', (_where, first, again) => {
    const one = () => all()[first - 1] ?? {};

    it('in equal rows: one device, which the reading names [P4, M5]', async () => {
      const devices = all().toSpliced(again, 0, one());
      const { error, reading } = await read({ devices });
      expect(error).toBeUndefined();
      expect(idsIn(reading)).toEqual(idsOf(25));
      expect(reading.repeated).toEqual([subject.deviceId(first)]);
      expect(reading.receipt).toMatchObject({ received: 25 });
    });

    it('in different rows: incomplete [P4, M5]', async () => {
      const devices = all().toSpliced(again, 0, { ...subject.device(9, (usual) => usual), id: one().id });
      expect((await read({ devices })).error).toMatchObject(contradicted);
    });
  });

  it('fewer devices than counted, one of them twice: incomplete [P2, P4]', async () => {
    const devices = all().with(11, all()[3] ?? {});
    expect((await read({ devices, claimed: 26 })).error).toMatchObject(contradicted);
  });
}

interface Expectation {
  /** A wait that must have been made, in milliseconds. */
  readonly wait?: number;
  /** What the receipt must say. */
  readonly retries?: number;
}

function testPassingFailures(tools: Tools, purposes: readonly Purpose[]): void {
  const { subject, read, readWithFault, readHealthy, places } = tools;
  it.each<[string, turn: Turn, Fault, Expectation]>([
    ['429 with Retry-After', 0, refuses(subject, 429, { 'retry-after': '7' }), { wait: 7_000, retries: 1 }],
    ['500', 1, refuses(subject, 500), { retries: 1 }],
    ['503 with Retry-After [H5]', 1, refuses(subject, 503, { 'retry-after': '7' }), { wait: 7_000, retries: 1 }],
    ['504 [H5]', 0, refuses(subject, 504), {}],
    ['a reset [H7, H25]', 0, resets, { retries: 1 }],
    ['a reset in the middle of the body', 1, resetsMidBody, { retries: 1 }],
    ['a body cut short [H11, H12]', 0, cutsShort, {}],
    ['a web page in place of the answer', 1, sendsWebPage, {}],
    ['text that is not UTF-8', 0, sendsBrokenUtf8, {}],
  ])('%s, at any request: the same reading in the end [A5, H3]', async (_what, turn, fault, { wait, retries }) => {
    const healthy = await readHealthy();
    const met = (await places()).filter(({ purpose }) => purposes.includes(purpose));
    for (const at of takeTurn(sample(met, 4), turn)) {
      const { error, reading, clock } = await readWithFault(at, fault);
      expect(error, nameOf(at)).toBeUndefined();
      expect(pictureOf(reading), nameOf(at)).toStrictEqual(pictureOf(healthy));
      if (wait !== undefined) {
        expect(clock.waits, nameOf(at)).toContain(wait);
      }
      if (retries !== undefined) {
        expect(reading.receipt.retries, nameOf(at)).toBe(retries);
      }
    }
  });

  it('401 once, at any request with a token: the same reading in the end, with a new token where there are such [A1, A9]', async () => {
    const healthy = await readHealthy();
    const shown = (await places()).filter(({ purpose }) => purpose === 'devices' || purpose === 'other');
    expect(shown).not.toEqual([]);
    for (const at of purposes.includes('other') ? sample(shown, 4) : shown.slice(0, 1)) {
      const { error, reading, requests } = await readWithFault(at, refuses(subject, 401));
      expect(error, nameOf(at)).toBeUndefined();
      expect(pictureOf(reading), nameOf(at)).toStrictEqual(pictureOf(healthy));
      const signIns = requests.filter((request) => subject.purposeOf(request) === 'sign-in');
      expect(signIns).toHaveLength(subject.token === undefined ? 2 : 0);
    }
  });

  const waitedFor = purposes.filter((purpose) => purpose === 'sign-in' || purpose === 'devices');
  it('silence before the answer or in it, for each purpose: the same reading in the end [A5]', async () => {
    const healthy = await readHealthy();
    const met = await places();
    const at = waitedFor.flatMap((purpose) => met.find((asked) => asked.purpose === purpose) ?? []);
    const silences = at.flatMap((first) => [injectFault(first, hangs), injectFault(first, hangsMidBody)]);
    expect(silences).toHaveLength(2 * waitedFor.length);
    for (const { error, reading } of await Promise.all(
      silences.map((one) => read({ ...one, silence: silenceThatPasses })),
    )) {
      expect(error).toBeUndefined();
      expect(pictureOf(reading)).toStrictEqual(pictureOf(healthy));
    }
  });
}

function testLastingFailures({ subject, read }: Tools, purposes: readonly Purpose[]): void {
  const lasting: readonly (readonly [string, code: string, Fault])[] = [
    ['401 [A2, A14]', 'sign-in-refused', refuses(subject, 401)],
    ['403 [A4]', 'permission-missing', refuses(subject, 403)],
    ['429 with Retry-After [H2]', 'throttled', refuses(subject, 429, { 'retry-after': '7' })],
    ['500', 'request-failed', refuses(subject, 500)],
    ['a reset', 'request-failed', resets],
    ['a body cut short', 'answer-unreadable', cutsShort],
    ['a web page in place of the answer [H13]', 'answer-unreadable', sendsWebPage],
    ['text that is not UTF-8 [H14]', 'answer-unreadable', sendsBrokenUtf8],
  ];
  const readInVain = async (purpose: Purpose, code: string, fault: Fault, silence = hangLimit) => {
    const { error, reading, requests } = await read({ ...injectForPurpose(subject, purpose, fault), silence });
    expect(error, purpose).toMatchObject({ code });
    expect(reading.devices).toEqual([]);
    // However politely a platform asks for patience, it is not asked without end: so often by each request under way.
    const asked = requests.filter((request) => subject.purposeOf(request) === purpose).length;
    expect(asked, purpose).toBeLessThanOrEqual(mostTries + 20 * subject.requestsAtOnce);
  };

  it.each(purposes.flatMap((purpose) => lasting.map((one) => [purpose, ...one] as const)))(
    '%s, %s: %s [A5, H4]',
    (purpose, _what, code, fault) => readInVain(purpose, code, fault),
  );

  it('silence before the answer or in it, for each purpose: request-timed-out [A5, H4, H18]', () =>
    Promise.all(
      purposes.flatMap((purpose) =>
        [hangs, hangsMidBody].map((fault) => readInVain(purpose, 'request-timed-out', fault, silenceForEver)),
      ),
    ));
}

/** Some of what is read beside the devices may be withheld; whether that matters is for the source to know. */
function testFailuresOfOneResource({ subject, readWithFault, places, idsOf }: Tools): void {
  it.each<[string, turn: Turn | undefined, Fault]>([
    ['400', 0, refuses(subject, 400)],
    ['403', undefined, refuses(subject, 403)],
    ['404', 1, refuses(subject, 404)],
    ['500', undefined, refuses(subject, 500)],
    ['null', 0, sendsInstead('null')],
    ['an empty body', 1, sendsInstead('')],
  ])('%s: a named error, or every device', async (_what, turn, fault) => {
    for (const at of takeTurn(firstOfEach(await places()), turn)) {
      const { error, reading } = await readWithFault(at, fault, 'lasts');
      if (error === undefined) {
        expect(idsIn(reading)).toEqual(idsOf(25));
      } else {
        expect(reading.findings, nameOf(at)).not.toEqual([]);
      }
    }
  });
}

function testAnswers({ subject, read, readHealthy, places, idsOf }: Tools, purposes: readonly Purpose[]): void {
  const isWhole = purposes.includes('devices');

  it('with a value of another type: a named error, or every device counted', async () => {
    const devices = usualDevices(subject, 2);
    const answers = new Map<string, unknown>();
    await read({
      devices,
      interfere: (request) => (exchange) => {
        const isMeant = isWhole || purposes.includes(subject.purposeOf(request));
        if (isMeant) {
          answers.set(placeOf(request), jsonIn(exchange.answer));
        }
        sendAnswer(exchange);
      },
    });
    expect(answers.size).toBeGreaterThan(0);
    for (const [place, answer] of answers) {
      for (const { name, change } of sample(changesOfType(answer), 3)) {
        const fault = changesJson((body) => JSON.stringify(change(body)));
        const interfere = (request: PlatformRequest) => (placeOf(request) === place ? fault : undefined);
        const { error, reading } = await read({ devices, interfere });
        if (error !== undefined) {
          continue;
        }
        expect(reading.receipt.received, `${place}, ${name}`).toBe(2);
        expect(idsOf(2), `${place}, ${name}`).toEqual(expect.arrayContaining(idsIn(reading)));
      }
    }
  });

  it.each<[string, (object: Readonly<Record<string, unknown>>) => Record<string, unknown>]>([
    ['null', (object) => ({ unused: null, ...object })],
    [
      '__proto__',
      (object) => Object.fromEntries([['__proto__', { polluted: true, id: '7' }], ...Object.entries(object)]),
    ],
    ['constructor', (object) => ({ constructor: { prototype: { polluted: true } }, toString: null, ...object })],
  ])('with %s in fields that nobody uses: the same reading [H29]', async (_what, add) => {
    const fault = changesJson((body) => JSON.stringify(changeEachObject(body, add)));
    const { error, reading } = await read({ interfere: () => fault });
    const usual = await readHealthy();
    expect(error).toBeUndefined();
    expect([reading.devices, reading.groups, reading.receipt]).toStrictEqual([
      usual.devices,
      usual.groups,
      usual.receipt,
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('nested 100,000 deep: a named error, or every device [H30]', async () => {
    const depth = 100_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    // In the innermost of the first objects and in the outermost: in each of them, parsing would take most of the file's time.
    const nests = changesJson((body) =>
      JSON.stringify(changeEachObject(body, (object) => ({ ...object, unused: 'nest' })))
        .replace('"nest"', deep)
        .replace(/"nest"(?!.*"nest")/s, deep),
    );
    const devices = usualDevices(subject, 2);
    const met = firstOfEach(await places()).filter(({ purpose }) => isWhole || purposes.includes(purpose));
    for (const at of sample(met, 4)) {
      for (const fault of [nests, sendsInstead(deep)]) {
        const { error, reading, faults } = await read({ ...injectFault(at, fault, 'lasts'), devices });
        expect(faults, nameOf(at)).toBeGreaterThan(0);
        if (error === undefined) {
          expect(idsIn(reading)).toEqual(idsOf(2));
        }
      }
    }
  });

  // Bytes are counted at one place for all purposes, and a list of devices is asked for more than a dozen times before it is given up.
  const flooded = isDeep ? purposes : purposes.slice(0, 1);
  it.each(flooded)('to %s of 100 MB: refused before it is read to its end [H16, H17]', async (purpose) => {
    let taken = 0;
    const flood = floods((megabytes) => {
      taken = Math.max(taken, megabytes);
    });
    expect((await read(injectForPurpose(subject, purpose, flood))).error).toMatchObject({ code: 'answer-too-large' });
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(floodMegabytes);
  });

  it.each(flooded)('to %s of 100 MB once it is unpacked: refused [H17]', async (purpose) => {
    const { error } = await read(injectForPurpose(subject, purpose, sendsBomb));
    expect(error).toMatchObject({ code: 'answer-too-large' });
  });
}

function testDevices({ subject, read }: Tools): void {
  it('has text fields, and times in ISO 8601 UTC', async () => {
    const { reading } = await read();
    expect(reading.devices).toHaveLength(25);
    for (const { id, answers, ...fields } of reading.devices) {
      expect(id).toMatch(/\S/);
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(['name', 'serialNumber', 'lastSeenAt']));
      expectKnown(fields);
      expect(answers).not.toEqual([]);
      for (const { value, ...more } of answers) {
        expect(value).toEqual(expect.any(String));
        expectKnown(more);
      }
    }
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['blank text', ' \t '],
    ['a year that means nothing', '0001-01-01T00:00:00Z'],
    ['a date that there is not', '2026-02-30T00:00:00Z'],
    ['a number', 7],
    ['a list', ['x']],
    ['an object', { x: 'x' }],
  ])('with %s in its fields leaves out what is not known [X13]', async (_what, unclear) => {
    const devices = [subject.device(1, () => unclear), subject.device(2, (usual) => usual)];
    const { error, reading } = await read({ devices });
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(2);
    for (const { answers, ...fields } of reading.devices) {
      expectKnown(fields);
      for (const { value: _, ...more } of answers) {
        expectKnown(more);
      }
    }
    const name = typeof unclear === 'string' && unclear.trim() !== '' ? unclear : undefined;
    expect(reading.devices.find(({ id }) => id === subject.deviceId(1))?.name).toBe(name);
  });

  it('keeps hostile text as text, bounded and well-formed [H31]', async () => {
    const devices = hostileNames.map((hostile, index) => subject.device(index + 1, () => hostile));
    const { error, reading } = await read({ devices, pageSize: 50 });
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(hostileNames.length);
    for (const { id, answers, ...fields } of reading.devices) {
      const hostile = hostileNames.find((_, index) => subject.deviceId(index + 1) === id) ?? '';
      const kept = hostile.slice(0, longestField).toWellFormed();
      expect(fields.name).toBe(kept.trim() === '' ? undefined : kept);
      expectKnown(fields);
      for (const { value } of answers) {
        expect(value.length).toBeLessThanOrEqual(longestField);
      }
    }
  });

  it('with an id longer than any field is refused [H31]', async () => {
    const long = 'x'.repeat(100_000);
    const lengthen = (value: unknown) => (String(value) === subject.deviceId(2) ? long : value);
    const fault = changesJson((body) =>
      JSON.stringify(
        changeEachObject(body, (row) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, lengthen(value)])),
        ),
      ),
    );
    const { error } = await read({ devices: usualDevices(subject, 2), ...injectForPurpose(subject, 'devices', fault) });
    expect(error).toMatchObject({ code: 'answer-unreadable' });
  });
}

function testOrigins({ read, readWithFault, places, elsewhere, idsOf }: Tools): void {
  it('do not follow a redirect from any request [H22]', async () => {
    for (const at of firstOfEach(await places())) {
      const { error } = await readWithFault(at, redirectsTo(`${elsewhere()}/stolen`), 'lasts');
      if (at.purpose === 'sign-in' || at.purpose === 'devices') {
        expect(error).toMatchObject({ code: 'redirected' });
      }
    }
  });

  it.each([
    ['another origin', (origin: string) => origin],
    ['another origin behind a user name', (origin: string) => origin.replace('http://', 'http://127.0.0.1@')],
    ['another origin without a scheme', (origin: string) => origin.replace('http:', '')],
  ])('do not follow a link to %s [P9]', async (_where, spell) => {
    const { error, reading } = await read({ linkOrigin: spell(elsewhere()) });
    if (error === undefined) {
      expect(idsIn(reading)).toEqual(idsOf(25));
    } else {
      expect(error).toMatchObject({ code: 'foreign-link' });
    }
  });
}

function testStops({ subject, read, readWithFault, places, idsOf }: Tools, purposes: readonly Purpose[]): void {
  it.each([
    ['an error of ours', new MusterError('stopped', 'Stopped by a test.')],
    ['any other error', new Error('The deadline.')],
  ])('ends the reading at any request, with its reason: %s', async (_whose, reason) => {
    const met = (await places()).filter(({ purpose }) => purposes.includes(purpose));
    for (const at of sample(met, 4)) {
      const stop = new AbortController();
      const stops: Fault = () => stop.abort(reason);
      let askedAfterwards = 0;
      const interfere: PlatformOptions['interfere'] = (request, occurrence) => {
        if (stop.signal.aborted) {
          askedAfterwards += 1;
        }
        return injectFault(at, stops).interfere(request, occurrence);
      };
      const { error, reading } = await read({ interfere }, { signal: stop.signal });
      expect(stop.signal.aborted, nameOf(at)).toBe(true);
      // Who has every device by then may say so.
      if (error === undefined) {
        expect(idsIn(reading)).toEqual(idsOf(25));
      } else {
        expect(error, nameOf(at)).toBe(reason);
      }
      // What was on its way already.
      expect(askedAfterwards, nameOf(at)).toBeLessThan(subject.requestsAtOnce);
    }
  });

  it('before the reading begins: nothing is asked', async () => {
    const reason = new Error('Stopped before it began.');
    const { error, requests } = await read({}, { signal: AbortSignal.abort(reason) });
    expect(error).toBe(reason);
    expect(requests).toEqual([]);
  });

  it('ends a wait', async () => {
    const reason = new Error('Stopped during a wait.');
    for (const at of firstOfEach(await places()).filter(({ purpose }) => purposes.includes(purpose))) {
      const stop = new AbortController();
      const clock = {
        now: () => new Date('2026-10-07T05:15:00Z'),
        elapsed: () => 0,
        async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
          if (milliseconds < minute) {
            return;
          }
          stop.abort(reason);
          // Requests run side by side: the stop of one may come before another begins to wait.
          signal.throwIfAborted();
          throw new Error('This wait does not end with the stop.');
        },
      };
      // No longer than Muster waits even for what it can do without.
      const fault = refuses(subject, 429, { 'retry-after': '60' });
      const { error } = await readWithFault(at, fault, 'lasts', { signal: stop.signal, clock });
      expect(stop.signal.aborted, nameOf(at)).toBe(true);
      if (at.purpose === 'sign-in' || at.purpose === 'devices') {
        expect(error).toBe(reason);
      }
    }
  });
}

function testDeadline({ subject, read, readWithFault, places, idsOf }: Tools): void {
  it('is not exceeded by a wait that the platform asks for [H1]', async () => {
    for (const at of firstOfEach(await places())) {
      const fault = refuses(subject, 429, { 'retry-after': '3600' });
      const { error, clock } = await readWithFault(at, fault, 'lasts', { deadline: hour / 2 });
      if (at.purpose === 'sign-in' || at.purpose === 'devices') {
        expect(error).toMatchObject({ code: 'throttled' });
      }
      expect(clock.elapsed(), nameOf(at)).toBeLessThanOrEqual(hour / 2);
    }
  });

  it('is not exceeded by a wait of the source itself', async () => {
    const { error, clock, reading } = await read({}, { deadline: 0 });
    if (error === undefined) {
      expect(idsIn(reading)).toEqual(idsOf(25));
    }
    expect(clock.waits).toEqual([]);
  });
}

/** Faults that are alike take turns: of the requests that each could meet, one meets every other, and the other the rest. */
type Turn = 0 | 1;

function takeTurn(places: readonly Place[], turn: Turn | undefined): readonly Place[] {
  const isWhole = isDeep || turn === undefined || places.length < 2;
  return isWhole ? places : places.filter((_, index) => index % 2 === turn);
}

/** This one request meets the fault, or with `lasts` every request of its method and path does. */
function injectFault(
  { place, occurrence }: Place,
  fault: Fault,
  lasts?: 'lasts',
): Required<Pick<PlatformOptions, 'interfere'>> {
  return {
    interfere: (request, count) =>
      placeOf(request) === place && (count === occurrence || lasts !== undefined) ? fault : undefined,
  };
}

/** Every request of this purpose meets the fault. */
function injectForPurpose(subject: SourceUnderTest, purpose: Purpose, fault: Fault): PlatformOptions {
  return { interfere: (request: PlatformRequest) => (subject.purposeOf(request) === purpose ? fault : undefined) };
}

function firstOfEach(places: readonly Place[]): readonly Place[] {
  return places.filter(({ occurrence }) => occurrence === 1);
}

function nameOf({ place, occurrence }: Place): string {
  return `${place}, time ${occurrence}`;
}

function idsIn({ devices }: SourceReading): string[] {
  return devices.map(({ id }) => id);
}

/** What may not depend on how often something had to be asked for. */
function pictureOf({ devices, groups, instrument, findings }: SourceReading) {
  return { devices, groups, instrument, findings };
}

const longestField = 1024;

/** Known fields: text that says something, within bounds, and times in one form. */
function expectKnown(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    expect(value, name).toEqual(expect.any(String));
    const text = String(value);
    expect(text.trim(), name).not.toBe('');
    expect(text.length, name).toBeLessThanOrEqual(longestField);
    expect(text.isWellFormed(), name).toBe(true);
    if (name === 'at' || name.endsWith('At')) {
      expect(new Date(text).toISOString(), name).toBe(text);
    }
  }
}
