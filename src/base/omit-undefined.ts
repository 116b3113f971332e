/** An object without the fields that are undefined: "did not say" is a field's absence, in facts, files and messages. */

export type DefinedFields<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
} extends infer Flat
  ? { [Key in keyof Flat]: Flat[Key] }
  : never;

export function omitUndefined<T extends object>(fields: T): DefinedFields<T> {
  const given = fields as Readonly<Record<string, unknown>>;
  const defined: Record<string, unknown> = {};
  // A loop: it runs several times for every device.
  for (const key of Object.keys(given)) {
    const value = given[key];
    if (value !== undefined) {
      defined[key] = value;
    }
  }
  return defined as DefinedFields<T>;
}
