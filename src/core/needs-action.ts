/** The devices that need action: counted and Not Installed, longest missing first; and which of them are overdue. */
import { countDaysBetween } from './calendar.ts';
import type { Policy, Status } from './facts.ts';
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

/** From `policy.overdueAfterDays` days on; never for a device that is Installed, which has no such date. */
export function isOverdue(
  notInstalledSince: string | undefined,
  slot: string,
  { overdueAfterDays }: Pick<Policy, 'overdueAfterDays'>,
): boolean {
  return notInstalledSince !== undefined && countDaysBetween(notInstalledSince, slot) >= overdueAfterDays;
}
