/** When the list of a source seems to lack devices, and how a finding names records that concern each other. */
import { describe, expect, it } from 'vitest';
import type { ListingFigures } from '../../src/core/facts/state.ts';
import {
  describeContradictions,
  findListingGaps,
  findMachineFindings,
  isShortfallAbove,
  readListingFigures,
} from '../../src/core/source/listing.ts';
import { makeMac, makeSource } from './make-facts.ts';

/** A list of so many devices, and so many that only the apps' reports name. */
const withUnlisted = (received: number, unlisted: number): ListingFigures => ({ received, unlisted });
/** A list of so many devices, of which the platform's own overview counts so many. */
const withOverview = (received: number, overview: number): ListingFigures => ({ received, overview });

describe('devices that only the apps’ reports name', () => {
  it.each<[string, ListingFigures, ListingFigures | undefined, object]>([
    ['20 points above nothing', withUnlisted(80, 20), undefined, {}],
    ['more than 20 points', withUnlisted(79, 21), undefined, { unlisted: { lacking: 21, of: 100, expected: 0 } }],
    ['ten devices above nothing', withUnlisted(10, 10), undefined, {}],
    ['eleven', withUnlisted(10, 11), undefined, { unlisted: { lacking: 11, of: 21, expected: 0 } }],
    ['20 points above the baseline’s share', withUnlisted(70, 30), withUnlisted(180, 20), {}],
    [
      'more than 20 points above it',
      withUnlisted(69, 31),
      withUnlisted(180, 20),
      { unlisted: { lacking: 31, of: 100, expected: 10 } },
    ],
    ['ten devices above it', withUnlisted(18, 12), withUnlisted(28, 2), {}],
    [
      'a baseline that did not count them',
      withUnlisted(79, 21),
      { received: 79 },
      { unlisted: { lacking: 21, of: 100, expected: 0 } },
    ],
    ['not counted now', { received: 10 }, withUnlisted(100, 0), {}],
    ['none, and no device', withUnlisted(0, 0), undefined, {}],
  ])('%s', (_, current, baseline, gaps) => {
    expect(findListingGaps(current, baseline)).toEqual(gaps);
  });
});

describe('a list that is below the platform’s own overview', () => {
  it.each<[string, ListingFigures, ListingFigures | undefined, object]>([
    ['by 20 points', withOverview(80, 100), undefined, {}],
    ['by more', withOverview(79, 100), undefined, { shortfall: { lacking: 21, of: 100, expected: 0 } }],
    ['by more, as its baseline was', withOverview(60, 100), withOverview(120, 200), {}],
    [
      'and whose baseline was of nothing',
      withOverview(79, 100),
      withOverview(0, 0),
      { shortfall: { lacking: 21, of: 100, expected: 0 } },
    ],
    ['where the baseline was above it, which counts as none lacking', withOverview(85, 100), withOverview(100, 50), {}],
  ])('%s', (_, current, baseline, gaps) => {
    expect(findListingGaps(current, baseline)).toEqual(gaps);
  });

  it.each<[string, ListingFigures, ListingFigures | undefined, boolean]>([
    ['by one device without a baseline', withOverview(99, 100), undefined, true],
    ['by none', withOverview(100, 100), undefined, false],
    ['by the baseline’s share', withOverview(180, 200), withOverview(90, 100), false],
    ['by one device more than that', withOverview(179, 200), withOverview(90, 100), true],
    ['by one, after a baseline of nothing', withOverview(99, 100), withOverview(0, 0), true],
    ['or not, where nobody counts', { received: 99 }, withOverview(90, 100), false],
  ])('is below it by a larger share than before: %s', (_, current, baseline, isAbove) => {
    expect(isShortfallAbove(current, baseline)).toBe(isAbove);
  });
});

it('the devices that a source could not read are on its list', () => {
  const unread = { unread: [{ id: '3', operatingSystem: 'macos' }] };
  expect(readListingFigures(makeSource('macs', [makeMac('1'), makeMac('2')], unread))).toEqual({ received: 3 });
  expect(readListingFigures(makeSource('macs', [makeMac('1')]))).toEqual({ received: 1 });
});

describe('a finding about records of one machine that contradict each other', () => {
  const record = (of: string, id: string) => ({ source: of, facts: { id, name: `mac-${id}`, serialNumber: 'C02ONE' } });

  it('is of the sources that have them, and says what to do', () => {
    const contradicted = [[record('macs', '1'), record('windows', 'a')]];
    expect(findMachineFindings('macs', { sharing: [], contradicted })).toEqual([
      {
        check: 'devices.contradicted',
        result: 'fail',
        instrument: false,
        expected: 'one answer about each machine, whoever is asked',
        found: '1 machine on 2 devices: C02ONE: mac-1 (1) and mac-a (windows/a)',
        advice: 'Nothing is proven about them. Look at each machine, and remove the record that is wrong.',
      },
    ]);
    expect(findMachineFindings('others', { sharing: [], contradicted })).toEqual([]);
  });
});

describe('a finding about devices that the agent’s console has seen', () => {
  const records = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      source: 'macs',
      facts: { id: String(index + 1), name: `mac-${index + 1}`, serialNumber: `C02FX${index + 1}` },
    }));
  const find = (contradicted: Parameters<typeof describeContradictions>[1]) =>
    describeContradictions('macs', contradicted)[0]?.found;

  it('says what was expected, and what to do', () => {
    expect(describeContradictions('macs', records(2))).toEqual([
      {
        check: 'lists.contradicted',
        result: 'fail',
        instrument: false,
        expected: 'no device is Not Installed that the agent’s console has seen lately',
        found: '2 machines: C02FX1: mac-1 (1); C02FX2: mac-2 (2)',
        advice:
          'Their platform’s answer is not proven. Look at a machine, and find out why its platform does not see the agent.',
      },
    ]);
    expect(describeContradictions('macs', [])).toEqual([]);
  });

  it('names twelve, and counts the rest', () => {
    expect(find(records(12))).toMatch(/^12 machines: .*; C02FX12: mac-12 \(12\)$/);
    expect(find(records(14))).toMatch(/^14 machines: .*; C02FX12: mac-12 \(12\) and 2 more$/);
  });

  it('names one without a serial number by its name, and one without a name by its id', () => {
    expect(find([{ source: 'macs', facts: { id: '7', name: 'mac-7' } }])).toBe('1 machine: mac-7 (7)');
    expect(find([{ source: 'macs', facts: { id: '7', serialNumber: 'C02FX7' } }])).toBe('1 machine: C02FX7: 7');
  });

  it('shows sixty letters of a text, and cuts no character in two', () => {
    const facts = { id: '7', name: 'x'.repeat(60), serialNumber: `${'9'.repeat(59)}🦊` };
    expect(find([{ source: 'macs', facts }])).toBe(`1 machine: ${'9'.repeat(59)}\ufffd…: ${'x'.repeat(60)} (7)`);
  });
});
