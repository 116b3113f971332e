/** Devices in columns have no fields of their own, by which expectations would compare them: they are compared unpacked. */
import { expect } from 'vitest';
import type { DeviceFacts } from '../src/core/facts.ts';
import { unpackDevice } from '../src/core/packed-devices.ts';

function unpack(value: unknown): unknown {
  return unpackDevice(value as DeviceFacts);
}

expect.addEqualityTesters([
  function compareUnpacked(left, right, testers) {
    const [first, second] = [unpack(left), unpack(right)];
    return first === left && second === right ? undefined : this.equals(first, second, testers);
  },
]);
