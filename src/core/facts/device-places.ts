/** Where a device belongs: messages are chosen by it, and coverage is divided by it. */
export const devicePlaces = ['site', 'department', 'building', 'category'] as const;

export type DevicePlace = (typeof devicePlaces)[number];

/** Only its places; undefined where they are not known. */
export function pickPlaces({
  site,
  department,
  building,
  category,
}: Readonly<Partial<Record<DevicePlace, string | undefined>>>): Record<DevicePlace, string | undefined> {
  return { site, department, building, category };
}
