/** Where a device is whose platform knows no sites: the list of expected machines says it. */
import { describe, expect, it } from 'vitest';
import { pickPlaces } from '../../src/core/facts/device-places.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { listBreakdown } from '../../src/reports/document/coverage-by.ts';
import { rowsOf } from '../reports/csv.ts';
import { findDevice, judgeOnce, judgeRuns, makeList, makeMac, makePc, makeSource } from './make-facts.ts';

describe('the place of a device whose platform knows no sites', () => {
  const rows = [
    { serial: 'pf0x-a', site: ' Vienna ', department: 'Sales' },
    { serial: 'PF0Xa', site: 'Rome' },
    { serial: 'PF0Xb', until: '2026-01-01', department: 'Board' },
    { serial: 'C02FX1', site: 'Vienna', department: 'Sales' },
  ];
  const place = (night: Night | undefined, id: string) => pickPlaces(findDevice(night, id).facts);
  const nowhere = { site: undefined, department: undefined, building: undefined, category: undefined };

  it('is that of the first row of its machine, also after its last day; a Mac’s is its platform’s', () => {
    const macs = makeSource('macs', [makeMac('1', 'Installed', { site: 'Oslo' }), makeMac('2')]);
    const pcs = makeSource('pcs', [makePc('a', '1', { category: 'Kiosk' }), makePc('b'), makePc('c')]);
    const night = judgeOnce({ sources: [macs, pcs], lists: { expected: makeList(rows) } });

    expect(place(night, 'a')).toEqual({ ...nowhere, site: 'Vienna', department: 'Sales', category: 'Kiosk' });
    expect(place(night, 'b')).toEqual({ ...nowhere, department: 'Board' });
    expect(place(night, 'c')).toEqual(nowhere);
    expect(place(night, '1')).toEqual({ ...nowhere, site: 'Oslo' });
    const sites = listBreakdown(night).flatMap(({ field, value, devices }) =>
      field === 'site' ? [[value, devices]] : [],
    );
    expect(sites).toEqual([
      ['', 3],
      ['Oslo', 1],
      ['Vienna', 1],
    ]);
  });

  it('is not said by a list that is not sound', () => {
    expect(place(judgeOnce({ lists: { expected: makeList(rows, 1, { maxAgeDays: 0 }) } }), 'a')).toEqual(nowhere);
  });

  it('stands in the row of a change, also of a machine that is gone', async () => {
    const judge = (...devices: DeviceFacts[]) => ({ sources: [makeSource('pcs', devices)] });
    const all = judgeRuns(
      ...[judge(makePc('a'), makePc('b')), judge(makePc('a', '3'), makePc('b')), judge(makePc('b'))].map(
        (facts, index) => ({ ...facts, lists: { expected: makeList(rows, index + 1) } }),
      ),
    );
    const written = await Promise.all(all.map((night) => rowsOf('changes', night)));
    const vienna = { device_id: 'a', site: 'Vienna', department: 'Sales', building: '', category: '' };

    expect(written).toMatchObject([[], [{ change: 'lost', ...vienna }], [{ change: 'removed', ...vienna }]]);
  });
});
