/**
 * Views: objects that keep their fields elsewhere, together with those of many others. They read like plain objects,
 * except that what copies fields would copy none, and nobody would notice; so they refuse to be spread or cloned.
 */

const guard = 'unpackMakesAnObject';

const refusal: PropertyDescriptor = {
  enumerable: true,
  get() {
    throw new TypeError('A view was spread or cloned, which would lose its fields: use unpack.');
  },
};

/** The only field of a view's own. */
export function forbidCopying(view: { toJSON(): object }): void {
  Object.defineProperty(view, guard, refusal);
}

/** An object with fields of its own, which can be spread. */
export function unpack<Value>(value: Value): Value {
  return isView(value) ? (value.toJSON() as Value) : value;
}

function isView(value: unknown): value is { toJSON(): object } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, guard);
}
