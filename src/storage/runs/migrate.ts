/**
 * Facts and states that earlier versions wrote, in today's shape. Schema 1 (Muster 0.1) hung the rules of a source on
 * its operating system, and a device's operating system on its source.
 */
import type { Facts } from '../../core/facts.ts';
import type { ProvisionalHistory, State } from '../../core/state.ts';
import { isRecord } from '../../is-record.ts';

/** Of facts and states; they change together. */
export const currentSchema = 2;

/** Undefined where the value is none of the shapes that a version has written. */
export function migrateFacts(value: unknown): Facts | undefined {
  const facts = migrateSources(value, (source) => ({ devices: addPlatform(source.platform, source.devices) }));
  return facts as Facts | undefined;
}

/** Undefined where the value is none of the shapes that a version has written. */
export function migrateState(value: unknown): State | undefined {
  const slot = isRecord(value) ? String(value.slot) : '';
  const state = migrateSources(value, ({ platform, baseline, departed, provisional, ...source }) => ({
    instrumentMemory: migrateInstrumentMemory(source, slot),
    instrument: undefined,
    ...(isRecord(baseline)
      ? { baseline: { ...baseline, devices: addPlatformToBaseline(platform, baseline.devices) } }
      : {}),
    departed: addPlatformToBaseline(platform, departed),
    provisional: migrateProvisional(provisional),
  }));
  return state as State | undefined;
}

/** Until schema 2 each device had the slot since which such nights had shown it Not Installed. */
function migrateProvisional(provisional: unknown): ProvisionalHistory {
  const entries = listRecords(provisional).map(({ id, since }) => ({ id: String(id), since: String(since) }));
  const slots = [...new Set(entries.map(({ since }) => since))].sort();
  return {
    nights: slots.map((slot) => ({ slot, soundness: 'untrusted' })),
    devices: entries.map(({ id, since }) => ({
      id,
      shown: slots.map((slot) => (slot < since ? '-' : 'N')).join(''),
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

function migrateSources(value: unknown, rowsOf: (source: StoredFields) => StoredFields): object | undefined {
  if (!isRecord(value) || !Array.isArray(value.sources) || !value.sources.every(isRecord)) {
    return undefined;
  }
  if (value.schema === currentSchema) {
    return value;
  }
  if (value.schema !== 1) {
    return undefined;
  }
  const sources = value.sources.map((source: StoredFields) => {
    // Until schema 2 a source remembered its downloads.
    const { platform, downloads: _, untrusted: __, soundAgainAt: ___, ...rest } = source;
    return { ...rest, kind: kindsByPlatform[String(platform)] ?? String(platform), ...rowsOf(source) };
  });
  return { ...value, schema: currentSchema, sources };
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
