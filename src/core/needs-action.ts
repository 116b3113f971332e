/** Whom to chase: counted and Not Installed, longest missing first. */
import type { Status } from './facts.ts';
import { byCodePoint } from './order.ts';

interface Chased {
  readonly source: string;
  readonly status: Status;
  readonly counted: boolean;
  readonly notInstalledSince?: string | undefined;
}

export function toChase<Device extends Chased>(devices: readonly Device[], idOf: (device: Device) => string): Device[] {
  return devices
    .filter((device) => device.counted && device.status === 'Not Installed')
    .sort(
      (left, right) =>
        byCodePoint(left.notInstalledSince ?? '', right.notInstalledSince ?? '') ||
        byCodePoint(left.source, right.source) ||
        byCodePoint(idOf(left), idOf(right)),
    );
}
