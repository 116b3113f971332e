/**
 * Facts and states that earlier versions wrote, in today's shape. Schema 1 (Muster 0.1) hung the rules of a source on
 * its operating system, and a device's operating system on its source. States of schema 1 and 2 were one JSON text.
 */
import type { Facts } from '../../core/facts.ts';
import { noProvisionalNights } from '../../core/provisional.ts';
import type { ProvisionalHistory, State } from '../../core/state.ts';
import { isRecord } from '../../is-record.ts';

export const factsSchema = 2;
export const stateSchema = 3;

/** Undefined where the value is none of the shapes that a version has written. */
export function migrateFacts(value: unknown): Facts | undefined {
  if (!hasSources(value)) {
    return undefined;
  }
  switch (value.schema) {
    case factsSchema:
      return value as unknown as Facts;
    case 1:
      return {
        ...value,
        schema: factsSchema,
        sources: value.sources.map((source) =>
          migrateSource(source, { devices: addPlatform(source.platform, source.devices) }),
        ),
      } as unknown as Facts;
    default:
      return undefined;
  }
}

/** Of a state that is one JSON text. Undefined where the value is none of the shapes that a version has written. */
export function migrateState(value: unknown): State | undefined {
  if (!hasSources(value)) {
    return undefined;
  }
  switch (value.schema) {
    case 2:
      return {
        ...value,
        schema: stateSchema,
        sources: value.sources.map(({ provisional, ...source }) => ({
          ...source,
          provisional: migrateProvisional(provisional),
        })),
      } as unknown as State;
    case 1: {
      const slot = String(value.slot);
      const sources = value.sources.map((source) => migrateSource(source, migrateSourceState(source, slot)));
      return { ...value, schema: stateSchema, sources } as unknown as State;
    }
    default:
      return undefined;
  }
}

function migrateSourceState(
  { platform, baseline, departed, provisional, ...source }: StoredFields,
  slot: string,
): StoredFields {
  return {
    instrumentMemory: migrateInstrumentMemory(source, slot),
    instrument: undefined,
    ...(isRecord(baseline)
      ? { baseline: { ...baseline, devices: addPlatformToBaseline(platform, baseline.devices) } }
      : {}),
    departed: addPlatformToBaseline(platform, departed),
    provisional: migrateProvisional(provisional),
  };
}

/** Until schema 3 a device had the slot since which such nights had shown it Not Installed, and whether one had not. */
function migrateProvisional(provisional: unknown): ProvisionalHistory {
  const entries = listRecords(provisional);
  if (entries.length === 0) {
    return noProvisionalNights;
  }
  const slots = [...new Set(entries.flatMap(({ since }) => (since === undefined ? [] : String(since))))].sort();
  return {
    // A night before them stands for those that showed a device Installed.
    nights: [{ slot: '', soundness: 'suspect' }, ...slots.map((slot) => ({ slot, soundness: 'untrusted' as const }))],
    devices: entries.map(({ id, since, wasInstalled }) => ({
      id: String(id),
      shown: [
        wasInstalled === true ? 'I' : '-',
        ...slots.map((slot) => (since === undefined || slot < String(since) ? '-' : 'N')),
      ].join(''),
    })),
  };
}

/** Until schema 2 only whole nights were remembered, and only whether they were untrusted. */
function migrateInstrumentMemory({ untrusted, soundAgainAt, instrument }: StoredFields, slot: string) {
  return {
    ...(isRecord(instrument) ? { last: { ...instrument, readAt: `${instrument.since}T23:59:59.000Z` } } : {}),
    ...(untrusted === true ? { broken: { since: `${slot}T00:00:00.000Z` } } : {}),
    ...(soundAgainAt === undefined ? {} : { repairedAt: soundAgainAt }),
  };
}

type StoredFields = Readonly<Record<string, unknown>>;

export function hasSources(value: unknown): value is StoredFields & { readonly sources: readonly StoredFields[] } {
  return isRecord(value) && Array.isArray(value.sources) && value.sources.every(isRecord);
}

function migrateSource(source: StoredFields, rows: StoredFields): StoredFields {
  // Until schema 2 a source remembered its downloads.
  const { platform, downloads: _, untrusted: __, soundAgainAt: ___, ...rest } = source;
  return { ...rest, kind: kindsByPlatform[String(platform)] ?? String(platform), ...rows };
}

const kindsByPlatform: Readonly<Record<string, string>> = { macos: 'jamf', windows: 'intune' };

function addPlatform(platform: unknown, devices: unknown): unknown[] {
  return listRecords(devices).map(({ id, ...facts }) => ({ id, platform, ...facts }));
}

function addPlatformToBaseline(platform: unknown, devices: unknown): unknown[] {
  return listRecords(devices).map((device) => ({ ...device, facts: addPlatform(platform, [device.facts])[0] }));
}

function listRecords(value: unknown): StoredFields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
