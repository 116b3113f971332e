/**
 * A platform on loopback for the contract of sources: it answers as a description says, unless a test interferes, and
 * every reading of it is searched for what no reading may do.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { MusterError } from '../../src/base/errors.ts';
import { composeParts } from '../../src/compose/parts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import type { AnySourceKind, SourceSettings } from '../../src/compose/source-kinds.ts';
import { compareCodePoints } from '../../src/core/text/order.ts';
import { WaitBudget } from '../../src/http/wait-budget.ts';
import type { Environment } from '../../src/settings/tenants.ts';
import type { Progress, ReadContext, SourceReading } from '../../src/sources/source.ts';
import { type FakeClock, fakeClock, loopback } from '../http/loopback.ts';
import { hangLimit } from '../limits.ts';
import { createEmptyReading } from '../sources/empty-reading.ts';

/** What it takes to hold a kind of source to the contract. */
export interface SourceUnderTest {
  readonly kind: AnySourceKind;
  /** The settings of a source that asks `origin` for everything. */
  settings(origin: string): SourceSettings;
  /** The variables that they refer to. */
  readonly environment: Environment;
  /** What its checks compare with. */
  readonly deployment?: object;
  /** The token that it is given, where it does not sign in for one. */
  readonly token?: string;
  /** The platform in good health. */
  answer(request: PlatformRequest, state: PlatformState): PlatformReply;
  /** A refusal in the platform's words, with `planted` wherever a source might be tempted to repeat it. */
  refuse(request: PlatformRequest, status: number, planted: string): PlatformReply;
  purposeOf(request: PlatformRequest): Purpose;
  /** The id that the platform gives to its device of this number. */
  deviceId(number: number): string;
  /** That device as the platform lists it, with every field that it may leave unsaid passed through `field`. */
  device(number: number, field: (usual: string) => unknown): Record<string, unknown>;
  /** What no reading may repeat: credentials, and keys that administrators have put into what is read. */
  readonly secrets: readonly string[];
  /** Most requests that may be under way at once. */
  readonly requestsAtOnce: number;
}

/**
 * `devices` is a page of the device list. `download` is an address that needs no credential, and must be given none.
 */
export type Purpose = 'sign-in' | 'devices' | 'download' | 'other';

export interface PlatformRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly authorization: string | undefined;
}

export interface PlatformReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Anything but text and bytes is sent as JSON. */
  readonly body: unknown;
}

/** What the platform knows; one object for as long as it is there. */
export interface PlatformState {
  /** The rows of its device list, in the order in which it lists them. */
  readonly devices: readonly Record<string, unknown>[];
  /** How many devices it says there are; undefined where it does not say. */
  readonly claimed: number | undefined;
  /** How many devices it puts on one page at most. */
  readonly pageSize: number;
  /** Where the links lead that it names. */
  readonly linkOrigin: string;
  /** What it gives to whoever signs in now. */
  readonly token: string;
}

/** Does something to a request in place of its answer. */
export type Fault = (exchange: Exchange) => void;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly request: PlatformRequest;
  /** What the platform would have answered. */
  readonly answer: PlatformReply;
}

export interface PlatformOptions {
  readonly devices?: readonly Record<string, unknown>[];
  readonly claimed?: number | 'unsaid';
  readonly pageSize?: number;
  readonly linkOrigin?: string;
  /** The fault that a request meets; `occurrence` counts the requests of its method and path from 1. */
  readonly interfere?: (request: PlatformRequest, occurrence: number) => Fault | undefined;
  /** Milliseconds. */
  readonly silence?: number;
}

export interface Outcome {
  readonly error: unknown;
  readonly reading: SourceReading;
  readonly steps: readonly Progress[];
  readonly requests: readonly PlatformRequest[];
  readonly clock: FakeClock;
  readonly mostAtOnce: number;
  /** How many requests met a fault. */
  readonly faults: number;
}

export type ReadOptions = Partial<Pick<ReadContext, 'signal' | 'deadline' | 'clock'>>;

interface Platform {
  read(options?: ReadOptions): Promise<Outcome>;
  close(): Promise<void>;
}

/** Stands in refusals and error pages; so short that a parser's excerpt of the page would hold it. */
export const planted = 'canary-9';
const tokenPrefix = 'token-canary-';

export function usualDevices(subject: SourceUnderTest, count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => subject.device(index + 1, (usual) => usual));
}

export async function openPlatform(subject: SourceUnderTest, options: PlatformOptions): Promise<Platform> {
  const devices = options.devices ?? usualDevices(subject, 25);
  const requests: PlatformRequest[] = [];
  const tokens = new Set(subject.token === undefined ? [] : [subject.token]);
  let issued = 0;
  let faults = 0;
  let underWay = 0;
  let mostAtOnce = 0;

  const server = await loopback(async (incoming, response) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    const request = await received(incoming);
    requests.push(request);
    const occurrence = requests.filter((other) => placeOf(other) === placeOf(request)).length;
    const fault = options.interfere?.(request, occurrence);
    if (fault !== undefined) {
      faults += 1;
    }
    (fault ?? sendAnswer)({ incoming, response, request, answer: answerTo(request) });
  });

  function answerTo(request: PlatformRequest): PlatformReply {
    const purpose = subject.purposeOf(request);
    if (purpose === 'sign-in') {
      tokens.add(`${tokenPrefix}${++issued}`);
    } else if (purpose !== 'download' && !tokens.has(request.authorization?.replace('Bearer ', '') ?? '')) {
      return subject.refuse(request, 401, planted);
    }
    return subject.answer(request, state);
  }

  const state: PlatformState = {
    devices,
    claimed: options.claimed === 'unsaid' ? undefined : (options.claimed ?? devices.length),
    pageSize: options.pageSize ?? 10,
    linkOrigin: options.linkOrigin ?? server.origin,
    get token() {
      return `${tokenPrefix}${issued}`;
    },
  };

  const source = await openSource(subject, server.origin, options.silence ?? hangLimit);
  return {
    async read(readOptions = {}) {
      const reading = createEmptyReading();
      const steps: Progress[] = [];
      const clock = fakeClock();
      const before = requests.length;
      const signal = readOptions.signal ?? new AbortController().signal;
      const progress = (step: Progress) => void steps.push(step);
      const slot = { slot: '2026-11-20', moment: clock.now() };
      // As patient as a night is without a word in the settings.
      const { deadline } = readOptions;
      const patience = new WaitBudget({ clock: readOptions.clock ?? clock, limit: 10 * 60_000, deadline });
      const context = { ...slot, clock, patience, remembered: {}, progress, ...readOptions, signal };
      const error: unknown = await source.read(context, reading).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      const outcome = { error, reading, steps, requests: requests.slice(before), clock, mostAtOnce, faults };
      await expectNothingGoesOn(
        () => [steps.length, JSON.stringify(reading)],
        () => requests.length,
      );
      expectSound(subject, outcome, signal);
      return outcome;
    },
    close: () => server.close(),
  };
}

/** As a run opens it, from its settings; it gives up after `idle` milliseconds without a byte. */
async function openSource({ kind, environment, ...subject }: SourceUnderTest, origin: string, idle: number) {
  const { deployment = {} } = subject;
  const yaml = stringify({ sources: [subject.settings(origin)], store: './kept', deployment });
  const { settings, problems } = readSettings(yaml, environment, { kinds: [kind] });
  expect(problems).toEqual([]);
  const secret = createSecretReader(environment);
  const run = { secret, folder: '.', clock: fakeClock(), signal: new AbortController().signal, deadline: 0 };
  const parts = settings && (await composeParts(settings, { ...run, idle, kinds: [kind] }));
  const [source] = parts?.sources ?? [];
  if (source === undefined) {
    throw new Error(`The kind ${kind.kind} opened no source.`);
  }
  return source;
}

async function received(incoming: IncomingMessage): Promise<PlatformRequest> {
  const { method = '', headers } = incoming;
  const url = new URL(incoming.url ?? '/', 'http://platform.example.com');
  // Whoever stops may break off what they were saying.
  const body = await text(incoming).catch(() => '');
  return { method, path: decodeURIComponent(url.pathname), url, headers, body, authorization: headers.authorization };
}

export function placeOf({ method, path }: PlatformRequest): string {
  return `${method} ${path}`;
}

export const sendAnswer: Fault = ({ response, answer }) => send(response, answer);

export function send(response: ServerResponse, reply: PlatformReply): void {
  response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(bytesOf(reply));
}

export function bytesOf({ body }: PlatformReply): Buffer {
  if (Buffer.isBuffer(body)) {
    return body;
  }
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A reading is over when it says so: nothing is reported, written down or asked after it. */
async function expectNothingGoesOn(said: () => unknown, asked: () => number): Promise<void> {
  const atEnd = said();
  // What was given up may have been on its way, also on a machine with other work.
  await turns(100);
  const arrived = asked();
  await turns(20);
  expect(said()).toEqual(atEnd);
  expect(asked()).toBe(arrived);
}

/** Lets everything happen that can. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await setImmediate();
  }
}

/** What holds for every reading, whatever it met. */
function expectSound(subject: SourceUnderTest, outcome: Outcome, signal: AbortSignal): void {
  const { error, reading, requests } = outcome;
  if (error !== undefined && signal.aborted) {
    expect(error).toBe(signal.reason);
  } else if (error !== undefined) {
    expect(error, inspect(error)).toBeInstanceOf(MusterError);
    expect(error).not.toMatchObject({ code: 'unexpected' });
  }
  expectNoSecret(subject, outcome);
  for (const request of requests) {
    expectCredentialsInPlace(subject, request);
  }

  const ids = reading.devices.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted(compareCodePoints));
  if (error !== undefined) {
    return;
  }
  const { claimed, received } = reading.receipt;
  expect(received).toBeGreaterThanOrEqual(Math.max(ids.length, claimed ?? 0));
}

/** Searches everything that comes out of a reading, errors with their causes and hidden fields included. */
function expectNoSecret(subject: SourceUnderTest, { error, reading, steps }: Outcome): void {
  const everything = { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null };
  const shown = [inspect(error, everything), JSON.stringify(reading), JSON.stringify(steps)];
  for (const secret of [...subject.secrets, planted, tokenPrefix]) {
    expect(shown.filter((text) => text.includes(secret))).toEqual([]);
  }
}

/** Secrets go to the sign-in alone, and tokens into the header alone: addresses end up in other people's logs. */
function expectCredentialsInPlace(subject: SourceUnderTest, request: PlatformRequest): void {
  const purpose = subject.purposeOf(request);
  const address = request.url.href;
  const elsewhere = purpose === 'sign-in' ? address : `${address} ${request.body} ${request.authorization}`;
  for (const secret of subject.secrets) {
    expect(secret === subject.token ? `${address} ${request.body}` : elsewhere).not.toContain(secret);
  }
  expect(`${address} ${request.body}`).not.toContain(tokenPrefix);
  if (purpose === 'download') {
    expect(request.authorization).toBeUndefined();
  }
}
