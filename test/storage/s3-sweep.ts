/** One fault at one request of one night in a bucket: what a reader sees then, and how the night ends. */
import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import type { Store } from '../../src/storage/store.ts';
import type { Scenario } from '../night/scenarios.ts';
import { countSight, type Sights } from '../night/sights.ts';
import { company } from '../night/small.ts';
import { type Fault, faults } from '../peers/s3/faults.ts';
import { type Call, type S3Peer, type Snapshot, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { sample } from '../sampling.ts';
import { damageIn } from './damage.ts';
import { copiesIn, look, type Seen } from './s3-reader.ts';

export const kinds = [
  'fail before',
  'fail after',
  'lost reply',
  'kill before',
  'kill after',
  'denied for ever',
  'rival',
] as const;
export type Kind = (typeof kinds)[number];

export interface Ended {
  readonly seen: Seen | undefined;
  readonly copies: Record<string, string>;
}

interface Swept {
  readonly faults: number;
  /** What a reader saw at the moment of the fault's end, before anything was run again. */
  readonly saw: Sights;
  readonly violations: readonly string[];
}

export const prefix = 'muster/prod/';
const once: Partial<Record<Kind, Fault>> = {
  'fail before': faults.failBefore,
  'fail after': faults.failAfter,
  'lost reply': faults.loseReply,
};

/** Names of attempts are drawn anew by every run. */
export const nameOf = ({ bucket, operation, key }: Call) =>
  `${operation} ${bucket}/${key.replace(/\d{8}T\d{9}Z-[0-9a-f]{8}/g, 'ATTEMPT')}`;

/** What is done to one table, channel or message is done to every other by the same lines. */
export function toShape(name: string): string {
  return name.replace(/(devices|coverage)(?=[./])/g, 'TABLE').replace(/(one|two)-\d+/g, 'MESSAGE');
}

/** A scenario at the moment before its night, in a bucket that can be put back to it. */
export interface Stage {
  readonly scenario: Scenario;
  readonly peer: S3Peer;
  readonly template: Snapshot;
  /** What a reader sees before the night. */
  readonly before: Seen | undefined;
  /** The requests of the night when nothing disturbs it. */
  readonly requests: readonly Call[];
  /** How it ends then. */
  readonly ended: Ended;
  act(): Promise<RunOutcome>;
}

export async function openStage(scenario: Scenario): Promise<Stage> {
  const peer = await startS3Peer({ buckets: ['reports'] });
  const made = company();
  // One client for all: a new one for every fault would take most of the time.
  const store = storeOf(peer, { client: clientOf(peer) });
  const act = () => scenario.act(store, made);
  await scenario.prepare(store, made);
  const template = peer.snapshot();
  const before = look(peer.objects(), prefix);
  const requests = await requestsOf(peer, act);
  return { scenario, peer, template, before, requests, ended: endedIn(peer.objects(), prefix), act };
}

export function endedIn(objects: ReadonlyMap<string, Buffer>, below: string): Ended {
  return { seen: look(objects, below), copies: copiesIn(objects, below) };
}

/** `wanted` is how the same night ends in a folder. */
export async function sweep(
  { scenario, peer, template, before, requests, act }: Stage,
  wanted: Ended,
  kind: Kind,
  isSwept: (call: Call) => boolean,
): Promise<Swept> {
  const saw = { nothing: 0, before: 0, after: 0 };
  const violations: string[] = [];
  const points = choosePoints(requests, kind, isSwept);
  for (const [index, call] of points) {
    const problem = (what: string) =>
      violations.push(`${scenario.name}, ${kind} at request ${index + 1} (${call.operation} ${call.key}): ${what}`);
    peer.restore(template);
    try {
      const fault = faultAt(peer, kind, index + 1, act);
      const outcome = await act().catch((error: unknown) => error);
      peer.setFault(undefined);
      checkOutcome(kind, call, outcome, fault.rival(), scenario, problem);
      const seen = look(peer.objects(), prefix);
      countSight(saw, { seen, before, wanted: wanted.seen?.reports }, problem);
      if (!isOutcome(outcome) || outcome.unfinished) {
        const again = await act();
        if (again.exit !== scenario.exit) {
          problem(`run again it ended ${again.did} with ${again.exit}`);
        }
      }
      await checkEnd(peer, wanted, before, problem);
    } catch (error) {
      problem(String(error));
    }
  }
  return { faults: points.length, saw, violations };
}

/** The first and the last request before the commit, the commit itself, one in the midst of what follows it, and the last. */
function choosePoints(
  requests: readonly Call[],
  kind: Kind,
  isSwept: (call: Call) => boolean,
): readonly (readonly [index: number, call: Call])[] {
  const shapes = new Set<string>();
  const swept = [...requests.entries()].filter(([, call]) => {
    const shape = toShape(nameOf(call));
    // Where a run ends matters at every request; one request that fails, at one of each shape.
    const isRepeated = once[kind] !== undefined && shapes.has(shape);
    shapes.add(shape);
    return isSwept(call) && !isRepeated;
  });
  const commit = swept.findIndex(([, { operation, key }]) => operation === 'PutObject' && key.includes('/commits/'));
  return [...sample(swept.slice(0, commit), 2), ...sample(swept.slice(commit), 2)];
}

/** The first call of every request that an undisturbed night makes. */
async function requestsOf(peer: S3Peer, act: () => Promise<RunOutcome>): Promise<Call[]> {
  const requests: Call[] = [];
  peer.setFault((call) => {
    requests.push(call);
    return undefined;
  });
  await act();
  peer.setFault(undefined);
  return requests;
}

export function faultAt(
  peer: S3Peer,
  kind: Kind,
  at: number,
  act: () => Promise<RunOutcome>,
): { rival(): RunOutcome | undefined } {
  let seen = 0;
  let isAway = false;
  let rival: RunOutcome | undefined;
  peer.setFault(async () => {
    if (isAway) {
      return undefined;
    }
    seen += 1;
    if (seen < at) {
      return undefined;
    }
    if (kind === 'denied for ever') {
      return faults.deny;
    }
    if (kind === 'kill before') {
      return faults.cut;
    }
    if (kind === 'kill after') {
      return seen === at ? faults.loseReply : faults.cut;
    }
    if (seen > at) {
      return undefined;
    }
    if (kind !== 'rival') {
      return once[kind];
    }
    isAway = true;
    rival = await act();
    isAway = false;
    return undefined;
  });
  return { rival: () => rival };
}

function checkOutcome(
  kind: Kind,
  call: Call,
  outcome: unknown,
  rival: RunOutcome | undefined,
  scenario: Scenario,
  problem: (what: string) => void,
): void {
  if (kind === 'rival') {
    const both = [outcome, rival].map((one) => (isOutcome(one) ? one.did : String(one)));
    if (both.filter((did) => did === 'published').length !== 1) {
      problem(`the two ended ${both.join(' and ')}`);
    }
    if (!both.every((did) => ['published', 'superseded', 'unchanged'].includes(did))) {
      problem(both.join(', '));
    }
  } else if (once[kind]) {
    if (!isOutcome(outcome) || outcome.did !== 'published' || outcome.exit !== scenario.exit) {
      problem(`it ended with ${isOutcome(outcome) ? outcome.did : String(outcome)}`);
    }
  } else {
    // Once its commit is there the night stands, and only tells what it could not finish; of the commit itself none knows.
    const told = isOutcome(outcome) ? outcome.unfinished?.[0] : outcome;
    const isUnknown = isOfCode(told, 'publication-unknown') && call.key.includes('/commits/');
    if (!isUnknown && !isUnreachable(told)) {
      problem(`it told ${JSON.stringify(told)}`);
    } else if (kind === 'denied for ever' && isUnreachable(told) && !told.message.includes(call.action)) {
      problem(`it told ${told.message}`);
    }
  }
}

function isUnreachable(told: unknown): told is { readonly message: string } {
  return isOfCode(told, 'store-unreachable');
}

function isOfCode(told: unknown, code: ErrorCode): boolean {
  return typeof told === 'object' && told !== null && 'code' in told && told.code === code;
}

export async function checkEnd(
  peer: S3Peer,
  wanted: Ended,
  before: Seen | undefined,
  problem: (what: string) => void,
): Promise<void> {
  const objects = peer.objects();
  const seen = look(objects, prefix);
  if (!isDeepStrictEqual(seen?.reports, wanted.seen?.reports)) {
    problem('the tables are others');
  }
  if (seen?.number !== (before?.number ?? 0) + 1) {
    problem(`it was published as number ${seen?.number}`);
  }
  if (!isDeepStrictEqual(copiesIn(objects, prefix), wanted.copies)) {
    problem('the copies are others');
  }
  if (peer.bucket().uploads.size > 0) {
    problem('parts were left behind');
  }
  for (const damage of await damageIn(heldStore(objects))) {
    problem(damage);
  }
}

function isOutcome(outcome: unknown): outcome is RunOutcome {
  return typeof outcome === 'object' && outcome !== null && 'did' in outcome;
}

/** As much of a store as verification reads, straight from memory. */
export function heldStore(objects: ReadonlyMap<string, Buffer>): Store {
  const at = (key: string) => objects.get(`${prefix}${key}`);
  const refuse = () => Promise.reject(new Error('Verification writes nothing.'));
  return {
    ...{ name: 'the bucket', create: refuse, put: refuse, copy: refuse, remove: refuse },
    probe: async () => undefined,
    read: async (key) => at(key),
    async *stream(key) {
      const body = at(key);
      if (body === undefined) {
        throw new MusterError('store-damaged', `${key} is missing.`);
      }
      yield body;
    },
    digest: async (key) => {
      const body = at(key);
      return body && computeSha256(body);
    },
    async *list(start, after = '') {
      for (const key of objects.keys()) {
        if (key.startsWith(`${prefix}${start}`) && key > `${prefix}${after}`) {
          yield key.slice(prefix.length);
        }
      }
    },
  };
}
