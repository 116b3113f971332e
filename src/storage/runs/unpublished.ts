/**
 * Instrument readings of attempts that were not published, in each attempt's own folder. No commit names these files,
 * so that they may only remove proof: sound readings are not among them.
 */
import * as v from 'valibot';
import { type ErrorCode, MusterError } from '../../base/errors.ts';
import type { SourceFacts } from '../../core/facts/facts.ts';
import type { InstrumentReading } from '../../core/source/instrument.ts';
import type { PublishedRun } from '../commits/commit.ts';
import { toAttemptFolder } from '../keys.ts';
import type { Store } from '../store.ts';
import { parseRecord, serializeRecord } from '../stored-json.ts';
import { type ReportIgnored, readUnnamedFile, unnamedFileAdvice, warnOfIgnored } from '../unnamed-files.ts';

export type KeptReading = InstrumentReading & Pick<SourceFacts, 'name' | 'kind'>;

/** Limits: honest attempts leave a handful at one run, and all that is read becomes facts of the next run. */
const maximumFiles = 100;
const maximumReadings = 1000;
const longestText = 1000;

const text = v.pipe(v.string(), v.maxLength(longestText));
const readingsSchema = v.object({
  schema: v.literal(1),
  readings: v.pipe(
    v.array(
      v.looseObject({
        name: text,
        kind: text,
        receipt: v.looseObject({ ended: text }),
        instrument: v.looseObject({ fingerprint: v.optional(text) }),
        findings: v.array(v.looseObject({ instrument: v.boolean(), result: text })),
      }),
    ),
    v.maxLength(maximumReadings),
  ),
});

/** The file name has the number of the head when the attempt ended, so that later runs count it only once. */
function toReadingsFile({ commit }: PublishedRun): string {
  return `readings-${commit.number}.json`;
}

export async function keepReadings(
  store: Store,
  current: PublishedRun,
  attempt: string,
  readings: readonly KeptReading[],
): Promise<void> {
  const key = `${toAttemptFolder(current.commit.slot, attempt)}${toReadingsFile(current)}`;
  const kept = readings.map(({ name, kind, instrument, findings, receipt: { ended } }) => ({
    name,
    kind,
    instrument,
    findings,
    receipt: { ended },
  }));
  await store.create(key, serializeRecord({ schema: 1, readings: kept }));
}

/**
 * Readings of attempts that ended while this run was the head, in the order of their keys. Anybody may have put such
 * files there, so that damaged, too large and too many ones are skipped and reported.
 */
export async function readKeptReadings(
  store: Store,
  current: PublishedRun,
  report: ReportIgnored = warnOfIgnored,
): Promise<KeptReading[]> {
  const readings: KeptReading[] = [];
  const folder = `runs/${current.commit.slot}/`;
  let files = 0;
  for await (const key of store.list(folder)) {
    if (!key.endsWith(`/${toReadingsFile(current)}`)) {
      continue;
    }
    files += 1;
    if (files > maximumFiles) {
      const why = `Below ${folder} are more than ${maximumFiles} such files, of which no more are read.`;
      report(createIgnoredError('store-damaged', key, why));
      break;
    }
    readings.push(...((await readReadings(store, key, report)) ?? []));
    if (readings.length > maximumReadings) {
      const why = `Below ${folder} are more than ${maximumReadings} readings, of which no more are read.`;
      report(createIgnoredError('store-damaged', key, why));
      return readings.slice(0, maximumReadings);
    }
  }
  return readings;
}

/** Sentences about the readings among these keys, which no commit names, for people who verify a store. */
export async function describeKeptReadings(
  store: Store,
  keys: readonly string[],
  commits: ReadonlyMap<number, PublishedRun>,
): Promise<string[]> {
  const sentences: string[] = [];
  const report = ({ message }: MusterError) => sentences.push(message);
  for (const key of keys) {
    const [, slot, number] = /^runs\/([^/]+)\/.*\/readings-([^/]*)\.json$/.exec(key) ?? [];
    if (slot === undefined) {
      continue;
    }
    const run = commits.get(Number(number));
    if (run?.commit.slot !== slot || !key.endsWith(`/${toReadingsFile(run)}`)) {
      report(createIgnoredError('store-damaged', key, `No run of ${slot} has that number.`));
    } else if ((await readReadings(store, key, report)) !== undefined) {
      const what = 'what it saw of detection methods can only take proof away';
      sentences.push(`${key} is of an attempt that was not published: ${what}. ${unnamedFileAdvice}`);
    }
  }
  return sentences;
}

/** Undefined where the file cannot be read, which is reported. */
function readReadings(store: Store, key: string, report: ReportIgnored): Promise<readonly KeptReading[] | undefined> {
  return readUnnamedFile(
    async () => {
      const body = await store.read(key);
      const record = body && (parseRecord<unknown>(readingsSchema, body, key) as { readings: KeptReading[] });
      return record?.readings;
    },
    (code, why) => report(createIgnoredError(code, key, why)),
  );
}

function createIgnoredError(code: ErrorCode, key: string, why: string): MusterError {
  return new MusterError(code, `${key} is ignored, which no commit names. ${why} ${unnamedFileAdvice}`);
}
