/** `events.json`: the events of a run and their channels, as data without rendered text. */

import * as v from 'valibot';
import { isRecord } from '../../base/is-record.ts';
import type { AlertDetails, AlertEvent } from '../../core/facts/alert-event.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { Coverage } from '../../core/facts/state.ts';
import { type UnprovenBecause, unprovenReasons } from '../../core/facts/vocabulary.ts';
import type { UnprovenCause } from '../../core/source/certainty.ts';
import type { CountedFigures } from '../../core/source/coverage.ts';
import type { PublishedRun } from '../commits/commit.ts';
import type { Store } from '../store.ts';
import { keyPartSchema, parseRecord } from '../stored-json.ts';
import { readRunFile } from './run-files.ts';

export const eventsFile = 'events.json';

/** Figures of all devices, or of those that a channel asks for. */
export interface ScopeFigures {
  readonly figures: CountedFigures & {
    readonly soundness: Coverage['soundness'];
    /** Phrase for the devices that the figures count, if not all: ` of Berlin`. */
    readonly where?: string;
    readonly unproven?: readonly UnprovenCause[];
  };
  /** Devices that are overdue in this run; missing where there are none. */
  readonly overdue?: AlertDetails;
}

export interface ListedChannel {
  readonly name: string;
  /** A hash of the channel's address, so that messages never go to another address. */
  readonly address?: string;
  /** The number of the first commit that it receives. */
  readonly from: number;
  /** Set where it asks for some sources or places only. */
  readonly scope?: ScopeFigures;
}

export interface RunEvents extends ScopeFigures, Pick<Night, 'agent' | 'slot' | 'later'> {
  /** Differences between its figures and the baselines'. */
  readonly difference?: NonNullable<Night['difference']>;
  readonly events: readonly AlertEvent[];
  readonly channels: readonly ListedChannel[];
}

const unprovenWords = Object.keys(unprovenReasons) as readonly UnprovenBecause[];
const text = v.string();
const number = v.pipe(v.number(), v.integer(), v.minValue(1));
const amount = v.pipe(v.number(), v.finite());

const event = v.looseObject({ kind: text, key: text, phase: text, slot: text, since: text, opened: v.number() });
const scopeEntries = {
  figures: v.looseObject({
    counted: amount,
    installed: amount,
    notInstalled: amount,
    provenInstalled: amount,
    provenNotInstalled: amount,
    soundness: text,
    where: v.exactOptional(text),
    unproven: v.exactOptional(v.array(v.looseObject({ because: v.picklist(unprovenWords), devices: amount }))),
  }),
  overdue: v.exactOptional(v.custom<AlertDetails>(isRecord)),
};

const eventsSchema = v.looseObject({
  agent: text,
  slot: text,
  events: v.array(event),
  channels: v.array(
    v.looseObject({
      name: keyPartSchema,
      address: v.exactOptional(text),
      from: number,
      scope: v.exactOptional(v.looseObject(scopeEntries)),
    }),
  ),
  ...scopeEntries,
  difference: v.exactOptional(
    v.looseObject({ from: text, coverage: amount, shares: v.array(v.looseObject({ kind: text })) }),
  ),
  later: v.array(v.looseObject({ kind: text, why: text, devices: amount })),
});

export function serializeEvents(events: RunEvents): Buffer {
  return Buffer.from(`${JSON.stringify({ schema: 1, ...events })}\n`);
}

export function parseEvents(body: Buffer, where: string): RunEvents {
  // The commit names these bytes by their hash, so that a field of the right type is what Muster wrote there.
  return parseRecord<unknown>(eventsSchema, body, where) as RunEvents;
}

export async function readRunEvents(store: Store, run: PublishedRun): Promise<RunEvents> {
  const { key, body } = await readRunFile(store, run, eventsFile);
  return parseEvents(body, key);
}
