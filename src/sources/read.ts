/** Small readers of `unknown`: tolerant of nulls and strangers, since servers add fields without notice. */

export function readRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const longestField = 1024;

/** An id as text; some answers give it as a number. One beyond all bounds is none: cut, it might be another's. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return String(value);
  }
  return typeof value === 'string' && value !== '' && value.length <= longestField ? value : undefined;
}

/** Text as facts keep it: bounded and well-formed. */
export function boundText(value: string): string {
  return value.slice(0, longestField).toWellFormed();
}

/** A field's text; empty means not known. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? boundText(value) : undefined;
}

/** The fields that are known: "did not say" is a field's absence. */
export function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
