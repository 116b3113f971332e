/**
 * What attempts that were not published read of the instruments, each below its own folder. No commit names these files,
 * so they only take proof away: readings that show an instrument sound are not among them.
 */
import * as v from 'valibot';
import type { SourceFacts } from '../../core/facts/facts.ts';
import type { InstrumentReading } from '../../core/source/instrument.ts';
import type { CurrentRun } from '../commits/commit.ts';
import { toAttemptFolder } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage, parseRecord, serializeRecord } from '../stored-json.ts';

export type KeptReading = InstrumentReading & Pick<SourceFacts, 'name' | 'kind'>;

const text = v.string();
const readingsSchema = v.object({
  schema: v.literal(1),
  readings: v.array(
    v.looseObject({
      name: text,
      kind: text,
      receipt: v.looseObject({ ended: text }),
      instrument: v.looseObject({ fingerprint: v.optional(text) }),
      findings: v.array(v.looseObject({ instrument: v.boolean(), result: text })),
    }),
  ),
});

/** The number says what stood when the attempt ended, so that a later one counts them once. */
function toReadingsFile({ commit }: CurrentRun): string {
  return `readings-${commit.number}.json`;
}

export async function keepReadings(
  store: Store,
  standing: CurrentRun,
  attempt: string,
  readings: readonly KeptReading[],
): Promise<void> {
  const key = `${toAttemptFolder(standing.commit.slot, attempt)}${toReadingsFile(standing)}`;
  const kept = readings.map(({ name, kind, instrument, findings, receipt: { ended } }) => ({
    name,
    kind,
    instrument,
    findings,
    receipt: { ended },
  }));
  await store.create(key, serializeRecord({ schema: 1, readings: kept }));
}

/** Readings of attempts that ended while this run stood, in their order. What is damaged is passed over. */
export async function readKeptReadings(store: Store, standing: CurrentRun): Promise<KeptReading[]> {
  const readings: KeptReading[] = [];
  for await (const key of store.list(`runs/${standing.commit.slot}/`)) {
    const body = key.endsWith(`/${toReadingsFile(standing)}`) ? await store.read(key) : undefined;
    const record = body && (await ignoreDamage(async () => parseRecord<unknown>(readingsSchema, body, key)));
    readings.push(...((record as { readings: KeptReading[] } | undefined)?.readings ?? []));
  }
  return readings;
}
