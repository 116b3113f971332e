/** Finding by id says what an index of the ids would, however they are ordered and asked for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdFinder, sortDevicesById } from '../../src/core/order.ts';

const id = fc.oneof(
  fc.constantFrom('1', '10', '2', 'a', 'B', 'Zoë', '\u{1f600}', '\uffee', ''),
  fc.string({ maxLength: 3 }),
);

describe('an id finder', () => {
  it('finds what an index of the ids finds, in whatever order it is asked', () =>
    fc.assert(
      fc.property(fc.array(id, { maxLength: 12 }), fc.array(id, { maxLength: 30 }), (ids, wanted) => {
        const devices = ids.map((one, index) => ({ id: one, index }));
        const known = new Map(sortDevicesById(devices).map((device) => [device.id, device]));
        const finder = createIdFinder(devices, (device) => device.id);
        for (const one of [...ids, ...ids.toSorted(), ...wanted]) {
          expect(finder.find(one)).toBe(known.get(one));
        }
      }),
      { numRuns: 500, seed: 20261123 },
    ));

  it('asks for few ids where they come in their order', () => {
    const devices = Array.from({ length: 1_000 }, (_, index) => ({ id: String(index).padStart(4, '0') }));
    let reads = 0;
    const finder = createIdFinder(devices, (device) => {
      reads += 1;
      return device.id;
    });
    reads = 0;
    for (const device of devices) {
      expect(finder.find(device.id)).toBe(device);
    }
    expect(reads).toBeLessThan(5 * devices.length);
  });
});

describe('devices by id', () => {
  it('are the same list where they are in order, and another where they are not', () => {
    const sorted = [{ id: 'a' }, { id: 'b' }, { id: 'b' }];
    expect(sortDevicesById(sorted)).toBe(sorted);
    const reversed = [{ id: 'b' }, { id: 'a' }];
    expect(sortDevicesById(reversed)).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(reversed).toEqual([{ id: 'b' }, { id: 'a' }]);
  });
});
