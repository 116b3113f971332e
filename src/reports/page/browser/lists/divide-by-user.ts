/** Divides the devices by user, over all platforms, with the figures that coverage-by.csv has for other fields. */
import { computeInterval, countFigures } from '../../../../core/source/coverage.ts';
import { type Division, foldUser } from '../../shared/breakdown-list.ts';
import type { ListedDevice } from '../../shared/page-data.ts';

export function divideByUser(devices: readonly ListedDevice[]): Division[] {
  return [...Map.groupBy(devices, ({ user }) => foldUser(user))].map(([value, owned]) => {
    const figures = countFigures(owned);
    const { coverage, low, high } = computeInterval(figures);
    return {
      value,
      name: owned[0]?.user ?? '',
      platforms: [...new Set(owned.map(({ platform }) => platform))].sort(),
      ...figures,
      ...(coverage !== '' && { coverage: Number(coverage), low: Number(low), high: Number(high) }),
    };
  });
}
