/** Views have no fields of their own, by which expectations would compare them: they are compared unpacked. */
import { expect } from 'vitest';
import { unpack } from '../src/core/views.ts';

expect.addEqualityTesters([
  function compareUnpacked(left, right, testers) {
    const [first, second] = [unpack(left), unpack(right)];
    return first === left && second === right ? undefined : this.equals(first, second, testers);
  },
]);
