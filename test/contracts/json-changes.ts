/** Changes to what a JSON answer says: fields added everywhere, and each value in turn made another type. */

type JsonObject = Record<string, unknown>;

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every object of an answer, however deep, changed. */
export function changeEachObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => changeEachObject(item, change));
  }
  if (!isRecord(value)) {
    return value;
  }
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changeEachObject(item, change)])));
}

interface TypeChange {
  /** Where, and what stands there now: `devices.0.id: null`. */
  readonly name: string;
  change(body: unknown): unknown;
}

/** Each value of an answer (of a list, the first) as null, and as another type than it has. */
export function changesOfType(value: unknown, at: readonly string[] = []): readonly TypeChange[] {
  const others = isRecord(value) || Array.isArray(value) ? [null, 'text'] : [null, {}];
  const here = others.map((other) => ({
    name: `${at.join('.')}: ${JSON.stringify(other)}`,
    change: (body: unknown) => replaceAt(body, at, other),
  }));
  return [...here, ...innerValues(value).flatMap(([key, item]) => changesOfType(item, [...at, key]))];
}

function innerValues(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [['0', value[0]]];
  }
  return isRecord(value) ? Object.entries(value) : [];
}

/** Where an answer has no such place, it stays as it is. */
function replaceAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) {
    return replacement;
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? value : value.with(0, replaceAt(value[0], rest, replacement));
  }
  return isRecord(value) ? { ...value, [key]: replaceAt(value[key], rest, replacement) } : value;
}
