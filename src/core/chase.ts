/** Whom to chase: counted and Not Installed, longest missing first. */
import type { JudgedDevice } from './judged.ts';
import { byCodePoint } from './order.ts';

export function toChase(devices: readonly JudgedDevice[]): JudgedDevice[] {
  return devices
    .filter((device) => device.counted && device.status === 'Not Installed')
    .sort(
      (left, right) =>
        byCodePoint(left.notInstalledSince ?? '', right.notInstalledSince ?? '') ||
        byCodePoint(left.source, right.source) ||
        byCodePoint(left.facts.id, right.facts.id),
    );
}
