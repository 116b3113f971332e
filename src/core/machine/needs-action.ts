/** The devices that need action: counted and Not Installed, longest missing first; and which of them are overdue. */

import type { Policy } from '../facts/company.ts';
import type { DeviceReference, JudgedDevice, Judgement } from '../facts/judged.ts';
import { compareCodePoints } from '../text/order.ts';
import { countDaysBetween } from '../time/calendar.ts';

type ActionCandidate = DeviceReference &
  Pick<Judgement, 'status' | 'counted'> & { readonly notInstalledSince?: string | undefined };

export function listDevicesNeedingAction<Device>(
  devices: readonly Device[],
  read: (device: Device) => ActionCandidate,
): Device[] {
  const needsAction = ({ counted, status }: ActionCandidate) => counted && status === 'Not Installed';
  return devices
    .filter((device) => needsAction(read(device)))
    .map((device) => ({ device, ...read(device) }))
    .sort(
      (left, right) =>
        compareCodePoints(left.notInstalledSince ?? '', right.notInstalledSince ?? '') ||
        compareCodePoints(left.source, right.source) ||
        compareCodePoints(left.id, right.id),
    )
    .map(({ device }) => device);
}

/** A judged device as `listDevicesNeedingAction` reads it. */
export function toActionCandidate({ source, facts, judgement }: JudgedDevice): ActionCandidate {
  const { status, counted, notInstalledSince } = judgement;
  return { source, id: facts.id, status, counted, notInstalledSince };
}

/** From `policy.overdueAfterDays` days on; never for a device that is Installed, which has no such date. */
export function isOverdue(notInstalledSince: string | undefined, slot: string, { overdueAfterDays }: Policy): boolean {
  return notInstalledSince !== undefined && countDaysBetween(notInstalledSince, slot) >= overdueAfterDays;
}
