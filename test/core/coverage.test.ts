import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSourceOperatingSystem } from '../../src/core/facts/rules.ts';
import type { Coverage } from '../../src/core/facts/state.ts';
import { type Soundness, soundnesses } from '../../src/core/facts/vocabulary.ts';
import { computeInterval, computeTotalCoverage } from '../../src/core/source/coverage.ts';

function row(
  counted: number,
  installed: number,
  provenInstalled = installed,
  provenNotInstalled = counted - installed,
) {
  const nobody = { excluded: 0, exempt: 0, stale: 0, lost: 0, recovered: 0, joined: 0, left: 0 };
  const figure = { devices: counted, counted, installed, notInstalled: counted - installed };
  const name = { source: 'macs', operatingSystem: 'macos', soundness: 'complete' as Soundness };
  return { ...name, ...nobody, ...figure, provenInstalled, provenNotInstalled } satisfies Coverage;
}

it.each([
  [{ macos: 'macOS' }, 'macos'],
  [{ macos: 'macOS', ios: 'iOS' }, 'mixed'],
  [{}, 'mixed'],
])('a source that lists %j has one operating system or several: %s', (operatingSystems, operatingSystem) => {
  expect(findSourceOperatingSystem({ operatingSystems })).toBe(operatingSystem);
});

describe('the interval', () => {
  it.each([
    [row(0, 0), ['', '', '']],
    [row(1, 1), ['100.00', '100.00', '100.00']],
    [row(3, 2), ['66.67', '66.66', '66.67']],
    [row(3, 2, 1, 0), ['66.67', '33.33', '100.00']],
    // Half a hundredth goes up in the headline; the edges only ever move outwards.
    [row(20_000, 1), ['0.01', '0.00', '0.01']],
    [row(20_000, 19_999), ['100.00', '99.99', '100.00']],
    [row(30_000, 1), ['0.00', '0.00', '0.01']],
    [row(1_000_000, 999_999, 0, 0), ['100.00', '0.00', '100.00']],
  ])('%#', (figure, [coverage, low, high]) => {
    expect(computeInterval(figure)).toEqual({ coverage, low, high });
  });

  it('rounding never narrows it, and the headline lies inside', () => {
    const fleet = fc
      .tuple(fc.integer({ min: 1, max: 2_000_000 }), fc.nat(), fc.nat(), fc.nat())
      .map(([counted, a, b, c]) => {
        const installed = a % (counted + 1);
        return row(counted, installed, b % (installed + 1), c % (counted - installed + 1));
      });
    fc.assert(
      fc.property(fleet, (figure) => {
        const { coverage, low, high } = computeInterval(figure);
        const hundredths = (text: string) => {
          expect(text).toMatch(/^(100|\d{1,2})\.\d\d$/);
          return BigInt(text.replace('.', ''));
        };
        const whole = BigInt(figure.counted);
        const [exactLow, exactHigh] = [figure.provenInstalled, figure.counted - figure.provenNotInstalled].map(
          (part) => BigInt(part) * 10_000n,
        ) as [bigint, bigint];
        expect(hundredths(low) * whole <= exactLow && exactLow < (hundredths(low) + 1n) * whole).toBe(true);
        expect(hundredths(high) * whole >= exactHigh && exactHigh > (hundredths(high) - 1n) * whole).toBe(true);
        const off = 2n * (hundredths(coverage) * whole - BigInt(figure.installed) * 10_000n);
        expect(-whole < off && off <= whole).toBe(true);
        expect(hundredths(low) <= hundredths(coverage) && hundredths(coverage) <= hundredths(high)).toBe(true);
      }),
      { seed: 20_260_601, numRuns: 1000 },
    );
  });
});

describe('the row for all', () => {
  it('takes the worst of any two', () => {
    for (const [worse, one] of soundnesses.entries()) {
      for (const other of soundnesses.slice(worse)) {
        const rows = [other, one].map((soundness) => ({ ...row(1, 1), soundness }));
        expect(computeTotalCoverage(rows).soundness).toBe(one);
      }
    }
  });
});
