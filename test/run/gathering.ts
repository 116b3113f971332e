/** Sources that answer as a test says, and a gathering from them. */
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Clock } from '../../src/http/clock.ts';
import { type GatherOptions, gather, type RunContext } from '../../src/run/gather.ts';
import type { ReadContext, Source, SourceReading } from '../../src/sources/source.ts';
import { at, makeFacts } from '../core/make-facts.ts';

/** A clock that stands still but for a second each time it is read. */
function makeClock(): Clock {
  let reads = 0;
  return {
    now: () => new Date(Date.parse(at(1)) + 1000 * reads++),
    elapsed: () => 1000 * reads,
    sleep: async () => {},
  };
}

export function makeSource(
  name: string,
  read: (ask: ReadContext, sheet: SourceReading) => Promise<void> | void,
): Source {
  const kind = name.startsWith('mac') ? 'jamf' : 'intune';
  return { name, kind, read: async (ask, sheet) => read(ask, sheet) };
}

export function makeList(name: string, ...devices: DeviceFacts[]): Source {
  return makeSource(name, (_, sheet) => {
    sheet.devices = devices;
    sheet.receipt.received = devices.length;
  });
}

export function makeGathering(sources: Source[], changes: Partial<GatherOptions> = {}): GatherOptions {
  return {
    sources,
    privacy: { users: 'show' },
    clock: makeClock(),
    patience: 600_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

const { sources: _none, schema: _schema, ...context } = makeFacts(1);
export const frame = context;

/** The facts of a first run. */
export function gatherFrom(
  sources: Source[],
  changes: Partial<GatherOptions> = {},
  context: RunContext = frame,
  answered: SourceFacts[] = [],
) {
  return gather(makeGathering(sources, changes), context, { answered });
}
