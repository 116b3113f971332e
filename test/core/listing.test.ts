/** When the list of a source seems to lack devices, and how a finding names records that concern each other. */
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { ListingFigures } from '../../src/core/facts/state.ts';
import {
  describeContradictions,
  findListingGaps,
  findMachineFindings,
  isShortfallAbove,
  readListingFigures,
} from '../../src/core/source/listing.ts';
import { at, judgeOnce, judgeRuns, makeMac, makePc, makeSource, slot } from './make-facts.ts';

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

describe('the overview’s shortfall, accepted once [M4]', () => {
  const pcs = (count: number) => Array.from({ length: count }, (_, index) => makePc(`pc-${100 + index}`));
  const night = (count: number, overview: number | undefined, accepts = false): Partial<Facts> => {
    const source = makeSource('windows', pcs(count));
    const receipt = { ...source.receipt, unlisted: 0, ...(overview !== undefined && { overview }) };
    const accepted = { by: 'somebody', at: at(1), sources: ['windows'] };
    return { sources: [{ ...source, receipt }], ...(accepts && { accepted }) };
  };
  const soundness = (...nights: readonly Partial<Facts>[]) =>
    judgeRuns(...nights).map(({ sources }) => sources[0]?.soundness);

  it('says both causes, and that accepting settles it', () => {
    const [suspect] = judgeRuns(night(80, 130));
    expect(suspect?.sources[0]).toMatchObject({
      soundness: 'suspect',
      problem: {
        code: 'devices-missing',
        message:
          '50 of 130 devices of the platform’s own overview are missing from its list: the overview still counts records ' +
          'that were overwritten, or the list ended early, without a link to the rest. If the list has every device, run ' +
          `"muster accept ${slot(1)}" once: this share of the overview then counts as usual, for good. If not, look at the platform.`,
      },
    });
  });

  it('is not doubted again, also after runs in which the platform gave no overview', () => {
    const unknown = night(80, undefined);
    expect(soundness(night(80, 130, true), night(80, 130), unknown, unknown, night(81, 131), night(75, 130))).toEqual(
      Array(6).fill('complete'),
    );
  });

  it('is doubted again where more are missing, compared with the list of then', () => {
    const accepted = night(80, 130, true);
    expect(soundness(accepted, night(48, 130)).at(-1)).toBe('suspect');
    // The list of the run between has no overview to be compared with.
    expect(soundness(accepted, night(76, undefined), night(80, 130), night(48, 130)).slice(2)).toEqual([
      'complete',
      'suspect',
    ]);
    const [, , last] = judgeRuns(accepted, night(76, undefined), night(76, undefined));
    expect(last?.state.sources[0]?.baseline?.listing).toEqual({
      ...{ received: 76, unlisted: 0, overview: 130, overviewOf: 80 },
    });
  });
});

it('devices that the list has several times are a finding, which names them [M5]', () => {
  const devices = [makeMac('1'), makeMac('2', 'Not Installed')];
  const judged = judgeOnce({ sources: [makeSource('macs', devices, { repeated: ['2'] })] });
  expect(judged.devices).toHaveLength(2);
  expect(judged.sources[0]).toMatchObject({
    soundness: 'complete',
    findings: [
      {},
      {
        check: 'devices.repeated',
        result: 'fail',
        instrument: false,
        expected: 'each device once in the platform’s list',
        found: '1 device: C02FX2: mac-2 (2)',
        advice: expect.stringContaining('Each is counted once.'),
      },
    ],
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
        expected: 'no Not Installed device that the agent’s console has seen lately',
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
