/** Copies an object without its undefined fields: in facts, files and messages, a missing value is a missing field. */

export type DefinedFields<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
} extends infer Flat
  ? { [Key in keyof Flat]: Flat[Key] }
  : never;

export function omitUndefined<T extends object>(fields: T): DefinedFields<T> {
  const given = fields as Readonly<Record<string, unknown>>;
  const defined: Record<string, unknown> = {};
  // A loop, because it runs several times for every device.
  for (const key of Object.keys(given)) {
    const value = given[key];
    if (value !== undefined) {
      defined[key] = value;
    }
  }
  return defined as DefinedFields<T>;
}
