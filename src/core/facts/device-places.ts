/** What finds a device: its id and names, and where it belongs. */

/** Messages are chosen by them, and coverage is divided by them. */
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

/** An operating-system family, as reports print it, such as `linux`. A string, so that another one leaves the core alone. */
export type OperatingSystem = string;

/** Its places are names that the platform has; the kind's `fields` says which. */
export interface DeviceIdentity extends Readonly<Partial<Record<DevicePlace, string>>> {
  /** The platform's own id. */
  readonly id: string;
  readonly name?: string;
  readonly serialNumber?: string;
  /** Already shown, hashed or left out as `privacy.users` says. */
  readonly user?: string;
  /** Last contact with its server, ISO 8601 UTC. */
  readonly lastSeenAt?: string;
}
