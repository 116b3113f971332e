/** Whom to chase: counted and Not Installed, longest missing first. */
import type { Status } from './facts.ts';
import { compareCodePoints } from './order.ts';

interface ActionCandidate {
  readonly source: string;
  readonly status: Status;
  readonly counted: boolean;
  readonly notInstalledSince?: string | undefined;
}

export function listDevicesNeedingAction<Device extends ActionCandidate>(
  devices: readonly Device[],
  idOf: (device: Device) => string,
): Device[] {
  return devices
    .filter((device) => device.counted && device.status === 'Not Installed')
    .sort(
      (left, right) =>
        compareCodePoints(left.notInstalledSince ?? '', right.notInstalledSince ?? '') ||
        compareCodePoints(left.source, right.source) ||
        compareCodePoints(idOf(left), idOf(right)),
    );
}
