/** Machines that seem to be gone from a source that is not to be trusted, and that another source may still have. */
import { describe, expect, it } from 'vitest';
import { broken, incomplete, mac, macs, more, nights, told, world } from './world.ts';

describe('a machine that a source which is not to be trusted does not list', () => {
  const same = (id: string, days: number) =>
    mac(id, 'Installed', { serialNumber: 'C02SAME', reportedAt: `2026-05-${days}T05:00:00.000Z` });
  const both = world(macs([same('1', 31)]), more([same('2', 20)]));

  it('seems to be removed, once every source that had a record of it has answered', () => {
    const [, night] = nights(both, world(macs([], broken), more([])));
    expect(told(night)).toEqual(['macs 1 removed']);
  });

  it('is said nothing of while another source that had a record of it does not answer', () => {
    const [, night] = nights(both, world(macs([], broken), incomplete('macs-2')));
    expect(told(night)).toEqual([]);
  });

  it('is removed once', () => {
    const [, first, second] = nights(world(macs([same('1', 31)])), world(macs([])), world(macs([], broken)));
    expect([told(first), told(second)]).toEqual([['macs 1 removed'], []]);
  });
});
