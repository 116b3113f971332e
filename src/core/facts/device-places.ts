/** Where a device belongs: messages are chosen by it, and coverage is divided by it. */
export const devicePlaces = ['site', 'department', 'building', 'category'] as const;

export type DevicePlace = (typeof devicePlaces)[number];
