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

/** Reads a judged device for `listDevicesNeedingAction`. */
export function toActionCandidate({ source, facts, judgement }: JudgedDevice): ActionCandidate {
  const { status, counted, notInstalledSince } = judgement;
  return { source, id: facts.id, status, counted, notInstalledSince };
}

/** Whether a device has been Not Installed for `policy.overdueAfterDays` days; an Installed one has no such date. */
export function isOverdue(notInstalledSince: string | undefined, slot: string, { overdueAfterDays }: Policy): boolean {
  return notInstalledSince !== undefined && countDaysBetween(notInstalledSince, slot) >= overdueAfterDays;
}
