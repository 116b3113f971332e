/** An object without the fields that are undefined: "did not say" is a field's absence, in facts, files and messages. */

export type DefinedFields<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
} extends infer Flat
  ? { [Key in keyof Flat]: Flat[Key] }
  : never;

export function omitUndefined<T extends object>(fields: T): DefinedFields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>;
}
