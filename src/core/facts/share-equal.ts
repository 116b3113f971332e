/** What is the same for many devices is kept once, since it would be most of a large fleet's memory. */

/** Above it, they are not what devices have in common. */
const mostShared = 20_000;

/** Values with equal keys are one value from then on. */
export function createSharing<Value>(toKey: (value: Value) => string = JSON.stringify): (value: Value) => Value {
  const known = new Map<string, Value>();
  return (value) => {
    const key = toKey(value);
    const same = known.get(key);
    if (same === undefined && known.size < mostShared) {
      known.set(key, value);
    }
    return same ?? value;
  };
}
