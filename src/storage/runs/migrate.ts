/**
 * Facts and states that earlier versions wrote, in today's shape. Schema 1 (Muster 0.1) hung the rules of a source on
 * its operating system, and a device's operating system on its source.
 */
import type { Facts } from '../../core/facts.ts';
import type { State } from '../../core/state.ts';

/** Of facts and states; they change together. */
export const currentSchema = 2;

/** Undefined where the value is none of the shapes that a version has written. */
export function migrateFacts(value: unknown): Facts | undefined {
  const facts = migrate(value, (source) => ({ devices: devicesWith(source.platform, source.devices) }));
  return facts as Facts | undefined;
}

/** Undefined where the value is none of the shapes that a version has written. */
export function migrateState(value: unknown): State | undefined {
  const state = migrate(value, ({ platform, baseline, departed }) => ({
    ...(isRecord(baseline) ? { baseline: { ...baseline, devices: knownWith(platform, baseline.devices) } } : {}),
    departed: knownWith(platform, departed),
  }));
  return state as State | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function migrate(value: unknown, rowsOf: (source: Fields) => Fields): object | undefined {
  if (!isRecord(value) || !Array.isArray(value.sources) || !value.sources.every(isRecord)) return undefined;
  if (value.schema === currentSchema) return value;
  if (value.schema !== 1) return undefined;
  const sources = value.sources.map((source: Fields) => {
    // Until schema 2 a source remembered its downloads.
    const { platform, downloads: _, ...rest } = source;
    return { ...rest, kind: kindsOfSchema1[String(platform)] ?? String(platform), ...rowsOf(source) };
  });
  return { ...value, schema: currentSchema, sources };
}

const kindsOfSchema1: Readonly<Record<string, string>> = { macos: 'jamf', windows: 'intune' };

function devicesWith(platform: unknown, devices: unknown): unknown[] {
  return recordsIn(devices).map(({ id, ...facts }) => ({ id, platform, ...facts }));
}

function knownWith(platform: unknown, devices: unknown): unknown[] {
  return recordsIn(devices).map((device) => ({ ...device, facts: devicesWith(platform, [device.facts])[0] }));
}

function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
