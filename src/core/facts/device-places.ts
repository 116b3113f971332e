/** Where a device belongs: messages are chosen by it, and coverage is divided by it. */
export const devicePlaces = ['site', 'department', 'building', 'category'] as const;

export type DevicePlace = (typeof devicePlaces)[number];

/** Only its places, as far as they are known. */
export function pickPlaces(
  device: Readonly<Partial<Record<DevicePlace, string>>>,
): Partial<Record<DevicePlace, string>> {
  return Object.fromEntries(
    devicePlaces.flatMap((place) => (device[place] === undefined ? [] : [[place, device[place]]])),
  );
}
